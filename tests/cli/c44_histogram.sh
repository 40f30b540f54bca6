#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The histogram holds every transaction: its last cumulative count is the total.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf '\\sleep 20 ms\n' >"$work/slow.sql"
for workload in noop "$work/slow.sql"; do
  run 0 "$xtime" run "$workload" --db-driver=null --time=0.3 --threads=2 --histogram --format=json
  json "r['points'][0]['histogram'][-1]['cumulative'] == r['points'][0]['transactions'] > 0"
  json "sum(b['count'] for b in r['points'][0]['histogram']) == r['points'][0]['transactions']"
  json "all(b['from_ms'] < b['to_ms'] for b in r['points'][0]['histogram'])"
done
run 0 "$xtime" run noop --db-driver=null --events=1000 --histogram --format=sysbench
total=$(awk '/\|/ { n += $NF } END { print n }' <<<"$out")
[ "$total" = 1000 ] || fail "the printed histogram holds $total of 1000 transactions"
done_testing
