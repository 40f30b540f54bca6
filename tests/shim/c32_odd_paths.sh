#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A path that LD_PRELOAD cannot hold is refused by name; a relative one works and survives a change of folder. Never a
# run without the shim.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

real=$top_builddir/.libs/libxtime.so
build calls calls.c
# refused FOLDER WORD: the program must not run, exit 2, the path and the word in the message.
refused()
{
	mkdir -p "$scratch/$1"
	cp "$real" "$scratch/$1/libxtime.so"
	XTIME_SHIM="$scratch/$1/libxtime.so" "$xtime" exec -- touch "$scratch/ran" 2>"$scratch/err"
	status=$?
	[ $status -eq 2 ] || fail "$1: status $status"
	[ ! -e "$scratch/ran" ] || fail "$1: the program ran"
	grep -qF "$scratch/$1/libxtime.so" "$scratch/err" || fail "$1: the path is not named: $(cat "$scratch/err")"
	grep -q "$2" "$scratch/err" || fail "$1: '$2' is not in: $(cat "$scratch/err")"
}
refused 'a b' blank
refused 'a:b' colon
# shellcheck disable=SC2016 # the loader would expand it
refused 'a$LIB' dollar

mkdir "$scratch/plain" "$scratch/elsewhere"
cp "$real" "$scratch/plain/"
cp "$top_builddir/xtime" "$scratch/plain/xtime"
(
	cd "$scratch/plain" || exit 1
	# Relative, and the child is somewhere else by the time it starts another program.
	XTIME_SHIM=./libxtime.so ./xtime exec --count=counts -- sh -c "cd ../elsewhere && $scratch/calls"
) || fail "relative XTIME_SHIM: status $?"
[ "$(count "$scratch/plain/counts" time)" = 1000 ] || fail "relative XTIME_SHIM: not counted"
# Beside the binary.
(unset XTIME_SHIM; "$scratch/plain/xtime" exec --count="$scratch/counts" -- "$scratch/calls") || fail "beside: status $?"
[ "$(count "$scratch/counts" time)" = 1000 ] || fail "beside the binary: not counted"
# As installed: bin/ and lib/xtime/.
mkdir -p "$scratch/prefix/bin" "$scratch/prefix/lib/xtime"
cp "$top_builddir/xtime" "$scratch/prefix/bin/"
cp "$real" "$scratch/prefix/lib/xtime/"
(unset XTIME_SHIM; "$scratch/prefix/bin/xtime" exec --count="$scratch/counts" -- "$scratch/calls") ||
	fail "installed: status $?"
[ "$(count "$scratch/counts" time)" = 1000 ] || fail "installed: not counted"
finish
