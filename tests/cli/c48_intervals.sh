#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Intervals: their sums are the totals, and no rate is absurd.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

for _ in 1 2 3; do
  run 0 "$xtime" run noop --db-driver=null --time=0.7 --report-interval=0.2 --threads=8 --warmup-time=0.1 --format=json
  json "sum(v['transactions'] for v in r['points'][0]['intervals'] if not v['warmup']) == r['points'][0]['transactions']"
  json "all(0 <= v['tps'] <= 10 * r['points'][0]['tps'] for v in r['points'][0]['intervals'] if not v['warmup'] and v['end_s'] - v['begin_s'] > 0.01)"
  json "(lambda v: (v[-1]['partial'] or v[-1]['end_s'] - v[-1]['begin_s'] >= 0.19) and v[0]['warmup'])(r['points'][0]['intervals'])"
done
run 0 "$xtime" run oltp_read_write --table-size=1000 --time=0.5 --report-interval=0.1 --threads=2 --format=json
json "all(sum(v['queries'][k] for v in r['points'][0]['intervals']) == r['points'][0]['queries'][k] for k in ('read', 'write', 'other', 'total'))"
json "sum(v['errors'] for v in r['points'][0]['intervals']) == sum(r['points'][0]['errors'].values())"
done_testing
