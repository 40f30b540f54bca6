#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Source text: a licence line and a purpose at the top, nothing unfinished, nothing switched off, tabs, 120 columns.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

mapfile -t c < <(c_files)
mapfile -t others < <(find tests scripts workloads doc -type f \( -name '*.sh' -o -name '*.awk' -o -path 'scripts/*' \
	-o -path 'workloads/*.sql' -o -path 'tests/bench/*.sql' \) 2>/dev/null | LC_ALL=C sort)
mapfile -t prose < <(find . -maxdepth 1 -name '*.md'; find doc workloads results -name '*.md' 2>/dev/null)

for file in "${c[@]}" "${others[@]}"; do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' ||
		violation "$file:1: no \"SPDX-License-Identifier: GPL-3.0-or-later\" in the first three lines"
done

# The opening comment goes on behind the licence line: what the file owns and must not do.
violations_from < <(awk '
	FNR == 1 { words = 0; open = 1 }
	open && FNR > 1 && FNR <= 12 { words += gsub(/[A-Za-z][A-Za-z]+/, "&") }
	open && (/\*\// || FNR == 12) {
		if (words < 3)
			printf "%s:%d: the opening comment does not say what the file is for\n", FILENAME, FNR
		open = 0
		nextfile
	}' "${c[@]}")

# The words are put together here so that this file does not match itself.
marks="TO""DO|FIX""ME|XX""X|HA""CK"
violations_from < <(grep -nHwE "$marks" "${c[@]}" "${others[@]}" "${prose[@]}" Makefile.am 2>/dev/null |
	sed 's/$/   (an unfinished mark)/')
violations_from < <(grep -nHE '^[[:space:]]*#[[:space:]]*if[[:space:]]+0\b' "${c[@]}" | sed 's/$/   (code switched off)/')
violations_from < <(grep -nHE '[[:space:]]+$' "${c[@]}" "${others[@]}" | sed 's/:[^:]*$/: blanks at the end of the line/')
violations_from < <(expand -t 8 --version >/dev/null 2>&1 && for file in "${c[@]}"; do
	expand -t 8 "$file" | awk -v file="$file" 'length($0) > 120 {
		printf "%s:%d: %d columns; at most 120 are allowed\n", file, NR, length($0) }'
done)
finish "${#c[@]} C files, ${#others[@]} others"
