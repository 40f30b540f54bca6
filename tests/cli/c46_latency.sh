#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Latency is that of transactions; statements are counted as the script has them; busy threads fill the time.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" run oltp_point_select --table-size=100 --events=2000 --format=json
json "r['points'][0]['queries']['total'] == 2000"
run 0 "$xtime" run oltp_read_write --table-size=1000 --rand-type=uniform --events=200 --format=json
json "r['points'][0]['queries'] == {'read': 2800, 'write': 800, 'other': 400, 'total': 4000}"
run 0 "$xtime" run oltp_point_select --table-size=100 --events=100 --percentiles=50
case $out in *"statements per transaction: 1;"*) ;; *) fail "statements per transaction are not told: $out" ;; esac
case $out in *"transaction latency:"*) ;; *) fail "it is not said whose latency it is" ;; esac
printf '\\sleep 3 ms\n' >"$work/busy.sql"
run 0 "$xtime" run "$work/busy.sql" --db-driver=null --time=1 --threads=2 --format=json
json "abs(r['points'][0]['latency_ms']['sum'] / 1000 / (2 * r['points'][0]['seconds']) - 1) < 0.03"
# However short: its time begins when its first transaction does, not when somebody looks.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  run 0 "$xtime" run select-only --db-driver=null --events=100 --format=json
  json "0 < r['points'][0]['latency_ms']['sum'] <= r['points'][0]['seconds'] * 1e3"
done
done_testing
