#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each header compiles alone, and twice in one file.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

read -ra compiler <<<"${CC:-cc}"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
count=0
while IFS= read -r header; do
	count=$((count + 1))
	printf '#include "%s"\n#include "%s"\nextern int xt_lint;\n' "${header#src/}" "${header#src/}" >"$scratch/header.c"
	if ! "${compiler[@]}" -std=gnu11 -fsyntax-only -Wall -Wextra -Werror -Isrc -I"$top_builddir" \
	     "$scratch/header.c" 2>"$scratch/messages"; then
		violation "$header: does not compile alone: $(head -n 3 "$scratch/messages" | tr '\n' ' ')"
	fi
done < <(find src -name '*.h' | LC_ALL=C sort)
[ "$count" -gt 0 ] || violation "src: no header found, so nothing was checked"
finish "$count headers"
