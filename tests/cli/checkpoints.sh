#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checkpoints: full reports at the named seconds, each of what happened since the one before; together they are the run.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf '\\sleep 5 ms\nSELECT 1;\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --threads=3 --warmup-time=0.1 --time=1 --report-checkpoints=0.6,0.2 --report-interval=0.25 \
  --output="$work/r.json" --format=sysbench
live=$out
out=$(<"$work/r.json")
json "r['load']['checkpoints_s'] == [0.2, 0.6]"
json "[c['last'] for c in r['points'][0]['checkpoints']] == [False, False, True]"
json "all(sum(c[k] for c in r['points'][0]['checkpoints']) == r['points'][0][k] for k in ('transactions', 'retries', 'reconnects'))"
json "sum(c['queries']['read'] for c in r['points'][0]['checkpoints']) == r['points'][0]['queries']['read']"
json "[a['end_s'] for a in r['points'][0]['checkpoints'][:-1]] == [b['begin_s'] for b in r['points'][0]['checkpoints'][1:]]"
json "all(abs(c['fairness']['events_avg'] * 3 - c['transactions']) < 1e-6 for c in r['points'][0]['checkpoints'])"
json "all(4.9 < c['latency_ms']['min'] <= c['percentiles'][0]['ms'] <= c['latency_ms']['max'] for c in r['points'][0]['checkpoints'])"
# Printed: a report each, the final one of the rest alone; the record gives the same lines again.
[ "$(grep -c 'Checkpoint report:$' <<<"$live")" = 2 ] && [ "$(grep -c '^SQL statistics:' <<<"$live")" = 3 ] || fail "reports: $live"
grep -qx 'Report checkpoint(s) at 0.2, 0.6 seconds' <<<"$live" || fail "head: $live"
printed=$(awk '/transactions: / { n += $2 } END { print n }' <<<"$live")
json "$printed == r['points'][0]['transactions'] and $printed > 3 * r['points'][0]['checkpoints'][0]['transactions']"
run 0 "$xtime" report --format=sysbench "$work/r.json"
[ "$out" = "$live" ] || fail "the record's lines differ: $(diff <(printf '%s' "$live") <(printf '%s' "$out"))"
run 0 "$xtime" report "$work/r.json"
case $out in *"checkpoints, each since the one before:"*"until s"*0.20*0.60*1.0*) ;; *) fail "table: $out" ;; esac
# A moment that is not reached makes no report, and it is said when that can be known.
run 0 "$xtime" run noop --db-driver=null --time=0.1 --report-checkpoints=0.1 --format=json; says "0.1 is not before the end"
json "'checkpoints' not in r['points'][0]"
run 2 "$xtime" run noop --db-driver=null --report-checkpoints=1,x; says "--report-checkpoints" "x"
run 2 "$xtime" run noop --db-driver=null --threads=1,2 --rounds=2 --report-checkpoints=1; says "--rounds=1"
done_testing
