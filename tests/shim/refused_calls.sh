#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A kernel or a filter that refuses the clock's system calls: libc answers, errno is kept, and it is counted.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build refused refused.c
"$scratch/refused" || { [ $? -eq 77 ] && skip "no seccomp filters here"; fail "the program alone"; }
three=time,gettimeofday,clock_gettime
for error in EPERM ENOSYS; do
	for source in syscall-gettimeofday:$three:300 syscall-realtime:$three:300 syscall-coarse:$three:300 \
		syscall-time:time:100 gettimeofday:$three:0 coherent:$three:0; do
		IFS=: read -r arm swap wanted <<<"$source"
		"$xtime" exec --impl="$arm" --swap="$swap" --count="$scratch/counts" -- "$scratch/refused" $error \
			>"$scratch/out" || fail "$arm $error: status $? $(cat "$scratch/out")"
		got=$(sed -n 's/.*"fallbacks": \([0-9]*\).*/\1/p' "$scratch/counts")
		[ "$got" = "$wanted" ] || fail "$arm $error: $got fallbacks, wanted $wanted"
	done
done
finish
