#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A library loaded with RTLD_DEEPBIND goes past every preload. That cannot be helped; that its calls are missing shows.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build libdeep.so deep_library.c -shared -fPIC
build deep deep_main.c -ldl
"$xtime" exec --count="$scratch/counts" -- "$scratch/deep" "$scratch/libdeep.so" || fail "status $?"
got=$(count "$scratch/counts" time)
[ "$got" -ge 10 ] && [ "$got" -lt 1000 ] || fail "$got calls counted of 1,010"
finish
