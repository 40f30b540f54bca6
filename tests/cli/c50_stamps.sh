#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is called an epoch is the wall clock's; durations are not.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

before=$(date +%s)
printf '\\sleep 20 ms\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --events=20 --log --log-prefix="$work/log" --report-interval=0.2 \
  --progress-timestamp --format=pgbench
log=$(cat "$work"/log.*)
stamps=$(sed -n 's/^progress: \([0-9]*\)\..*/\1/p' <<<"$err")
run 0 "$xtime" run "$work/s.sql" --db-driver=null --events=60 --log --log-prefix="$work/sums" --aggregate-interval=1 --format=json
after=$(date +%s)
within() { [ "$1" -ge $((before - 1)) ] && [ "$1" -le $((after + 1)) ] || fail "$2: $1 is not within $before..$after"; }
[ "$(wc -l <<<"$log")" = 20 ] || fail "20 lines of log were expected: $log"
while read -r client number us script second fraction; do
  within "$second" "transaction log"
  [ "$client$script" = 00 ] && [ "$us" -ge 20000 ] && [ "$us" -lt 1000000 ] && [ "$fraction" -lt 1000000 ] || fail "odd line: $number $us"
done <<<"$log"
while read -r second count _; do
  within "$second" "aggregated log"
  total=$((${total:-0} + count))
done < <(cat "$work"/sums.*)
[ "$total" = 60 ] || fail "the aggregated log holds $total of 60 transactions"
[ "$(awk '{ print NF }' "$work"/sums.* | sort -u)" = 15 ] || fail "lines of the aggregated log do not have 15 fields"
[ -n "$stamps" ] || fail "no progress line: $err"
for s in $stamps; do within "$s" "progress line"; done
json "$before - 1 <= __import__('calendar').timegm(__import__('time').strptime(r['started'][:19], '%Y-%m-%dT%H:%M:%S')) <= $after + 1"
# Durations are not stamps: no second of the run, in any format, is near the time of day.
json "r['points'][0]['seconds'] < 1e6 and r['points'][0]['latency_ms']['max'] < 1e6"
done_testing
