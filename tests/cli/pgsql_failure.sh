#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PostgreSQL: what happens when the server, a backend or xtime itself is killed or stopped, or connections run out.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"

printf 'SELECT 1;\n' >"$work/one.sql"
start() { "$xtime" "$@" >"$work/.out" 2>"$work/.err" & pid=$!; }
private=(--db-driver=pgsql --pgsql-option=fsync=off)

# The postmaster is killed: the server's own words, exit 1, what was measured is kept, nothing is left.
start run "$work/one.sql" "${private[@]}" --threads=2 --time=60 --output="$work/lost.json"
await 60 flows "$pid"
folder=$(private_folder "$pid")
kill -9 "$(private_postmaster "$pid")"
begin=$SECONDS
wait "$pid"
got=$?
[ "$got" = 1 ] || fail "postmaster killed: exit $got instead of 1"
[ $((SECONDS - begin)) -le 6 ] || fail "postmaster killed: took $((SECONDS - begin)) s to end"
err=$(<"$work/.err")
says "unexpected postmaster exit" "one.sql:1:1"
[ ! -e "$folder" ] || fail "postmaster killed: $folder is left"
out=$(cat "$work/lost.json")
json "r['points'][0]['transactions'] > 0"

# xtime is killed: its server goes with it, its folder with the next run.
start run "$work/one.sql" "${private[@]}" --time=60
await 60 has_backends "$pid" 1
folder=$(private_folder "$pid")
postmaster=$(private_postmaster "$pid")
kill -9 "$pid"
wait "$pid" 2>/dev/null
await 5 gone "$postmaster"
run 0 "$xtime" run "$work/one.sql" "${private[@]}" --events=1
folder_gone() { [ ! -e "$folder" ]; } # another test's run may be at it
await 10 folder_gone

# A backend is stopped for 2 s: the run goes on, and the stall shows.
start run "$work/one.sql" "${private[@]}" --threads=2 --time=6 --format=json
await 60 flows "$pid"
backend=$(ask_private "$pid" "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT 1%' AND pid <> pg_backend_pid() LIMIT 1")
kill -STOP "$backend"
sleep 2
kill -CONT "$backend"
wait "$pid"
got=$?
[ "$got" = 0 ] || fail "backend stopped: exit $got: $(cat "$work/.err")"
out=$(<"$work/.out")
json "r['points'][0]['latency_ms']['max'] >= 1900 and r['points'][0]['latency_ms']['p95'] < 1900"

# More threads than connections.
begin=$SECONDS
run 1 "$xtime" run "$work/one.sql" "${private[@]}" --pgsql-option=max_connections=5 --threads=8 --time=30
says "too many clients already" "client"
[ $((SECONDS - begin)) -le 15 ] || fail "max_connections: took $((SECONDS - begin)) s"
done_testing
