#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Percentiles lie within the data, whatever the number of events.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" run oltp_point_select --table-size=100 --events=1 --percentiles=1,50,99.99 --format=json
json "len({r['points'][0]['latency_ms'][k] for k in ('min', 'avg', 'p50', 'p95', 'p99', 'max')}) == 1"
json "all(q['ms'] == r['points'][0]['latency_ms']['min'] for q in r['points'][0]['percentiles'])"
run 0 "$xtime" run oltp_point_select --table-size=100 --events=5000 --threads=2 --percentiles=0,1,50,90,99,99.9,100 --format=json
json "[q['percentile'] for q in r['points'][0]['percentiles']] == [0, 1, 50, 90, 95, 99, 99.9, 100]"
json "(lambda m: m == sorted(m))([q['ms'] for q in r['points'][0]['percentiles']])"
json "all(r['points'][0]['latency_ms']['min'] <= q['ms'] <= r['points'][0]['latency_ms']['max'] for q in r['points'][0]['percentiles'])"
done_testing
