#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A run ends though a lock never does; what did not end is told, and the status is not 0.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
run 0 "$xtime" prepare oltp_update_non_index --table-size=100 --sqlite-db="$work/d.db"
python3 -c "
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN EXCLUSIVE'); c.execute('UPDATE sbtest1 SET k = k')
open(sys.argv[2], 'w').close(); time.sleep(60)" "$work/d.db" "$work/held" &
holder=$!
await 10 test -e "$work/held"
begin=$SECONDS
run 1 "$xtime" run oltp_update_non_index --table-size=100 --sqlite-db="$work/d.db" --sqlite-busy-timeout=60000 --time=1 \
  --forced-shutdown=1 --threads=2
[ $((SECONDS - begin)) -le 8 ] || fail "took $((SECONDS - begin)) s"
says "did not end"
# off: as long as the statement wants, here until the lock is gone.
"$xtime" run oltp_update_non_index --table-size=100 --sqlite-db="$work/d.db" --sqlite-busy-timeout=60000 --time=0.3 \
  --forced-shutdown=off --format=json >"$work/off" 2>"$work/off.err" &
waiting=$!
python3 -c 'import time; time.sleep(2)'
kill -0 $waiting || fail "off: ended though its statement had not: $(cat "$work/off.err")"
kill $holder
wait $waiting || fail "off: the run failed: $(cat "$work/off.err")"
out=$(<"$work/off")
json "r['points'][0]['unfinished'] == 0"
# What a limit of transactions ends lasts from the first one's begin to the last one's end: rates agree with latencies.
for _ in 1 2 3 4 5; do
  run 0 "$xtime" run noop --db-driver=null --events=5 --format=json
  json "r['points'][0]['tps'] * r['points'][0]['latency_ms']['avg'] / 1000 <= 1.001"
  json "r['points'][0]['cpu_share'] is None or r['points'][0]['cpu_share'] <= 1"
done
run 2 "$xtime" run noop --db-driver=null --forced-shutdown=never; says "--forced-shutdown" "never"

# A shell command is ended with all that it started.
printf '%s\n' '\shell sleep 300; true' >"$work/shell.sql"
begin=$SECONDS
run 1 "$xtime" run "$work/shell.sql" --db-driver=null --allow-shell --time=0.3 --forced-shutdown=1 --threads=2
[ $((SECONDS - begin)) -le 8 ] || fail "\\shell: took $((SECONDS - begin)) s"
says "2 transactions did not end"
if pgrep -f 'sleep 300; true' >"$work/left"; then fail "a shell command goes on: $(<"$work/left")"; fi

# PostgreSQL: the same with a table lock and the protocol's cancel.
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"
start_server || done_testing
server=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres --table-size=100)
run 0 "$xtime" prepare oltp_update_non_index "${server[@]}"
mkfifo "$work/sql"
"$pg_bin/psql" -qAt -h "$work/pg" -U tester -d postgres <"$work/sql" >"$work/psql" 2>&1 &
exec 7>"$work/sql"
echo "BEGIN; LOCK TABLE sbtest1; SELECT 'held';" >&7
await 20 grep -q held "$work/psql"
begin=$SECONDS
run 1 "$xtime" run oltp_update_non_index "${server[@]}" --time=1 --forced-shutdown=1 --threads=2 --format=json
[ $((SECONDS - begin)) -le 8 ] || fail "PostgreSQL: took $((SECONDS - begin)) s"
says "2 transactions did not end"
json "r['points'][0]['unfinished'] == 2 and r['points'][0]['transactions'] == 0"
exec 7>&-
stop_server
done_testing
