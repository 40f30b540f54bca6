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
json "all(c['timed'] == c['count'] for c in (${slow}, ${fast})) and 0 < ${set}['timed'] <= 400"
json "sum(c['avg_ms'] * c['timed'] for c in r['points'][0]['commands'] if c['count']) <= r['points'][0]['latency_ms']['sum'] * 1.001"
for word in "commands of the script" "p95 ms" "p80 ms" "p99.9 ms" "SELECT 1;"; do
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

# No more than two readings of the clock a transaction and two a statement, and every command that ran is timed, each
# statement each time. A thread's first transaction times every command, which those that follow make up for: where it has
# no more than a few, or is cut by the end of the run, it may be one such transaction beyond.
cat >"$work/sets.sql" <<'SQL'
\set a random(1, 10)
\set b :a + 1
\set c :b * 2
SELECT :c;
\set d :c + 1
SELECT :d;
\if :d > 10
\set e 1
\endif
SQL
reads() {
  "$xtime" run "$@" --report-per-command --format=json >"$work/.out" 2>"$work/.err" || fail "$*: $(<"$work/.err")"
  out=$(<"$work/.out")
  python3 -c '
import json, sys
p = json.load(sys.stdin)["points"][0]
readings = round(p["clock_reads"]["per_transaction"] * p["transactions"])
allowed = 2 * p["transactions"] + 2 * p["queries"]["total"] + 2 * p["threads"] * (1 + len(p["commands"]))
if not 0 < readings <= allowed:
    sys.exit(f"{readings} readings, {allowed} allowed, {p}")
for c in p["commands"]:
    if not (c["timed"] > 0) == (c["count"] > 0) == (c["avg_ms"] is not None):
        sys.exit(f"{c}")
    if c["timed"] != c["count"] and c["command"][0] != chr(92):
        sys.exit(f"a statement that is not always timed: {c}")' <"$work/.out" || fail "clock reads of $*"
}
for workload in "$top_srcdir"/workloads/*.sql; do
  name=$(basename "$workload" .sql)
  case $name in
    time_append | time_audit) reads "$name" --events=50 ;; # want rows back
    *) reads "$name" --db-driver=null --events=200 ;;
  esac
done
for workload in oltp_point_select oltp_read_only oltp_read_write "$work/sets.sql"; do
  reads "$workload" --db-driver=null --warmup-time=0.05 --time=0.1
  reads "$workload" --db-driver=null --events=200 --rate=4000 --threads=2
  reads "$workload" --db-driver=null --events=200 --report-interval=0.05 --histogram
done
reads oltp_read_write --table-size=1000 --events=200 --threads=2
# However short the run is; and the last command's end is the transaction's.
run 0 "$xtime" run "$work/sets.sql" --db-driver=null --events=1 --report-per-command --format=json
json "all(c['timed'] == c['count'] for c in r['points'][0]['commands'])"
reads select-only --db-driver=null --events=100
json "r['points'][0]['clock_reads']['per_transaction'] == 2"
run 0 "$xtime" run "$work/sets.sql" --db-driver=null --events=500 --report-per-command --output="$work/r.json"
case $out in *"are no statements: of a sample"*) ;; *) fail "the table does not say that there is a sample: $out" ;; esac
out=$(<"$work/r.json")
json "100 <= r['points'][0]['commands'][2]['timed'] <= 300"
# What ran and was not timed is not 0: such a row comes from a record only.
sed -E '0,/"timed": [0-9]+/s//"timed": 0/; 0,/"avg_ms": [0-9.e-]+/s//"avg_ms": null/' "$work/r.json" >"$work/untimed.json"
run 0 "$xtime" report --format=pgbench "$work/untimed.json"
grep -qE '^ +- +0  \\set a random' <<<"$out" || fail "what was not timed: $out"
done_testing
