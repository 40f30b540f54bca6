#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What spoils figures of the clock is said and recorded: a filter that answers the clock's system calls with EPERM, and a
# tracer. Values stay right under both.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# shellcheck disable=SC2086 # CC may hold options
${CC:-cc} -O2 "$top_srcdir/tests/cli/refuse.c" -o "$work/refuse" || { echo 'no compiler'; exit 77; }
"$work/refuse" true || { echo 'no seccomp filters here'; exit 77; }

run 0 "$work/refuse" "$xtime" clocks --time=0.3 --format=json
says 'refused'
json "r['refused'] is True"
json "not any(x['available'] for x in r['rows'] if x['path'] == 'syscall' and x['call'] in ('time', 'gettimeofday', 'clock-gettime-realtime'))"
json "any(x['available'] for x in r['rows'] if x['path'] == 'vdso')"
run 0 "$work/refuse" "$xtime" verify --time=0.3 --format=json
says 'refused'
json "r['refused'] is True and all(x['failures'] == 0 for x in r['rows'])"
run 0 "$work/refuse" "$xtime" coherence --impl=syscall-realtime --time=0.6 --format=json
says 'refused'
json "r['refused'] is True and all(x['backward_steps'] == 0 for x in r['rows'] if not x['info'])"
# Both arms are libc in truth: told by the count, in the record and in the table.
run 0 "$work/refuse" "$xtime" ab time_select --sqlite-db=:memory: --time=1 --warmup-time=0.2 --output="$work/ab.json"
says 'refused'
printf '%s\n' "$out" | tr '\n' ' ' | grep -qE '! [0-9]+ system calls for the clock were refused' || fail "no note: $out"
run 0 cat "$work/ab.json"
json "r['refused'] is True and r['fallbacks'] > 1000"

run 0 "$xtime" ab time_select --sqlite-db=:memory: --time=1 --warmup-time=0.2 --format=json
json "r['refused'] is False and r['fallbacks'] == 0 and r['host']['traced'] is False"

command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null || { echo 'strace cannot trace here'; exit 77; }
# The leak check cannot work under a tracer.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
run 0 strace -f -o /dev/null -e trace=none "$xtime" clocks --time=0.3 --format=json
says 'tracer'
json "r['host']['traced'] is True"
run 0 strace -f -o /dev/null -e trace=none "$xtime" ab time_select --sqlite-db=:memory: --time=1 --warmup-time=0.2 --format=json
says 'tracer'
json "r['host']['traced'] is True"

done_testing
