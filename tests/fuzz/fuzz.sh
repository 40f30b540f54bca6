#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes the script language with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer: fuzz.sh [SECONDS [FOLDER]].
# New inputs and findings are kept in FOLDER (default: a new temporary one, printed).
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-60}
work=${2:-$(mktemp -d "${TMPDIR:-/tmp}/xtime-fuzz-XXXXXX")}
mkdir -p "$work/found"
clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	-I"$top/src" -I"$top/tests/unit" -o "$work/fuzz_script" \
	"$top"/tests/fuzz/fuzz_script.c "$top"/tests/unit/script_run.c "$top"/src/script/*.c \
	"$top"/src/base/{buf,err,num,rng,value}.c -lm
printf 'inputs and findings in %s\n' "$work"
cd "$work"
exec ./fuzz_script -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -close_fd_mask=3 \
	-print_final_stats=1 -artifact_prefix="$work/" "$work/found" "$top/tests/fuzz/corpus" "$top/workloads" \
	"$top/workloads/parts"
