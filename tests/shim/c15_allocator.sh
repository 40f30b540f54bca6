#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An allocator that reads the clock inside its first allocation, before and behind the shim in the preload list: one
# made for the purpose, and those that are installed.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build liballocator.so allocator.c -shared -fPIC -fno-builtin
build forks forks.c
shim=$top_builddir/.libs/libxtime.so
mapfile -t installed < <(ldconfig -p 2>/dev/null | sed -n 's/.*x86-64.* => \(.*lib\(jemalloc\|mimalloc\|tcmalloc\)\.so\.[0-9]*\)$/\1/p')
for allocator in "$scratch/liballocator.so" "${installed[@]}"; do
	for source in $fine $whole constant; do
		for preload in "$shim:$allocator" "$allocator:$shim"; do
			export XTIME_IMPL=$source XTIME_SWAP
			XTIME_SWAP=$(swap_of "$source")
			[ "$source" = constant ] && XTIME_SWAP=time,gettimeofday,clock_gettime
			LD_PRELOAD=$preload timeout 20 true || fail "true under $source, $preload: status $?"
			got=$(LD_PRELOAD=$preload timeout 20 date +%Y) || fail "date under $source, $preload: status $?"
			[ "$got" = "$(date +%Y)" ] || fail "date under $source, $preload: '$got'"
		done
	done
	# Threads and forks, and a page: what the shim counts has nothing to do with memory.
	LD_PRELOAD=$allocator timeout 60 "$xtime" exec --impl=coherent --count="$scratch/counts" -- "$scratch/forks" 20 \
		>/dev/null || fail "threads under $allocator: status $?"
	[ "$(count "$scratch/counts" time)" -gt 200 ] || fail "$allocator: nothing counted"
done
printf '%d allocators\n' $((1 + ${#installed[@]}))
finish
