#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each statement has its own count, failures, mean and percentiles, in the record and below the table.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

# One in ten of the second statement's runs counts to 100,000, the others to 1.
cat >"$work/s.sql" <<'SQL'
\set n random(1, 10)
SELECT 1;
\if :n = 1
\set to 100000
\else
\set to 1
\endif
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < :to) SELECT max(x) FROM c;
SQL
run 0 "$xtime" run "$work/s.sql" --rand-seed=5 --threads=2 --events=400 --report-per-command --percentiles=80,99.9 --output="$work/r.json"
table=$out
out=$(<"$work/r.json")
row() { printf "[c for c in r['points'][0]['commands'] if %s][0]" "$1"; }
slow=$(row "'WITH' in c['command']") fast=$(row "c['command'] == 'SELECT 1;'") set=$(row "'random' in c['command']")
json "all(c['count'] == 400 and c['failures'] == 0 and c['retries'] == 0 for c in (${slow}, ${fast}, ${set}))"
json "sum(c['count'] for c in r['points'][0]['commands'] if 'set to' in c['command']) == 400"
json "[q['percentile'] for q in ${slow}['percentiles']] == [80, 95, 99.9]"
json "${slow}['p99_ms'] > 10 * ${slow}['p50_ms'] > 0 and ${slow}['percentiles'][0]['ms'] < ${slow}['p99_ms'] / 10"
json "all((lambda v: v == sorted(v))([c[k] for k in ('min_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'max_ms')]) for c in r['points'][0]['commands'] if c['count'])"
json "all(c['min_ms'] <= c['avg_ms'] <= c['max_ms'] for c in r['points'][0]['commands'] if c['count'])"
json "sum(c['avg_ms'] * c['count'] for c in r['points'][0]['commands'] if c['count']) <= r['points'][0]['latency_ms']['sum'] * 1.001"
for word in "commands of the script:" "p95 ms" "p80 ms" "p99.9 ms" "SELECT 1;"; do
  case $table in *"$word"*) ;; *) fail "the table does not say '$word': $table" ;; esac
done
# pgbench's block stays as pgbench has it.
run 0 "$xtime" report --format=pgbench "$work/r.json"
grep -qE '^ +[0-9]+\.[0-9]{3} +0  SELECT 1;$' <<<"$out" || fail "pgbench's block: $out"
# What never ran has no figures.
printf '\\if false\nSELECT 2;\n\\endif\nSELECT 1;\n' >"$work/never.sql"
run 0 "$xtime" run "$work/never.sql" --db-driver=null --events=10 --report-per-command --format=json
never=$(row "'SELECT 2' in c['command']")
json "${never}['count'] == 0 and all(${never}[k] is None for k in ('avg_ms', 'min_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'max_ms'))"
done_testing
