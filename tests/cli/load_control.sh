#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Load control: rates, pacing, ramps, reconnects, CPU lists, options from a file.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" run noop --db-driver=null --rate=1000 --pacing=regular --threads=2 --time=1 --format=json
json "abs(r['points'][0]['rate']['intended'] - 1000 * r['points'][0]['seconds']) <= 10"
run 0 "$xtime" run noop --db-driver=null --rate=400 --time=2 --rand-seed=1 --log --log-prefix="$work/p" --format=json
json "abs(r['points'][0]['rate']['intended'] - 400 * r['points'][0]['seconds']) <= 85"
python3 - "$work"/p.* <<'PY' || fail "gaps between intended starts are not exponential"
import math, sys
starts = sorted(float(f[4]) * 1e6 + float(f[5]) - float(f[2]) for f in (l.split() for l in open(sys.argv[1])))
gaps = sorted(b - a for a, b in zip(starts, starts[1:]))
n, mean = len(gaps), 1e6 / 400
d = max(max((i + 1) / n - (1 - math.exp(-g / mean)), (1 - math.exp(-g / mean)) - i / n) for i, g in enumerate(gaps))
sys.exit(0 if d < 1.95 / math.sqrt(n) else 1)
PY
# A rate of almost nothing is one, and what a paced thread reads between transactions is no share of their latency.
run 0 "$xtime" run noop --db-driver=null --rate=1e-300 --time=0.2 --format=json
json "r['points'][0]['transactions'] == 0 and r['points'][0]['clock_reads']['share_of_latency'] is None"
run 0 "$xtime" run noop --db-driver=null --rate=0.5 --pacing=regular --time=0.3 --format=json
json "r['points'][0]['rate']['intended'] == 1"
run 2 "$xtime" run noop --db-driver=null --pacing=regular; says "--rate"
run 0 "$xtime" run oltp_point_select --table-size=100 --events=20 --reconnect=5 --format=json
json "r['points'][0]['transactions'] == 20 and r['points'][0]['reconnects'] == 3 and r['points'][0]['connect_ms']['count'] == 4"
run 0 "$xtime" run noop --db-driver=null --ramp=0.4 --threads=4 --time=0.2 --report-interval=0.1 --format=json
json "any(v['warmup'] for v in r['points'][0]['intervals']) and r['points'][0]['intervals'][-1]['end_s'] <= r['points'][0]['seconds'] + 0.01"
run 0 "$xtime" run noop --db-driver=null --cpu-list=0 --threads=2 --events=10
run 2 "$xtime" run noop --db-driver=null --cpu-list=0,x; says "--cpu-list"
run 2 "$xtime" run noop --db-driver=null --cpu-list=1023; says "CPU 1023"
printf '# a comment\ndb-driver=null\n--events=30\n\nthreads 2\n' >"$work/options"
run 2 "$xtime" run noop --config-file="$work/options"; says "threads 2"
printf '# a comment\ndb-driver=null\n--events=30\n\nthreads=2\n' >"$work/options"
run 0 "$xtime" run noop --config-file="$work/options" --format=json
json "r['points'][0]['transactions'] == 30 and r['points'][0]['threads'] == 2"
run 0 "$xtime" run noop --config-file="$work/options" --events=40 --format=json
json "r['points'][0]['transactions'] == 40"
run 2 "$xtime" run noop --config-file="$work/none"; says "--config-file" "none"
run 0 "$xtime" run noop --db-driver=null --time=0.5 --format=json
json "r['points'][0]['clock_reads']['per_transaction'] <= 2 and r['points'][0]['clock_reads']['ns_each'] > 0"
run 0 "$xtime" run oltp_point_select --db-driver=null --time=0.5 --report-per-command --format=json
json "r['points'][0]['clock_reads']['per_transaction'] <= 2 + 2 * len(r['points'][0]['commands'])"
done_testing
