#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Another library's constructor asks for the time before ours has run: right values under every source.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build libearly.so early_library.c -shared -fPIC
build early early_main.c -L"$scratch" -learly -Wl,-rpath,"$scratch" -Wl,--no-as-needed
for source in $fine $whole constant gettimeofday@hpet coherent+100ns; do
	under "$source" "$scratch/early" 2>"$scratch/err" || fail "$source: $(cat "$scratch/err")"
done
# Also with a page, and where the loader binds everything at once.
LD_BIND_NOW=1 "$xtime" exec --count="$scratch/counts" -- "$scratch/early" || fail "with a page"
[ "$(count "$scratch/counts" time)" ] || fail "no counts"
finish
