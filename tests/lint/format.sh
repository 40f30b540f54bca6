#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# C files are as clang-format leaves them.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

mapfile -t files < <(c_files)
command -v clang-format >/dev/null || skip "clang-format is not installed: ${#files[@]} files not checked"
violations_from < <(clang-format --dry-run "${files[@]}" 2>&1 |
	sed -n 's/^\([^ ]*:[0-9]*\):[0-9]*: warning: code should be clang-formatted.*/\1: not as clang-format leaves it/p' |
	awk -F : '!seen[$1]++')
finish "${#files[@]} files"
