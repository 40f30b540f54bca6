#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The four lines of `clocks --format=lkml2018` against a plain loop that shares no code with it, in turn on one CPU. Short
# turns, three for each of PAIRS, and each the other way round than the one before: a guest's CPU has a slow state of
# seconds while its neighbour is busy, and either side would meet it alone.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

loop=$top_builddir/bench_clock_loop
needs "$loop" taskset
cpu=$(taskset -pc $$ | sed 's/.*[-, ]//')
turns=$((3 * pairs))
each=$(divide "$seconds" 6)

# figures FILE: the four numbers, "nan" for n/t.
figures()
{
	sed -n 's/^[a-z]* [a-z]*: *\([0-9.]*\)ns$/\1/p; s/^[a-z]* [a-z]*: *n\/t$/nan/p' "$1"
}

run_loop()
{
	taskset -c "$cpu" "$loop" "$each" >"$scratch/loop.$1" || skip "no vDSO to look up"
}

run_xtime()
{
	taskset -c "$cpu" "$xtime" clocks --format=lkml2018 --time="$each" >"$scratch/xtime.$1" 2>"$scratch/stderr" ||
		broken 'xtime clocks failed'
}

for ((turn = 0; turn < turns; turn++)); do
	[ $((turn % 2)) -eq 1 ] || run_loop "$turn"
	run_xtime "$turn"
	[ $((turn % 2)) -eq 0 ] || run_loop "$turn"
done
row=0
for name in 'vdso hires' 'vdso coarse' 'sysc hires' 'sysc coarse'; do
	row=$((row + 1))
	distances=() loops=() xtimes=()
	for ((turn = 0; turn < turns; turn++)); do
		a=$(figures "$scratch/loop.$turn" | sed -n "${row}p")
		b=$(figures "$scratch/xtime.$turn" | sed -n "${row}p")
		loops+=("$a") xtimes+=("$b")
		# In units of what is allowed: 5 % or 0.5 ns, whichever is more.
		distances+=("$(awk -v a="$a" -v b="$b" 'BEGIN { l = a * 0.05; if (l < 0.5) l = 0.5; printf "%.4f\n", (b - a) / l }')")
	done
	middle=$(median "${distances[@]}")
	goal "$name, distance from a plain loop in units of 5 % or 0.5 ns" "${middle#-}" most 1 \
		"medians: loop $(median "${loops[@]}"), xtime $(median "${xtimes[@]}"), $turns turns"
done
finish
