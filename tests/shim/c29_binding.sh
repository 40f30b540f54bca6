#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# However a program is linked, its calls come to the shim, and from there to where the source says: counted by the
# shim, and by strace as far as the kernel sees them.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

for pie in -pie -no-pie; do
	for bind in lazy now; do
		for level in -O0 -O2; do
			name=calls$pie-$bind$level
			code=-fPIE
			[ $pie = -no-pie ] && code=-fno-PIE
			build "$name" calls.c $code $pie -Wl,-z,$bind $level
			"$xtime" exec --count="$scratch/counts" -- "$scratch/$name" || fail "$name: status $?"
			for function in time gettimeofday clock_gettime timespec_get monotonic; do
				got=$(count "$scratch/counts" $function)
				[ "$got" = 1000 ] || fail "$name: $function counted '$got' times"
			done
		done
	done
done

strace -c true 2>/dev/null || skip "strace cannot trace here"
# calls_of PROGRAM…: how many of each system call, as "name count" lines.
calls_of()
{
	strace -f -c -e trace=time,gettimeofday,clock_gettime -o "$scratch/strace" "$@" 2>/dev/null || fail "strace $*"
	awk '$NF ~ /^(time|gettimeofday|clock_gettime)$/ { print $NF, $4 }' "$scratch/strace"
}
# The program checks every value by a clock_gettime of its own: 4,000 of them are not the shim's.
under_strace()
{
	calls_of "$xtime" exec --impl="$1" --swap="$(swap_of "$1")" -- "$scratch/calls-pie-lazy-O2" | sed -n "s/^$2 //p"
}
got=$(under_strace syscall-realtime clock_gettime)
[ "${got:-0}" -ge 9000 ] || fail "syscall-realtime: $got calls of clock_gettime"
got=$(under_strace syscall-gettimeofday gettimeofday)
[ "${got:-0}" -ge 2000 ] || fail "syscall-gettimeofday: $got calls of gettimeofday"
case $(uname -m) in
x86_64)
	got=$(under_strace syscall-time time)
	[ "${got:-0}" -ge 1000 ] || fail "syscall-time: $got calls of time"
	got=$(under_strace vdso-time time)
	[ "${got:-0}" -eq 0 ] || fail "vdso-time: $got calls of time"
	got=$(under_strace coherent clock_gettime)
	[ "${got:-0}" -lt 5000 ] || fail "coherent: $got calls of clock_gettime"
	;;
esac
finish
