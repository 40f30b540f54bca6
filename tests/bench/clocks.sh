#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The four lines of `clocks --format=lkml2018` against a plain loop that shares no code with it, five pairs in turn on
# one CPU; what the sources of the shim cost beside each other; and emulated reads as an ordinary program sees them.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

loop=$top_builddir/bench_clock_loop
needs "$loop" taskset python3
cpu=$(taskset -pc $$ | sed 's/.*[-, ]//')

# figures FILE: the four numbers, "nan" for n/t.
figures()
{
	sed -n 's/^[a-z]* [a-z]*: *\([0-9.]*\)ns$/\1/p; s/^[a-z]* [a-z]*: *n\/t$/nan/p' "$1"
}

for ((pair = 0; pair < pairs; pair++)); do
	taskset -c "$cpu" "$loop" "$seconds" >"$scratch/loop.$pair" || skip "no vDSO to look up"
	taskset -c "$cpu" "$xtime" clocks --format=lkml2018 --time="$seconds" >"$scratch/xtime.$pair" 2>"$scratch/stderr" ||
		broken 'xtime clocks failed'
done
row=0
for name in 'vdso hires' 'vdso coarse' 'sysc hires' 'sysc coarse'; do
	row=$((row + 1))
	distances=()
	for ((pair = 0; pair < pairs; pair++)); do
		a=$(figures "$scratch/loop.$pair" | sed -n "${row}p")
		b=$(figures "$scratch/xtime.$pair" | sed -n "${row}p")
		# In units of what is allowed: 5 % or 0.5 ns, whichever is more.
		distances+=("$(awk -v a="$a" -v b="$b" 'BEGIN { d = b - a; if (d < 0) d = -d; l = a * 0.05; if (l < 0.5) l = 0.5; printf "%.4f\n", d / l }')")
	done
	goal "$name, distance from a plain loop in units of 5 % or 0.5 ns" "$(median "${distances[@]}")" most 1 \
		"last: loop $a, xtime $b"
done

"$xtime" clocks --time=$((seconds * 2)) --format=json >"$scratch/record" 2>"$scratch/stderr" || broken 'xtime clocks failed'
cost()
{
	python3 -c '
import json, sys
for x in json.load(open(sys.argv[1]))["rows"]:
    if x["path"] == "shim" and x["source"] == sys.argv[2] and x["call"] == sys.argv[3]:
        print(x["ns"])' "$scratch/record" "$1" "$2"
}
goal 'coherent over vdso-time, time(), ns' "$(minus "$(cost coherent time)" "$(cost vdso-time time)")" most 3
goal 'coherent over gettimeofday, gettimeofday(), ns' \
	"$(minus "$(cost coherent gettimeofday)" "$(cost gettimeofday gettimeofday)")" most 2

probe=$top_builddir/bench_time_cost
needs "$probe"
for ns in 100 600 1000 5000; do
	seen=()
	for ((pair = 0; pair < pairs; pair++)); do
		seen+=("$("$xtime" exec --impl="gettimeofday@${ns}ns" -- "$probe" 2>"$scratch/stderr" | awk '$1 == "ns" { print $2 }')")
	done
	ratio=$(divide "$(median "${seen[@]}")" "$ns")
	goal "gettimeofday@${ns}ns as a program sees it, over $ns" "$ratio" most 1.1
	goal "gettimeofday@${ns}ns as a program sees it, over $ns" "$ratio" least 0.9
done
finish
