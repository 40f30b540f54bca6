#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The generator's own loop: noop on the null driver against sysbench's empty event, in turn.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

needs sysbench python3

sysbench_tps()
{
	sysbench "$bench_dir/empty.lua" --threads="$1" --time="$seconds" run 2>"$scratch/stderr" |
		awk -F '[(: ]+' '/total number of events/ { events = $NF } /total time:/ { sub(/s$/, "", $NF); time = $NF }
			END { if (time > 0) printf "%.1f\n", events / time }'
}

# Intervals, histogram and per-statement figures. One thread: a second one would fight the reporter for a CPU.
everything=(--report-interval=1 --histogram --report-per-command)

declare -A ratios
scaling=() costs=()
# What is compared runs next to each other: a spell of the machine lasts seconds.
for ((pair = 0; pair < pairs; pair++)); do
	for threads in 1 2; do
		own=$(run_tps noop --db-driver=null --threads=$threads --time="$seconds") || broken 'xtime run noop'
		peer=$(sysbench_tps $threads)
		[ -n "$peer" ] || broken 'sysbench printed no figure'
		ratios[$threads]+=" $(divide "$own" "$peer")"
		printf '%d thread(s): xtime %.0f/s, sysbench %.0f/s\n' "$threads" "$own" "$peer"
	done
	one=$(run_tps noop --db-driver=null --threads=1 --time="$seconds") || broken 'xtime run noop'
	two=$(run_tps noop --db-driver=null --threads=2 --time="$seconds") || broken 'xtime run noop'
	scaling+=("$(divide "$two" "$one")")
	plain=$(run_tps noop --db-driver=null --threads=1 --time="$seconds") || broken 'xtime run noop'
	full=$(run_tps noop --db-driver=null --threads=1 --time="$seconds" "${everything[@]}") || broken 'xtime run noop'
	costs+=("$(divide "$full" "$plain")")
	printf 'xtime: 1 thread %.0f/s, 2 threads %.0f/s; plain %.0f/s, everything measured %.0f/s\n' "$one" "$two" "$plain" "$full"
done
for threads in 1 2; do
	# shellcheck disable=SC2086 # lists
	goal "noop over sysbench's empty event, $threads thread(s)" "$(median ${ratios[$threads]})" least 2
done
goal 'noop, two threads over one' "$(median "${scaling[@]}")" least 1.8
goal 'noop, everything measured over plain' "$(median "${costs[@]}")" least 0.9
finish
