# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the PostgreSQL shell tests, after lib.sh: where the server programs are, a server of the test's own, what
# the private servers of a run have left.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154

unset PGHOST PGHOSTADDR PGPORT PGSERVICE PGDATABASE PGUSER PGPASSWORD PGPASSFILE PGOPTIONS
case $("$xtime" list drivers) in
  *pgsql*) ;;
  *) echo "SKIP: built without PostgreSQL"; exit 77 ;;
esac
pg_bin=$(pg_config --bindir 2>/dev/null)
[ -x "$pg_bin/initdb" ] || pg_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
[ -x "$pg_bin/initdb" ] || { echo "SKIP: no PostgreSQL server programs"; exit 77; }
chmod 755 "$work"
pg_job=

# as_server COMMAND...: as the user who may run a server.
as_server() {
  if [ "$(id -u)" = 0 ]; then
    runuser -u postgres -- "$@"
  else
    "$@"
  fi
}

# as_nobody COMMAND...: as an ordinary user with a HOME and a TMPDIR of its own.
as_nobody() {
  if [ "$(id -u)" = 0 ]; then
    install -d -o nobody "$work/nobody"
    runuser -u nobody -- env HOME="$work/nobody" TMPDIR="$work/nobody" "$@"
  else
    "$@"
  fi
}

# start_server [COMMAND...]: a server on a socket in $work/pg, below COMMAND (xtime exec ..., say).
start_server() {
  install -d "$work/pg"
  [ "$(id -u)" != 0 ] || chown postgres "$work/pg"
  (cd "$work/pg" && as_server "$pg_bin/initdb" -D data -U tester --no-sync --no-locale -E UTF8 -A trust) >"$work/initdb.log" 2>&1 ||
    { fail "initdb: $(cat "$work/initdb.log")"; return 1; }
  (cd "$work/pg" && as_server "$@" "$pg_bin/postgres" -D data -k "$work/pg" -c listen_addresses= -c fsync=off) >"$work/pg.log" 2>&1 &
  pg_job=$!
  await 30 "$pg_bin/pg_isready" -q -h "$work/pg" || { cat "$work/pg.log" >&2; return 1; }
}

stop_server() {
  [ -z "$pg_job" ] || kill -QUIT "$(head -n 1 "$work/pg/data/postmaster.pid" 2>/dev/null)" 2>/dev/null
  wait "$pg_job" 2>/dev/null
  pg_job=
}

finish_pgsql() {
  [ -z "$pg_job" ] || stop_server
  finish
}
trap finish_pgsql EXIT

# The folder of the private server of process $1, and its postmaster.
private_folder() { find /var/tmp -maxdepth 1 -name "xtime-pg-$1-*" 2>/dev/null | head -n 1; }
private_postmaster() { head -n 1 "$(private_folder "$1")/data/postmaster.pid" 2>/dev/null; }
has_backends() { # PID COUNT: that many connections are served
  local postmaster
  postmaster=$(private_postmaster "$1") && [ -n "$postmaster" ] &&
    [ "$(pgrep -c -P "$postmaster" -f 'postgres: xtime postgres')" -ge "$2" ]
}
ask_private() { # PID SQL: of the private server of that process
  "$pg_bin/psql" -qAt -h "$(private_folder "$1")" -U xtime -d postgres -c "$2" 2>/dev/null
}
declare -A flow_base
# flows PID: transactions of its script, which begins with SELECT 1, are coming in. Connections stand long before, and a
# new cluster has hundreds of transactions of its own.
flows() {
  local commits
  commits=$(ask_private "$1" "SELECT sum(xact_commit) FROM pg_stat_database WHERE EXISTS (SELECT FROM pg_stat_activity
    WHERE query LIKE 'SELECT 1%' AND pid <> pg_backend_pid())")
  [ -n "$commits" ] || return 1
  : "${flow_base[$1]:=$commits}"
  [ "$commits" -gt $((flow_base[$1] + 500)) ]
}
gone() { ! kill -0 "$1" 2>/dev/null; }

# with_pid FILE COMMAND...: runs COMMAND and leaves its pid in FILE.
with_pid() {
  # shellcheck disable=SC2016  # for the inner shell
  sh -c 'echo $$ >"$0"; exec "$@"' "$@"
}
# The private server of the pid in FILE is gone, folder and processes.
nothing_left() {
  [ -z "$(private_folder "$(cat "$1")")" ] || fail "a folder is left: $(private_folder "$(cat "$1")")"
  ! pgrep -f "/var/tmp/xtime-pg-$(cat "$1")-" >/dev/null || fail "a process is left"
}
