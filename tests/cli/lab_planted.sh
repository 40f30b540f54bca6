#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Planted plugins: each that is wrong is found and named by verify, coherence or the conformance run of clocks; the one
# that is right passes all three.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# shellcheck disable=SC2086 # CC may hold options
${CC:-cc} -O2 -fPIC -shared "$top_srcdir/tests/cli/planted.c" -o "$work/planted.so" || { echo 'no compiler'; exit 77; }
plugin=plugin:$work/planted.so

run 0 "$xtime" verify --time=0.5 --impl="$plugin:fine" --format=json
json "{x['call'] for x in r['rows'] if x['path'] == 'shim'} == {'time', 'gettimeofday', 'clock-gettime-realtime'}"
run 0 "$xtime" coherence --time=3 --impl="$plugin:fine"
printf '%s\n' "$out" | tr '\n' ' ' | grep -q 'coherent: no reading behind' || fail "fine is not coherent: $out"
run 0 "$xtime" clocks --time=0.3 --impl="$plugin:fine" --format=json
json "all(x['wrong'] is None for x in r['rows'])"
json "len([x for x in r['rows'] if x['path'] == 'shim' and x['ns'] > 0]) == 3"

for symbol in lags ahead steps; do
  run 1 "$xtime" coherence --time=3 --impl="$plugin:$symbol"
  printf '%s\n' "$out" | tr -d '\n ' | grep -q "$symbol:WRONG" || fail "coherence does not name $symbol: $out"
done
for symbol in ahead steps; do
  run 1 "$xtime" verify --time=1 --impl="$plugin:$symbol" --format=json
  json "any(x['failures'] for x in r['rows'] if x['path'] == 'shim')"
  json "not any(x['failures'] for x in r['rows'] if x['path'] != 'shim')"
done
for symbol in lags ahead steps fails; do
  run 1 "$xtime" clocks --time=0.3 --impl="$plugin:$symbol" --format=json
  json "any(x['wrong'] for x in r['rows'] if x['path'] == 'shim' and x['source'].endswith(':$symbol'))"
  json "all(x['ns'] > 0 for x in r['rows'] if x['path'] == 'shim')"
done
json "'fork' in [x['wrong'] for x in r['rows'] if x['path'] == 'shim'][0]"
run 1 "$xtime" clocks --time=0.3 --impl="$plugin:ahead"
printf '%s\n' "$out" | tr '\n' ' ' | grep -q 'WRONG: time by shim plugin:' || fail "clocks does not name it: $out"

# One that never comes back after fork() hangs nobody, and leaves no process behind.
run 1 "$xtime" coherence --time=0.6 --threads=2 --impl="$plugin:fails"
says 'does not come back'
run 1 "$xtime" verify --time=0.3 --impl="$plugin:fails"
printf '%s\n' "$out" | grep -q 'does not come back' || fail "verify does not say that it hangs: $out"
left=$(pgrep -f "xtime .*$work/planted.so") && fail "left behind: $left"

run 2 "$xtime" verify --impl="$plugin:nothing"
says nothing
run 2 "$xtime" coherence --impl=libc,libc
says libc twice

done_testing
