# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the lints: where the tree is, how a violation is told, how a lint ends. To be sourced.
# shellcheck shell=bash

set -u
: "${top_srcdir:?is set by make check}" "${top_builddir:?is set by make check}"
top_builddir=$(cd "$top_builddir" && pwd)
cd "$top_srcdir" || exit 99
violations=0

# Reads violations, one a line ("file:line: what, and what is allowed").
violations_from()
{
	local line
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		printf '%s\n' "$line"
		violations=$((violations + 1))
	done
}

violation()
{
	printf '%s\n' "$*"
	violations=$((violations + 1))
}

skip()
{
	printf 'SKIP: %s\n' "$*"
	exit 77
}

finish()
{
	local name
	name=$(basename "$0" .sh)
	if [ "$violations" -gt 0 ]; then
		printf 'lint %s: %d violation(s); the file named in front of each is the one to mend\n' "$name" "$violations"
		exit 1
	fi
	printf 'lint %s: ok (%s)\n' "$name" "$*"
	exit 0
}

# The C files of the product, and of the product and its tests.
product_files()
{
	find src -name '*.[ch]' | LC_ALL=C sort
}

c_files()
{
	find src tests doc -name '*.[ch]' 2>/dev/null | LC_ALL=C sort
}

# Rows of a table FILE without comments and blank lines.
rows()
{
	sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$1"
}
