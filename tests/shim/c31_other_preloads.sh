#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Other entries of LD_PRELOAD stay, in order, and are mapped; no stray separator where there were none.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build libother.so early_library.c -shared -fPIC
build libmore.so early_library.c -shared -fPIC
shim='[^ :]*/libxtime\.so'
preload_of()
{
	"$xtime" exec --impl=coarse -- env | sed -n 's/^LD_PRELOAD=//p'
}
got=$(unset LD_PRELOAD; preload_of)
[[ $got =~ ^$shim$ ]] || fail "unset before: '$got'"
got=$(LD_PRELOAD='' preload_of)
[[ $got =~ ^$shim$ ]] || fail "empty before: '$got'"
got=$(LD_PRELOAD=' : ' preload_of)
[[ $got =~ ^$shim$ ]] || fail "separators only before: '$got'"
got=$(LD_PRELOAD="$scratch/libother.so:$scratch/libmore.so" preload_of)
[[ $got =~ ^$shim:$scratch/libother\.so:$scratch/libmore\.so$ ]] || fail "two before: '$got'"
got=$(LD_PRELOAD="$scratch/libother.so $scratch/libmore.so" preload_of)
[[ $got =~ ^$shim:$scratch/libother\.so:$scratch/libmore\.so$ ]] || fail "a blank between: '$got'"
maps=$(LD_PRELOAD="$scratch/libother.so" "$xtime" exec --impl=coarse -- cat /proc/self/maps)
[[ $maps == *"$scratch/libother.so"* ]] || fail "the other library is not mapped"
[[ $maps == */libxtime.so* ]] || fail "the shim is not mapped"
# Nested: once is enough.
got=$("$xtime" exec -- "$xtime" exec --impl=coarse -- env | sed -n 's/^LD_PRELOAD=//p')
[[ $got =~ ^$shim$ ]] || fail "nested: '$got'"
finish
