#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# xtime coherence: libc's time() lags and is found to lag; the fine sources and `coherent` do not, also while a process
# is stopped and continued; file stamps; the record.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# C01: violations of libc's time(), each within two ticks after a boundary of the second.
run 0 "$xtime" coherence --impl=libc,gettimeofday,realtime --time=4.5 --format=json
json "r['schema'] == 'xtime.coherence/1' and len(r['rows']) == 3 * 3 * 16"
json "{x['scope'] for x in r['rows']} == {'thread', 'threads', 'processes'}"
json "all(x['info'] == (x['second'] == 'clock-gettime-realtime-coarse') for x in r['rows'])"
json "all(x['reads'] > 0 and x['boundaries'] >= 1 for x in r['rows'])"
json "all(x['backward_steps'] == 0 for x in r['rows'] if not x['info'])"
json "all(x['violations'] == 0 for x in r['rows'] if not x['info'] and x['implementation'] != 'libc')"
json "all(x['second'] == 'time' for x in r['rows'] if x['violations'] and not x['info'])"
json "all(x['violations'] > 0 for x in r['rows'] if x['info'] and x['first'] == 'gettimeofday')"
# Where libc's time() reads the fine clock there is nothing to find.
coarse=$("$xtime" coherence --impl=coarse,libc --time=0.9 --format=csv | grep -c '^libc,gettimeofday,time,.*,[1-9][0-9]*,[0-9.]*,0,false$')
if [ "$coarse" -gt 0 ]; then
  json "sum(x['violations'] for x in r['rows'] if x['implementation'] == 'libc' and x['second'] == 'time') > 0"
  json "max(x['max_lag_ms'] for x in r['rows'] if x['implementation'] == 'libc' and x['second'] == 'time') <= 2e-6 * r['host']['coarse_resolution_ns']"
fi

# The promise of `coherent`: four that mix, one of them stopped and continued now and then.
"$xtime" coherence --impl=coherent --threads=4 --time=4.5 --format=json >"$work/coherent.json" 2>"$work/coherent.err" &
pid=$!
while kill -0 "$pid" 2>/dev/null; do
  victim=$(pgrep -P "$pid" | head -n 1)
  kill -STOP "${victim:-$pid}" 2>/dev/null
  sleep 0.02
  kill -CONT "${victim:-$pid}" 2>/dev/null
  sleep 0.15
done
wait "$pid" || fail "coherent: exit $?: $(<"$work/coherent.err")"
run 0 cat "$work/coherent.json"
json "all(x['violations'] == 0 for x in r['rows'] if not x['info'])"
json "sum(x['reads'] for x in r['rows'] if x['first'] == 'gettimeofday' and x['second'] == 'time') > 10000"

run 0 "$xtime" coherence --impl=coherent --time=0.3 --file-stamps="$work" --histogram
printf '%s\n' "$out" | grep -qE '^  coherent: (coherent: no reading behind|nothing behind)' || fail "no verdict: $out"
printf '%s\n' "$out" | tr '\n' ' ' | grep -q 'file stamps on tmpfs: .* mtimes behind a clock reading' || fail "no stamps: $out"
printf '%s\n' "$out" | grep -qE '^ +<= ns +% of total +running % +count$' || fail "no histogram: $out"

# How old cached may be is stated, and held to: four readers on however few CPUs do not keep its ticker waiting.
run 0 "$xtime" coherence --impl=cached --time=3.6 --format=json
json "r['staleness']['cached']['kept'] is True and 0 <= r['staleness']['cached']['seen_ms'] and 2 <= r['staleness']['cached']['bound_ms'] <= 20"
run 0 "$xtime" coherence --impl=coarse --time=0.3 --format=json
json "'staleness' not in r"
"$xtime" exec --impl=cached --count="$work/counts" -- true || fail "exec"
grep -q '"bound_ms"' "$work/counts" || fail "no bound in the counts of exec"
for command in "verify --impl=cached --time=0.3" "clocks --time=0.1" "list implementations" \
  "ab oltp_time --sqlite-db=:memory: --table-size=100 --time=0.2 --cost-time=0.02 --warmup-time=0.05 --arms=libc,cached"; do
  # shellcheck disable=SC2086  # a command's words
  run 0 "$xtime" $command
  printf '%s\n' "$out" | grep -q 'cached.*at most [0-9.]* ms old' || fail "$command does not say how old cached may be: $out"
done

run 2 "$xtime" coherence --impl=libc,sundial
says sundial
run 2 "$xtime" coherence --threads=1
says --threads
run 2 "$xtime" coherence --time=abc
says abc

done_testing
