#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The fuzz corpus and the shipped workloads through the fuzz target: no crash, no hang, every refusal with a message.
set -u
cd "${top_srcdir:?}/tests/fuzz/corpus" || exit 1
timeout 120 "${top_builddir:?}/fuzz_replay" ./* "$top_srcdir"/workloads/*.sql "$top_srcdir"/workloads/parts/*.sql 2>/dev/null |
	tail -n 1 | grep 'inputs replayed'
