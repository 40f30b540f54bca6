#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal handler at 1 kHz that reads the clock: right values under every source, and no call lost from the counts.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build signals signals.c -lrt
for source in $fine $whole gettimeofday@hpet; do
	timeout 60 "$xtime" exec --impl="$source" --count="$scratch/counts" -- "$scratch/signals" >"$scratch/out" ||
		fail "$source: status $?"
	[ "$(count "$scratch/counts" time)" = "$(cat "$scratch/out")" ] ||
		fail "$source: $(count "$scratch/counts" time) counted of $(cat "$scratch/out")"
done
finish
