#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# CLOCK_MONOTONIC stays monotonic time under every source, and waits with its deadlines end when they should.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build waits waits.c
for source in $fine $whole gettimeofday@hpet; do
	under "$source" "$scratch/waits" >"$scratch/out-$source" &
done
for job in $(jobs -p); do
	wait "$job" || fail "$(cat "$scratch"/out-*)"
done
"$xtime" exec --impl=constant --swap="$all_functions" -- true 2>"$scratch/err"
status=$?
[ $status -eq 2 ] || fail "a frozen monotonic clock was not refused: status $status"
grep -q 'CLOCK_MONOTONIC' "$scratch/err" || fail "no reason: $(cat "$scratch/err")"
finish
