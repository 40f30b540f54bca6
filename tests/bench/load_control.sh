#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `xtime run` promises of load control and measurement, at full length: rates, gaps, a stall, a flood, intervals,
# quantiles, crowds, seeds. Shorter forms of all of it are in tests/cli. PARTS='rates stall' runs some of it.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

needs python3
parts=${PARTS:-rates gaps flood stall intervals quantiles crowds seeds}
null=("$xtime" run noop --db-driver=null)

# record COMMAND…: its record in $scratch/record.
record()
{
	"$@" --output="$scratch/record" >"$scratch/stdout" 2>"$scratch/stderr" || broken "$*"
}

# of EXPRESSION: in python, with r the record and p its first point.
of()
{
	python3 -c "
import json, sys
r = json.load(open(sys.argv[1]))
p = r['points'][0]
print($1)" "$scratch/record"
}

part_rates()
{
	local cpu

	for seed in 1 2 3; do
		record "${null[@]}" --rate=200 --time=10 --rand-seed=$seed
		goal "rate 200/s for 10 s, seed $seed, starts beside 2000" "$(of "abs(p['rate']['intended'] - 200 * p['seconds'])")" most 134
	done
	record "${null[@]}" --rate=200 --time=10 --pacing=regular
	goal 'rate 200/s regular, per cent off' "$(of "abs(p['rate']['intended'] / (200 * p['seconds']) - 1) * 100")" most 1
	record "${null[@]}" --rate=5000 --time=10 --threads=2
	goal 'rate 5000/s, two threads, achieved, per cent off' "$(of "abs(p['rate']['achieved_per_s'] / 5000 - 1) * 100")" most 2
	cpu=$(with_cpu "${null[@]}" --rate=10 --time=5) || broken 'rate 10'
	goal 'rate 10/s, CPU used, per cent' "$(awk -v us="$cpu" 'BEGIN { print us / 5e6 * 100 }')" most 5
}

# starts OPTION…: the intended starts of a run, in microseconds, one a line, in $scratch/starts.
starts()
{
	rm -f "$scratch"/log.*
	"${null[@]}" --rate=400 --time=10 --rand-seed=7 --log --log-prefix="$scratch/log" "$@" >"$scratch/stdout" 2>"$scratch/stderr" ||
		broken 'a run with a log'
	awk '{ printf "%.0f\n", $5 * 1e6 + $6 - $3 }' "$scratch"/log.* | sort -n >"$scratch/starts"
}

part_gaps()
{
	for threads in 1 2; do
		starts --threads=$threads
		goal "gaps, $threads thread(s), Kolmogorov-Smirnov distance from the exponential over its limit at 0.001" "$(python3 -c '
import math, sys
t = [float(x) for x in open(sys.argv[1])]
g = sorted(b - a for a, b in zip(t, t[1:]))
n, mean = len(g), 1e6 / 400
f = [1 - math.exp(-x / mean) for x in g]
print(max(max((i + 1) / n - p, p - i / n) for i, p in enumerate(f)) / (1.9495 / math.sqrt(n)))' "$scratch/starts")" most 1
		starts --threads=$threads --pacing=regular
		goal "gaps, $threads thread(s), regular: coefficient of variation" "$(python3 -c '
import statistics, sys
t = [float(x) for x in open(sys.argv[1])]
g = [b - a for a, b in zip(t, t[1:])]
print(statistics.pstdev(g) / statistics.mean(g))' "$scratch/starts")" most 0.05
	done
}

part_flood()
{
	local small

	printf '\\sleep 1 ms\n' >"$scratch/slow.sql"
	record "$xtime" run "$scratch/slow.sql" --db-driver=null --rate=1000000 --time=0.2
	small=$(of "p['peak_memory_kb']")
	record "$xtime" run "$scratch/slow.sql" --db-driver=null --rate=1000000 --time=3
	goal 'rate 1,000,000/s for 3 s, memory grown, MB' "$(of "(p['peak_memory_kb'] - $small) / 1024")" most 10
	goal 'rate 1,000,000/s for 3 s, seconds' "$(of "p['seconds']")" most 3.1
	grep -q 'offered 1000000/s, achieved' "$scratch/stdout" || broken 'offered and achieved are not printed'
}

