#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SQLite in memory: oltp_read_write against the same transaction as a bare loop; read-only on two threads against one.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

floor=$top_builddir/bench_sqlite_raw
needs "$floor" python3

# The bare loop writes one constant text over c, so that row by row its ranges become equal and its ORDER BY and DISTINCT
# cheap: after 0.1 s a fifth of its rows, after 0.3 s half of them, after seconds nearly all. So the shipped workload is
# held against its first 0.1 s, in as many more pairs, and for longer with that constant text in xtime too.
constant=$scratch/constant
constant_texts "$constant"

read_write()
{
	run_tps oltp_read_write --rand-type=uniform --sqlite-db=:memory: --threads=1 --time="$1"
}

bare_loop()
{
	"$floor" :memory: "$1" | awk '$1 == "tps" { print $2; found = 1 } END { exit !found }'
}

ratios=()
for ((pair = 0; pair < 8 * pairs; pair++)); do
	own=$(read_write 0.1) || broken 'xtime run oltp_read_write'
	peer=$(bare_loop 0.1) || broken 'bench_sqlite_raw printed no figure'
	ratios+=("$(divide "$own" "$peer")")
done
goal 'oltp_read_write in memory over the bare loop, 0.1 s each' "$(median "${ratios[@]}")" least 0.95

ratios=() shipped=()
for ((pair = 0; pair < pairs; pair++)); do
	own=$(XTIME_WORKLOADS=$constant read_write "$seconds") || broken 'xtime run oltp_read_write'
	random=$(read_write "$seconds") || broken 'xtime run oltp_read_write'
	peer=$(bare_loop "$seconds") || broken 'bench_sqlite_raw printed no figure'
	ratios+=("$(divide "$own" "$peer")")
	shipped+=("$(divide "$random" "$peer")")
	printf 'oltp_read_write: xtime %.0f/s (random texts %.0f/s), bare loop %.0f/s\n' "$own" "$random" "$peer"
done
goal 'oltp_read_write in memory over the bare loop, same texts' "$(median "${ratios[@]}")" least 0.95
printf 'with random texts over the bare loop, %s s each: %s\n' "$seconds" "$(median "${shipped[@]}")"

ratios=()
for ((pair = 0; pair < pairs; pair++)); do
	one=$(run_tps oltp_read_only --sqlite-db=:memory: --threads=1 --time="$seconds") || broken 'xtime run oltp_read_only'
	two=$(run_tps oltp_read_only --sqlite-db=:memory: --threads=2 --time="$seconds") || broken 'xtime run oltp_read_only'
	ratios+=("$(divide "$two" "$one")")
	printf 'oltp_read_only: one thread %.0f/s, two %.0f/s\n' "$one" "$two"
done
goal 'oltp_read_only, two threads over one' "$(median "${ratios[@]}")" least 1.7
finish
