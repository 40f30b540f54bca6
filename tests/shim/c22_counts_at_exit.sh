#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Exactly 1,000 calls are counted as 1,000, however the program ends; what is not known is null, never 0.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build calls calls.c
for end in return:0 _exit:0 kill:137 abort:134; do
	"$xtime" exec --count="$scratch/counts" -- "$scratch/calls" 1000 "${end%:*}" >"$scratch/out" 2>&1
	status=$?
	[ "$status" -eq "${end#*:}" ] || fail "$end: status $status"
	for function in time gettimeofday clock_gettime timespec_get monotonic; do
		got=$(count "$scratch/counts" $function)
		[ "$got" = 1000 ] || fail "${end%:*}: $function counted '$got' times"
	done
	[ "$(count "$scratch/counts" ftime)" = 0 ] || fail "ftime was never called"
done
# Twice as many in two processes.
"$xtime" exec --count="$scratch/counts" -- sh -c "$scratch/calls 500; $scratch/calls 500 kill; exit 0" 2>/dev/null ||
	fail "two processes"
[ "$(count "$scratch/counts" time)" = 1000 ] || fail "two processes: $(count "$scratch/counts" time)"

if build_static=$(${CC:-cc} -D_GNU_SOURCE -static "$here/calls.c" -o "$scratch/static" 2>&1); then
	"$xtime" exec --count="$scratch/counts" -- "$scratch/static" 2>"$scratch/err" || fail "static: status $?"
	grep -q '"total": null' "$scratch/counts" || fail "static: total is not null"
	grep -q '"calls": null' "$scratch/counts" || fail "static: calls are not null"
	grep -q 'did not load' "$scratch/err" || fail "static: no warning"
else
	printf 'no static libc: %s\n' "$build_static"
fi
finish
