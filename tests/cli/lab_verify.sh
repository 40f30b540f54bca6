#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# xtime verify: the machine's clocks and the shim's implementations are right; the record; bad input.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

run 0 "$xtime" verify --time=1 --output="$work/v.json"
printf '%s\n' "$out" | grep -qE '^vdso +[0-9]+ +[0-9]+ +[0-9]+ +0 +right$' || fail "no right vdso row: $out"
printf '%s\n' "$out" | grep -q WRONG && fail "something is WRONG: $out"

run 0 cat "$work/v.json"
json "r['schema'] == 'xtime.verify/1'"
json "{x['check'] for x in r['rows']} == {'bracket', 'bracket-migrating', 'normalised', 'monotonic', 'monotonic-threads', 'arguments'}"
json "{'time', 'gettimeofday', 'getcpu', 'clock-getres-realtime'} <= {x['call'] for x in r['rows']}"
json "sum(x['tried'] for x in r['rows'] if x['check'] == 'bracket') > 1000"
json "all(x['failures'] == 0 for x in r['rows'])"
json "not any(x['source'] == 'constant' for x in r['rows'])"

run 0 "$xtime" verify --time=0.3 --format=vdsotest
[ -z "$out" ] || fail "a good run prints something: $out"

run 0 "$xtime" verify --time=0.3 --impl=coherent@1000ns --format=json
json "{x['source'] for x in r['rows'] if x['path'] == 'shim'} == {'coherent@1000ns'}"

# A clock that stands still is found, under each function that it serves.
run 1 "$xtime" verify --time=0.5 --impl=constant --format=json
json "{x['call'] for x in r['rows'] if x['failures'] and x['check'] == 'bracket'} >= {'gettimeofday', 'clock-gettime-realtime'}"
json "all(x['source'] == 'constant' for x in r['rows'] if x['failures'])"
run 1 "$xtime" verify --time=0.5 --impl=constant --format=vdsotest
printf '%s\n' "$out" | grep -qE '^gettimeofday/verify: [0-9]+ failures/inconsistencies encountered' || fail "vdsotest's words: $out"

run 2 "$xtime" verify --max-failures=0
says --max-failures 0
run 2 "$xtime" verify --threads=1
says --threads
run 2 "$xtime" verify --impl=libc@hpet@hpet
says libc@hpet@hpet

done_testing
