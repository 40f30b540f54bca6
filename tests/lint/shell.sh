#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shell scripts parse, and are as shellcheck wants them.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

mapfile -t files < <(grep -rlE '^#!.*\bbash$|^# shellcheck shell=' .ci scripts tests 2>/dev/null | LC_ALL=C sort)
for file in "${files[@]}"; do
	bash -n "$file" 2>/dev/null || violation "$file: does not parse (bash -n)"
done
command -v shellcheck >/dev/null || { [ "$violations" -gt 0 ] && finish; skip "shellcheck is not installed: ${#files[@]} scripts only parsed"; }
violations_from < <(shellcheck -x -f gcc -S warning "${files[@]}")
finish "${#files[@]} scripts"
