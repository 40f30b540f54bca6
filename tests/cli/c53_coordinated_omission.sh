#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A stall under an open loop shows in all transactions that it delayed; without a rate nothing is invented.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

stall() {
  "$xtime" run noop --db-driver=null --rand-seed=3 "$@" --output="$work/r.json" >"$work/.out" 2>"$work/.err" &
  pid=$!
  begun() { grep -q 'ctxt' "/proc/$pid/status" && [ "$(find "/proc/$pid/task" -maxdepth 1 -mindepth 1 | wc -l)" -ge 2 ]; }
  await 10 begun || return
  kill -STOP $pid
  python3 -c 'import time; time.sleep(1)'
  kill -CONT $pid
  wait $pid || fail "the run failed: $(cat "$work/.err")"
  out=$(cat "$work/r.json")
}
stall --rate=100 --pacing=regular --time=3
json "abs(r['points'][0]['rate']['intended'] - 100 * r['points'][0]['seconds']) <= 3 and r['points'][0]['transactions'] >= 280"
json "r['points'][0]['latency_ms']['max'] > 800 and r['points'][0]['latency_ms']['p99'] > 700"
json "r['points'][0]['service_ms']['p95'] < 100 and r['points'][0]['lag_ms']['max'] > 800"
printf '\\sleep 10 ms\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --time=0.5 --format=json
json "'rate' not in r['points'][0] and r['points'][0]['transactions'] <= 50"
done_testing