part_stall()
{
	local pid

	rm -f "$scratch"/log.*
	"${null[@]}" --rate=100 --time=10 --rand-seed=3 --log --log-prefix="$scratch/log" --output="$scratch/record" >"$scratch/stdout" \
		2>"$scratch/stderr" &
	pid=$!
	sleep 3
	kill -STOP $pid
	sleep 2
	kill -CONT $pid
	wait $pid || broken 'the stopped run'
	# Late: beyond what any start of this machine is late without a stall.
	awk '$3 > 20000 { print $3 / 1e6 }' "$scratch"/log.* >"$scratch/late"
	goal 'stall of 2 s at 100/s, delayed transactions beside 200' "$(awk 'END { d = NR - 198; print d < 0 ? -d : d }' "$scratch/late")" most 45
	goal 'stall, largest distance of their delays from an even spread over 0 to 2 s' "$(sort -g "$scratch/late" |
		awk '{ v[NR] = $1 } END { for (i = 1; i <= NR; i++) { d = v[i] / 2 - i / NR; if (d < 0) d = -d; if (d > most) most = d }; print most }')" most 0.15
	goal 'stall, p99 in seconds' "$(of "p['latency_ms']['p99'] / 1e3")" least 1.7
	goal 'stall, p95 of service time in ms' "$(of "p['service_ms']['p95']")" most 5
	goal 'stall, starts beside 1000' "$(of "abs(p['rate']['intended'] - 100 * p['seconds'])")" most 95
}

part_intervals()
{
	local run wrong=0

	for ((run = 0; run < ${INTERVAL_RUNS:-30}; run++)); do
		record "$xtime" run oltp_point_select --table-size=1000 --time=2 --threads=8 --report-interval=0.5 --rand-seed=$((run + 1))
		[ "$(of "all(sum(v[k] for v in p['intervals']) == p[k] for k in ('transactions', 'retries', 'failed', 'reconnects')) and
			all(sum(v['queries'][k] for v in p['intervals']) == p['queries'][k] for k in p['queries']) and
			all(0 <= v['tps'] <= 10 * p['tps'] for v in p['intervals'])")" = True ] || wrong=$((wrong + 1))
	done
	goal "$run runs of 2 s with 8 threads, those whose intervals do not add up" $wrong most 0
}

part_quantiles()
{
	rm -f "$scratch"/log.*
	record "$xtime" run oltp_read_only --table-size=1000 --threads=8 --events=${EVENTS:-1000000} --time=0 --simple-ranges=0 \
		--sum-ranges=0 --order-ranges=0 --distinct-ranges=0 --point-selects=20 --log --log-prefix="$scratch/log" \
		--percentiles=1,10,25,50,75,90,95,99,99.9,99.99
	goal "$(of "p['transactions']") events, quantiles against those of the log, largest per cent off" "$(
		cat "$scratch"/log.* | awk '{ print $3 }' | sort -n | python3 -c '
import json, math, sys
v = [int(x) for x in sys.stdin]
p = json.load(open(sys.argv[1]))["points"][0]
assert len(v) == p["transactions"], (len(v), p["transactions"])
worst = 0
for q in p["percentiles"]:
    us = v[max(1, math.ceil(q["percentile"] / 100 * len(v))) - 1]
    got = q["ms"] * 1e3
    # The log cuts off what is below a microsecond.
    worst = max(worst, (us - got) / us, (got - (us + 1)) / us)
assert p["latency_ms"]["min"] * 1e3 - v[0] < 1 and p["latency_ms"]["max"] * 1e3 - v[-1] < 1
print(worst * 100)' "$scratch/record")" most 1
}

part_crowds()
{
	record "$xtime" run oltp_point_select --table-size=100 --threads=1000 --time=3
	goal '1,000 threads on SQLite, threads that ran' "$(of "sum(t['transactions'] > 0 for t in p['thread_rows'])")" least 990
	goal '1,000 threads on SQLite, errors and unfinished' "$(of "sum(p['errors'].values()) + p['unfinished']")" most 0
	case $("$xtime" list drivers) in
	*pgsql*)
		record "$xtime" run oltp_point_select --db-driver=pgsql --table-size=100 --threads=200 --time=3 --thread-init-timeout=60
		goal '200 threads on the private server, threads that ran' "$(of "sum(t['transactions'] > 0 for t in p['thread_rows'])")" least 200
		goal '200 threads on the private server, errors and unfinished' "$(of "sum(p['errors'].values()) + p['unfinished']")" most 0
		;;
	esac
}

part_seeds()
{
	local options first='' hash different=0 runs=0

	for options in '' '' '' '' '' '--report-interval=1' '--report-interval=0.1' '--report-interval=0.1 --histogram --report-per-command' \
		'--impl=coarse' '--impl=syscall-gettimeofday'; do
		# shellcheck disable=SC2086 # a list
		record "$xtime" run oltp_read_write --db-driver=null --rand-seed=42 --threads=4 --events=4000 --statement-hash $options
		hash=$(of "[t['statement_hash'] for t in p['thread_rows']]")
		first=${first:-$hash}
		[ "$hash" = "$first" ] || different=$((different + 1))
		runs=$((runs + 1))
	done
	goal "$runs runs of one seed, those with other statements" $different most 0
}

for part in $parts; do
	"part_$part"
done
finish
