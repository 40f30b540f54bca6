#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Files, functions and parameter lists stay small.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

mapfile -t files < <(c_files)
violations_from < <(awk -f tests/lint/strip.awk -f tests/lint/sizes.awk "${files[@]}")
finish "${#files[@]} files"
