#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# With a latency limit, what is too late already is skipped and counted.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf '\\sleep 2 ms\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --rate=100000 --latency-limit=1 --events=10 --format=json
json "r['points'][0]['transactions'] <= 1 and r['points'][0]['transactions'] + r['points'][0]['skipped'] == 10"
json "r['points'][0]['late'] == r['points'][0]['transactions']"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --latency-limit=1 --events=10
case $out in *"above the latency limit of 1 ms: 10 of 10 (100.000 %)"*) ;; *) fail "late ones: $out" ;; esac
run 2 "$xtime" run noop --db-driver=null --rate=10 --think=fixed:1; says "--rate and --think"
run 2 "$xtime" run noop --db-driver=null --think=10ms; says "fixed:TIME"
run 0 "$xtime" run noop --db-driver=null --think=exp:2ms --time=0.5 --format=json
json "100 < r['points'][0]['transactions'] < 400 and r['points'][0]['latency_ms']['p50'] < 0.5"
done_testing
