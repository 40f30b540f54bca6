#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# coherent: no reading of time() behind an earlier gettimeofday() of any thread. Under libc there are such readings on
# kernels whose time() is coarse, which shows that the test can fail.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build mixed mixed.c
tsc=
[[ $fine == *tsc* ]] && tsc=tsc
for source in gettimeofday realtime $tsc; do
	got=$(under $source "$scratch/mixed" 1.5) || fail "$source: status $?"
	[ "$got" = 0 ] || fail "$source: $got violations"
done
# time() alone is swapped: gettimeofday() keeps the promise nevertheless.
got=$("$xtime" exec --impl=coherent -- "$scratch/mixed" 5) || fail "coherent: status $?"
[ "$got" = 0 ] || fail "coherent: $got violations"
got=$(under coherent "$scratch/mixed" 3) || fail "coherent, all swapped: status $?"
[ "$got" = 0 ] || fail "coherent, all swapped: $got violations"
got=$("$xtime" exec --impl=libc -- "$scratch/mixed" 3) || fail "libc: status $?"
if [ "$got" = 0 ]; then
	got=$("$xtime" exec --impl=coarse -- "$scratch/mixed" 3) || fail "coarse: status $?"
	[ "$got" -gt 0 ] || fail "no violation under libc or coarse: the test cannot fail"
fi
printf 'libc or coarse: %s violations\n' "$got"
finish
