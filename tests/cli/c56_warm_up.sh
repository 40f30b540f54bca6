#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The warm-up counts for nothing, and its queue is not inherited.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

begin=$(date +%s%N)
run 0 "$xtime" run noop --db-driver=null --warmup-time=0.6 --time=0.5 --report-interval=0.25 --format=json
elapsed=$((($(date +%s%N) - begin) / 1000000))
[ $elapsed -ge 1100 ] || fail "warm-up and time took $elapsed ms"
json "0.5 <= r['points'][0]['seconds'] < 1.0"
json "sum(v['transactions'] for v in r['points'][0]['intervals'] if not v['warmup']) == r['points'][0]['transactions']"
json "any(v['warmup'] for v in r['points'][0]['intervals'])"
run 0 "$xtime" run noop --db-driver=null --warmup-time=0.3 --time=0.3 --report-interval=0.1 --format=sysbench
grep -q '(warm-up) thds' <<<"$out" || fail "the warm-up's lines are not marked: $out"
# A first transaction that blocks for most of the warm-up: 500 starts a second wait behind it.
cat >"$work/w.sql" <<'SQL'
\if :first
\sleep 700 ms
\set first 0
\endif
SQL
run 0 "$xtime" run "$work/w.sql" --db-driver=null --define=first=1 --rate=500 --warmup-time=1 --time=0.5 --format=json
json "r['points'][0]['latency_ms']['p50'] < 100 and r['points'][0]['rate']['intended'] < 400"
done_testing
