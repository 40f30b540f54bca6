#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Forks from a process with 8 calling threads: no child hangs, and what children call is counted as theirs.
# XTIME_TEST_FORKS: how many under each source.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build forks forks.c
for source in $fine $whole gettimeofday@600ns; do
	timeout 120 "$xtime" exec --impl="$source" --swap="$(swap_of "${source%%@*}")" -- "$scratch/forks" "${XTIME_TEST_FORKS:-20}" >/dev/null ||
		fail "$source: status $?"
done
# A thousand of them, counted: the children's calls exactly, whatever the parent's threads did meanwhile.
timeout 600 "$xtime" exec --count="$scratch/counts" -- "$scratch/forks" 1000 >"$scratch/calls" || fail "counted: status $?"
python=$(command -v python3) || skip "the rest needs python3"
"$python" - "$scratch/counts" "$(cat "$scratch/calls")" <<'END' || fail "counts of the children"
import json, sys
counts = json.load(open(sys.argv[1]))
parent = counts["processes"][0]
children = [p for p in counts["processes"] if p["pid"] != parent["pid"]]
calls = sum(p["calls"]["time"] for p in children)
print(len(children), "children", calls, "calls, wanted", sys.argv[2])
sys.exit(0 if len(children) == 1000 and calls == int(sys.argv[2]) else 1)
END
finish
