#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SQLite in memory: oltp_read_write against the same transaction as a bare loop; read-only on two threads against one.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

floor=$top_builddir/bench_sqlite_raw
needs "$floor" python3

# The bare loop writes one constant text over c, so that after some seconds most of its rows are equal and its ORDER BY
# and DISTINCT ranges cheap: 10,800 transactions a second over its first 0.2 s, 13,900 over 5 s. So the comparison lets
# xtime write that constant too; the shipped workload's random texts are shown beside it.
constant=$scratch/constant
constant_texts "$constant"

ratios=() shipped=()
for ((pair = 0; pair < pairs; pair++)); do
	own=$(XTIME_WORKLOADS=$constant run_tps oltp_read_write --rand-type=uniform --sqlite-db=:memory: --threads=1 \
		--time="$seconds") || broken 'xtime run oltp_read_write'
	random=$(run_tps oltp_read_write --rand-type=uniform --sqlite-db=:memory: --threads=1 --time="$seconds") ||
		broken 'xtime run oltp_read_write'
	peer=$("$floor" :memory: "$seconds" | awk '$1 == "tps" { print $2 }')
	[ -n "$peer" ] || broken 'bench_sqlite_raw printed no figure'
	ratios+=("$(divide "$own" "$peer")")
	shipped+=("$(divide "$random" "$peer")")
	printf 'oltp_read_write: xtime %.0f/s (random texts %.0f/s), bare loop %.0f/s\n' "$own" "$random" "$peer"
done
goal 'oltp_read_write in memory over the bare loop, same texts' "$(median "${ratios[@]}")" least 0.95
printf 'with random texts over the bare loop: %s\n' "$(median "${shipped[@]}")"

ratios=()
for ((pair = 0; pair < pairs; pair++)); do
	one=$(run_tps oltp_read_only --sqlite-db=:memory: --threads=1 --time="$seconds") || broken 'xtime run oltp_read_only'
	two=$(run_tps oltp_read_only --sqlite-db=:memory: --threads=2 --time="$seconds") || broken 'xtime run oltp_read_only'
	ratios+=("$(divide "$two" "$one")")
	printf 'oltp_read_only: one thread %.0f/s, two %.0f/s\n' "$one" "$two"
done
goal 'oltp_read_only, two threads over one' "$(median "${ratios[@]}")" least 1.7
finish
