#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A/B inside a PostgreSQL server: a private one, as root and as an ordinary user, and one started by hand on a page.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"

# 20 us a read and seven reads a select: an effect that no noise hides.
slow=("--arms=gettimeofday@20000ns,coarse" --threads=2 --time=3 --warmup-time=0.2 --slice=10ms --table-size=1000 --format=json)

run 0 with_pid "$work/pid" "$xtime" ab oltp_point_select --db-driver=pgsql --pgsql-option=fsync=off "${slow[@]}"
nothing_left "$work/pid"
json "r['driver']['name'] == 'pgsql' and r['driver']['private_server'] == 'yes'"
json "4 <= r['points'][0]['calls_per_transaction']['gettimeofday'] <= 12"
json "r['points'][0]['comparisons'][0]['ratio'] > 1.1 and r['points'][0]['comparisons'][0]['verdict'] == 'faster'"
json "all(a['calls']['gettimeofday'] > 0 for a in r['points'][0]['arms'])"

# As an ordinary user, from an installed copy that it can read.
mkdir -p "$work/inst/.libs"
cp "$xtime" "$work/inst/xtime"
cp "$top_builddir/.libs/libxtime.so" "$work/inst/.libs/"
cp -r "$top_srcdir/workloads" "$work/inst/workloads"
chmod -R a+rX "$work/inst"
mkdir -p "$work/nobody"
[ "$(id -u)" != 0 ] || chown nobody "$work/nobody"
export -f with_pid
# shellcheck disable=SC2016  # for the inner shell
run 0 as_nobody env XTIME_WORKLOADS="$work/inst/workloads" bash -c 'with_pid "$@"' - "$work/nobody/pid" \
  "$work/inst/xtime" ab oltp_point_select --db-driver=pgsql --pgsql-option=fsync=off "${slow[@]}"
nothing_left "$work/nobody/pid"
rm -f "$work/nobody/pid"
json "r['points'][0]['comparisons'][0]['ratio'] > 1.1"
[ -z "$(find "$work/nobody" -mindepth 1 2>/dev/null)" ] || fail "something was left in TMPDIR"

# A server that is not under the shim: refused, unless only the client is meant.
start_server || done_testing
at=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres)
run 0 "$xtime" prepare oltp_point_select "${at[@]}" --table-size=1000
run 2 "$xtime" ab oltp_point_select "${at[@]}" "${slow[@]}"; says "--client-only" "--page"
run 1 "$xtime" ab oltp_point_select "${at[@]}" "${slow[@]}" --client-only; says "void"
stop_server
rm -rf "$work/pg"

# A server started by hand on a page is flipped through it.
start_server "$work/inst/xtime" exec --page="$work/pg/page" -- || done_testing
at=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres)
run 0 "$xtime" prepare oltp_point_select "${at[@]}" --table-size=1000
run 0 "$xtime" ab oltp_point_select "${at[@]}" "${slow[@]}" --page="$work/pg/page"
json "r['points'][0]['comparisons'][0]['ratio'] > 1.1"
json "4 <= r['points'][0]['calls_per_transaction']['gettimeofday'] <= 12"
done_testing
