#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PostgreSQL: messages for everything that keeps a connection or a private server from coming about. No password shows.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"

silent() { case $err$out in *"$1"*) fail "'$1' is in the output: $err $out" ;; esac; }
pg() { "$xtime" run "$work/one.sql" --db-driver=pgsql --events=1 "$@"; }
printf 'SELECT 1;\n' >"$work/one.sql"

# No server at all.
run 1 pg --pgsql-host="$work/none"; says "$work/none" "No such file" "--pgsql-host"
long=/tmp/$(printf 'x%.0s' {1..150})
run 1 pg --pgsql-host="$long"; says "too long" "107"
run 2 pg --pgsql-conninfo="host=a password=hush hush"; says "--pgsql-conninfo"; silent hush
run 2 "$xtime" prepare oltp_point_select --db-driver=pgsql; says "--pgsql-host"
run 2 pg --protocol=telepathy; says "telepathy" "prepared"
run 2 pg --pgsql-host=x --isolation=none; says "serializable"

# No server programs.
run 2 pg --pgsql-bindir="$work/nowhere"; says "--pgsql-bindir" "$work/nowhere" "No such file"
mkdir -p "$work/bin/closed"
ln -s "$pg_bin/postgres" "$work/bin/postgres"
run 2 pg --pgsql-bindir="$work/bin"; says "$work/bin" "initdb"
run 2 env XTIME_PG_BINDIR="$work/bin" "$xtime" run "$work/one.sql" --db-driver=pgsql --events=1; says "$work/bin" "initdb"
chmod 700 "$work/bin/closed"
[ "$(id -u)" = 0 ] || chmod 000 "$work/bin/closed"
cp "$xtime" "$work/xtime"
chmod 755 "$work/xtime"
chmod 644 "$work/one.sql"
run 2 as_nobody "$work/xtime" run "$work/one.sql" --db-driver=pgsql --events=1 --pgsql-bindir="$work/bin/closed"
says "$work/bin/closed" "Permission denied"
run 2 pg --pgsql-option=fsync; says "NAME=VALUE"
run 1 pg --pgsql-option=no_such_setting=1; says "did not start" 'unrecognized configuration parameter "no_such_setting"'

# A server that refuses.
start_server || done_testing
at=(--pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres)
run 0 pg "${at[@]}"
run 1 pg "${at[@]}" --pgsql-db=nothere; says 'database "nothere" does not exist' "--pgsql-db"
run 1 pg "${at[@]}" --pgsql-user=stranger; says 'role "stranger" does not exist' "--pgsql-user"
psql=("$pg_bin/psql" -qAt -h "$work/pg" -U tester postgres)
"${psql[@]}" -c "ALTER ROLE tester PASSWORD 'open sesame'"
printf 'local all all scram-sha-256\n' >"$work/pg/data/pg_hba.conf"
kill -HUP "$(head -n 1 "$work/pg/data/postmaster.pid")"
refused() { ! "${psql[@]}" -w -c "SELECT 1" >/dev/null 2>&1; }
await 10 refused
run 1 pg "${at[@]}"; says "no password supplied" "--pgsql-password"
run 1 pg "${at[@]}" --pgsql-password=shibboleth; says "password authentication failed" "--pgsql-password"; silent shibboleth
run 0 pg "${at[@]}" --pgsql-password="open sesame" --format=json; silent sesame
run 0 pg --pgsql-conninfo="host=$work/pg user=tester dbname=postgres password='open sesame'" --format=json; silent sesame
run 0 env PGHOST="$work/pg" PGUSER=tester PGDATABASE=postgres PGPASSWORD="open sesame" \
  "$xtime" run "$work/one.sql" --db-driver=pgsql --events=1
printf '*:*:*:tester:open sesame\n' >"$work/pgpass"
chmod 600 "$work/pgpass"
run 0 env PGPASSFILE="$work/pgpass" "$xtime" run "$work/one.sql" --db-driver=pgsql --events=1 "${at[@]}"
printf '[here]\nhost=%s\nuser=tester\ndbname=postgres\npassword=open sesame\n' "$work/pg" >"$work/service"
run 0 env PGSERVICEFILE="$work/service" PGSERVICE=here "$xtime" run "$work/one.sql" --db-driver=pgsql --events=1
# While it runs, the password is neither in its arguments nor in its environment, before and after the restart.
connected() { [ "$(PGPASSWORD='open sesame' "${psql[@]}" -c "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'xtime'")" -ge 1 ]; }
for command in run "ab --client-only"; do
  # shellcheck disable=SC2086  # two words
  "$xtime" $command "$work/one.sql" --db-driver=pgsql "${at[@]}" --pgsql-password="open sesame" --time=20 >"$work/.out" 2>"$work/.err" &
  pid=$!
  await 10 connected
  grep -q sesame "/proc/$pid/cmdline" "/proc/$pid/environ" && fail "$command: the password is in /proc/PID"
  grep -q "pgsql-password=\*\*\*" "/proc/$pid/cmdline" || fail "$command: the arguments are not what this test looks for"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null
  gone_from_server() { ! connected; }
  await 10 gone_from_server
done
done_testing
