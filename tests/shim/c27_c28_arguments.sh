#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Arguments: NULL and others, time zones, ranges, errno (C27); bad pointers fail or fault as libc or the kernel has
# them and leave the shim whole (C28).
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build args args.c -ldl
"$scratch/args" >"$scratch/out" || fail "bare: $(cat "$scratch/out")"
for source in $fine $whole coarse+50ns; do
	kernel=
	case $source in syscall-gettimeofday | syscall-realtime | syscall-coarse) kernel=kernel ;; esac
	under "$source" "$scratch/args" $kernel >"$scratch/out" || fail "$source: $(cat "$scratch/out")"
done
finish
