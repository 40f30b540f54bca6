#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the sources of the shim cost beside each other, and what emulated ones cost an ordinary program: alone, added to,
# with all CPUs busy, and from two threads at once, where one device serves both and where each has its own.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

probe=$top_builddir/bench_time_cost
reader=$scratch/read_cost
needs "$probe" python3 "${CC:-cc}"
"${CC:-cc}" -O2 -pthread -o "$reader" "$top_srcdir/tests/shim/read_cost.c" 2>"$scratch/stderr" || broken 'read_cost does not build'

# Sources, through the shim's own code. A record's rows are interleaved, so that they are compared within it; over the
# records the median of what was found. `constant` is no clock.
for ((pair = 0; pair < pairs; pair++)); do
	"$xtime" clocks --time="$seconds" --format=json >"$scratch/record.$pair" 2>"$scratch/stderr" || broken 'xtime clocks failed'
done
python3 - "$scratch"/record.* >"$scratch/costs" <<'END' || broken 'no costs in the records'
import json, statistics, sys
records = []
for name in sys.argv[1:]:
    records.append({(x["call"], x["source"]): x["ns"] for x in json.load(open(name))["rows"]
                    if x["path"] == "shim" and x["ns"] is not None})
def median(f):
    return statistics.median(map(f, records))
print(median(lambda r: r["time", "coherent"] - r["time", "vdso-time"]),
      median(lambda r: r["gettimeofday", "coherent"] - r["gettimeofday", "gettimeofday"]))
others = [s for c, s in records[0] if c == "time" and s not in ("cached", "constant")]
ratio = {s: median(lambda r: r["time", "cached"] / r["time", s]) for s in others}
next_one = max(ratio, key=ratio.get)
print(ratio[next_one], "cached", median(lambda r: r["time", "cached"]), "ns,", next_one, median(lambda r: r["time", next_one]), "ns")
END
{
	read -r time gettimeofday
	read -r ratio detail
} <"$scratch/costs"
goal 'coherent over vdso-time, time(), ns' "$time" most 3
goal 'coherent over gettimeofday, gettimeofday(), ns' "$gettimeofday" most 2
goal 'cached over the next cheapest correct source, time()' "$ratio" most 1 "$detail"

# seen ARM: what the probe sees.
seen()
{
	"$xtime" exec --impl="$1" -- "$probe" 2>"$scratch/stderr" | awk '$1 == "median" { print $2 }'
}

# within NAME VALUE PERCENT
within()
{
	goal "$1" "$2" least "$(awk -v p="$3" 'BEGIN { print 1 - p / 100 }')"
	goal "$1" "$2" most "$(awk -v p="$3" 'BEGIN { print 1 + p / 100 }')"
}

# What is added is a difference of neighbours: the plain read itself is half as dear again in a machine's slow spells.
for ns in 100 600 1000 5000; do
	values=() added=()
	for ((pair = 0; pair < pairs; pair++)); do
		values+=("$(divide "$(seen "gettimeofday@${ns}ns")" "$ns")")
		added+=("$(divide "$(minus "$(seen "gettimeofday+${ns}ns")" "$(seen gettimeofday)")" "$ns")")
	done
	within "gettimeofday@${ns}ns as a program sees it, over $ns" "$(median "${values[@]}")" 10
	within "what gettimeofday+${ns}ns adds, over $ns" "$(median "${added[@]}")" 10
done

# By thread CPU time while every CPU has something else to do.
busy=()
bench_stop()
{
	[ "${#busy[@]}" -eq 0 ] || kill "${busy[@]}" 2>/dev/null
	wait
}
for ((i = 0; i < $(nproc); i++)); do
	while :; do :; done &
	busy+=($!)
done
for ns in 100 600 1000 5000; do
	values=()
	for ((pair = 0; pair < pairs; pair++)); do
		values+=("$("$xtime" exec --impl="gettimeofday@${ns}ns" -- "$reader" time 2>"$scratch/stderr")")
	done
	within "gettimeofday@${ns}ns by CPU time beside $(nproc) busy processes, over $ns" "$(divide "$(median "${values[@]}")" "$ns")" 20
done
bench_stop
busy=()

# One device serves one reader at a time; sources without a device serve all.
[ "$(nproc)" -ge 2 ] || skip 'one CPU: nothing reads at once'
# reads ARM THREADS
reads()
{
	"$xtime" exec --impl="$1" -- "$probe" "$2" 2>"$scratch/stderr" | awk '$1 == "reads_per_second" { print $2 }'
}
for arm in gettimeofday@hpet gettimeofday@565ns; do
	growth=()
	for ((pair = 0; pair < pairs; pair++)); do
		one=$(reads "$arm" 1)
		two=$(reads "$arm" 2)
		growth+=("$(divide "${two:-0}" "${one:-0}")") || broken "no reads under $arm"
	done
	if [ "$arm" = gettimeofday@hpet ]; then
		within "reads of $arm in all, two threads over one" "$(median "${growth[@]}")" 10
	else
		goal "reads of $arm in all, two threads over one" "$(median "${growth[@]}")" least 1.7 "last: $one and $two a second"
	fi
done
finish
