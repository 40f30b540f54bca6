#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Both limits stand above the table, and the one that ended the run below it.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" run noop --db-driver=null --time=5 --events=100
case $out in *"time 5 s, events 100"*"ended by events"*) ;; *) fail "events: $out" ;; esac
printf '\\sleep 10 ms\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --time=0.2 --events=1000000 --output="$work/r.json"
case $out in *"ended by time"*) ;; *) fail "time: $out" ;; esac
run 0 "$xtime" run noop --db-driver=null --threads=3 --transactions=7 --format=json
json "r['points'][0]['transactions'] == 21 and r['points'][0]['ended_by'] == 'transactions'"
json "r['load']['time_s'] is None and r['load']['transactions_per_thread'] == 7"
run 1 "$xtime" run oltp_point_select --db-driver=null --null-fail=exec:5 --time=5 --threads=2 --exit-on-abort=off
says "statement 5 fails"
done_testing
