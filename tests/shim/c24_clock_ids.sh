#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Clock ids that the implementation does not swap go to the real call.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build ids ids.c
for source in $fine $whole; do
	under "$source" "$scratch/ids" >"$scratch/out" || fail "$source: $(cat "$scratch/out")"
done
finish
