#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the tree has, the tarball has: every source, test, workload and document is named in Makefile.am.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

count=0
while IFS= read -r file; do
	count=$((count + 1))
	grep -qE "(^|[[:space:]/=])${file//./\\.}([[:space:]]|\$)" Makefile.am && continue
	folder=$(dirname "$file")
	while [ "$folder" != . ]; do
		grep -qE "^EXTRA_DIST .*[[:space:]]$folder([[:space:]]|\$)" Makefile.am && continue 2
		folder=$(dirname "$folder")
	done
	violation "$file: not named in Makefile.am, so it would be missing from the tarball"
done < <(find src tests workloads doc scripts -type f ! -name '*.o' ! -name '*.lo' ! -name '*.log' ! -name '*.trs' ! -path '*/.*' 2>/dev/null | LC_ALL=C sort)
finish "$count files"
