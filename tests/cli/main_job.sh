#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job on real parts: prepare, run, cleanup, ab and its record, void, interrupt. No assertion on speed.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# A database that stays: prepare, run in both word orders, cleanup.
db=$work/bench.db
run 0 "$xtime" prepare oltp_read_write --sqlite-db="$db" --table-size=1000 --tables=2
[ "$(sqlite3 "$db" 'SELECT count(*) || min(id) || max(id) FROM sbtest2')" = 100011000 ] || fail "sbtest2 is not 1..1000"
run 0 "$xtime" run oltp_read_write --sqlite-db="$db" --table-size=1000 --tables=2 --events=200 --threads=2 --format=json
json "r['schema'] == 'xtime.run/1' and r['points'][0]['transactions'] == 200"
json "r['points'][0]['queries'] == {'read': 2800, 'write': 800, 'other': 400, 'total': 4000}"
json "r['driver']['journal_mode'] == 'wal' and r['driver']['name'] == 'sqlite'"
run 0 "$xtime" --sqlite-db="$db" --table_size=1000 --events=10 --format=json oltp_read_only run
json "r['points'][0]['transactions'] == 10 and r['points'][0]['queries']['write'] == 0"
run 0 "$xtime" run oltp_point_select --sqlite-db="$db" --table-size=1000 --events=1 --format=json
json "(lambda l: l['min'] == l['avg'] == l['p50'] == l['p95'] == l['p99'] == l['max'])(r['points'][0]['latency_ms'])"
[ "$(sqlite3 "$db" 'SELECT count(*) FROM sbtest1')" = 1000 ] || fail "rows were lost"
run 0 "$xtime" cleanup oltp_read_write --sqlite-db="$db" --tables=2
[ -z "$(sqlite3 "$db" "SELECT name FROM sqlite_master WHERE name LIKE 'sbtest%'")" ] || fail "cleanup left tables"
run 2 "$xtime" run oltp_read_write --sqlite-db="$work/none.db" --events=1
says "$work/none.db"

# A/B: 120 calls a transaction, every field that readers rely on, credits that agree with the workers' own counts.
run 0 "$xtime" ab oltp_time --sqlite-db=:memory: --threads=1,2 --time=1.2 --warmup-time=0.1 --format=json --rand-seed=7 \
  --output="$work/ab.json"
json "r['schema'] == 'xtime.ab/1' and [p['threads'] for p in r['points']] == [1, 2] and r['seed'] == 7"
json "all(abs(p['calls_per_transaction']['time'] / 120 - 1) < 0.05 for p in r['points'])"
json "[a['role'] for a in r['arms']] == ['base', 'arm', 'control']"
json "r['arms'][2]['name'] == \"syscall-gettimeofday'\""
json "all(p['blocks'] >= 6 and not p['partial'] for p in r['points'])"
json "all({'ratio', 'ci95', 'predicted_ratio', 'verdict', 'min_detectable', 'lag1', 'merged'} <= set(c) for p in r['points'] for c in p['comparisons'])"
json "all(sum(a['calls']['time'] for a in p['arms']) > 0 for p in r['points'])"
json "all(abs(sum(a['tps'] * a['seconds'] for a in p['arms']) / sum(a['seconds'] for a in p['arms']) / (p['transactions'] / p['seconds']) - 1) < 0.1 for p in r['points'])"
cmp -s "$work/.out" "$work/ab.json" || fail "--output and --format=json differ"
run 0 "$xtime" report "$work/ab.json"
[ "$(printf '%s\n' "$out" | grep -cE '^ *[12] ')" -ge 2 ] || fail "the table has no rows that begin with the thread count"

# Void: nothing calls time().
run 1 "$xtime" ab oltp_read_write --sqlite-db=:memory: --threads=1 --time=0.3 --warmup-time=0.1 --slice=5ms --format=json
says "void" "syscall-gettimeofday" "time"
json "all(r['points'][0]['comparisons'][0][key] is None for key in ('ratio', 'ci95', 'min_detectable')) and r['points'][0]['comparisons'][0]['verdict'] == 'void'"

left=$(find "$work" -mindepth 1 -maxdepth 1 -name "xtime-[0-9]*")
[ -z "$left" ] || fail "left behind: $left"
done_testing
