#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run --validate: every shipped workload that has checks passes them on both databases, alone and in mixes; data that were
# spoilt are found, with the table, what was expected and what was found; \check in scripts of the user's.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

db=$work/v.db
spoil() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()' "$db" "$1"; }
ask() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$db" "$1"; }

# holds LEAST WORKLOAD OPTION...: that many checks at least, and none is violated.
holds() {
  local least=$1
  shift
  run 0 "$xtime" run "$@" --events=100 --time=0 --validate --format=json
  json "r['validation']['violation'] is None and r['validation']['checks'] >= $least"
}

# found SQL TEXT...: spoilt like this, the run says so.
found() {
  local sql=$1
  shift
  cp "$work/good.db" "$db"
  rm -f "$db-wal" "$db-shm"
  spoil "$sql"
  run 1 "$xtime" run "$workload" --sqlite-db="$db" --events=20 --time=0 --validate --format=json "${options[@]}"
  says "validate:" "validate section of" "$@"
  json 'r["validation"]["violation"] and r["points"][0]["transactions"] == 20'
}

# good WORKLOAD OPTION...: loaded once, spoilt again and again.
good() {
  workload=$1
  shift
  options=("$@")
  rm -f "$work"/good.db*
  run 0 "$xtime" prepare "$workload" --sqlite-db="$work/good.db" "$@"
}

for w in oltp_delete oltp_insert oltp_point_select oltp_read_only oltp_read_write oltp_time oltp_update_index \
  oltp_update_non_index oltp_write_only select_random_points select_random_ranges; do
  holds 16 $w --table-size=300 --tables=2 --threads=2
done
holds 6 oltp_insert --table-size=300 --auto-inc=off
holds 7 oltp_read_write --table-size=300 --skip-trx=on --secondary=on
for w in tpcb-like simple-update select-only; do holds 13 $w; done
holds 3 bulk_insert --rows-per-insert=7
holds 4 time_append --threads=2
holds 4 time_audit
holds 28 --file=tpcb-like@2 --file=simple-update@1
holds 16 oltp_read_write --table-size=300 --sqlite-db=:memory: --threads=2
run 0 "$xtime" ab oltp_time --table-size=300 --time=0.3 --warmup-time=0.1 --cost-time=0.01 --validate --format=json
json "r['validation'] == {'checks': 8, 'violation': None}"

good tpcb-like
found 'UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = 77' abalance expected ', found'
found 'UPDATE pgbench_tellers SET tbalance = tbalance - 3 WHERE tid = 2' tbalance
found 'UPDATE pgbench_branches SET bbalance = 5' tbalance bbalance
found 'DELETE FROM pgbench_accounts WHERE aid = 100000' 'pgbench_accounts: rows: expected 100000, found 99999'
found 'DELETE FROM pgbench_tellers WHERE tid = 1' 'pgbench_tellers: rows: expected 10, found 9'
found 'UPDATE pgbench_tellers SET tid = 11 WHERE tid = 10' 'pgbench_tellers: largest tid: expected 10, found 11'
found 'INSERT INTO pgbench_history (tid, bid, aid, delta) VALUES (1, 1, 1, 9)' 'sum of delta'
found 'CREATE TRIGGER t AFTER INSERT ON pgbench_history BEGIN DELETE FROM pgbench_history; UPDATE pgbench_accounts SET abalance = 0; UPDATE pgbench_tellers SET tbalance = 0; UPDATE pgbench_branches SET bbalance = 0; END' \
  'pgbench_history: rows: expected at least 20, found 0'
good oltp_read_write --table-size=500 --tables=2
found 'DELETE FROM sbtest2' 'sbtest2: rows: expected at least 500, found '
found 'INSERT INTO sbtest2 SELECT 501, k, c, pad FROM sbtest2 WHERE id = 1' 'sbtest2: rows: expected at most 500, found 501'
found 'UPDATE sbtest1 SET c = substr(c, 2) WHERE id = 3' 'sbtest1: values of c' 'expected 0, found 1'
found "UPDATE sbtest2 SET pad = replace(pad, '-', '+')" 'sbtest2: values of pad' 'expected 0, found '
found 'UPDATE sbtest1 SET k = -4 WHERE id = 5' 'sbtest1: least k: expected at least 1, found -'
found 'UPDATE sbtest1 SET id = 900 WHERE id = 5' 'sbtest1:'
good oltp_insert --table-size=50
found 'CREATE TRIGGER t AFTER INSERT ON sbtest1 BEGIN DELETE FROM sbtest1 WHERE id = 7; DELETE FROM sbtest1 WHERE id > 50; END' 'sbtest1: rows'
good bulk_insert --rows-per-insert=4
found 'INSERT INTO sbtest1 VALUES (5, 6)' 'sbtest1: least id: expected 1, found 5'
run 0 "$xtime" run bulk_insert --sqlite-db="$work/good.db" --events=10 --time=0 "${options[@]}"
found 'UPDATE sbtest1 SET k = k + 1 WHERE id = 2' 'sbtest1: sum of k' 'expected 465, found 466'
good time_append
found "INSERT INTO time_behind (client, stamp, newest) VALUES (0, '2020-01-02', '2020-01-01')" time_behind 'expected 0, found 1'

# What is not sent when the run ends is sent then, and a second run goes on behind it.
good bulk_insert --rows-per-insert=1000
db=$work/good.db
for n in 250 500; do
  run 0 "$xtime" run bulk_insert --sqlite-db="$db" --events=250 --time=0 --validate
  [ "$(ask 'SELECT count(*) FROM sbtest1')" = $n ] || fail "bulk_insert: $(ask 'SELECT count(*) FROM sbtest1') rows, not $n"
done
db=$work/v.db

# Where there is nothing to check it is said before anything is run.
run 2 "$xtime" run noop --validate; says --validate "no validate section"
run 2 "$xtime" run tpcb-like --db-driver=null --validate; says --validate null
run 0 "$xtime" run tpcb-like --events=3 --time=0 --format=json
json '"validation" not in r'

# Of the user's own.
printf '%s\n' '\section run' 'SELECT 1;' '\section validate' '\set t 3' 'SELECT 7 AS n \gset' \
  '\check "part:{t}: rows of :t" :n = 7' '\check "the number" :n < 7' >"$work/own.sql"
run 1 "$xtime" run "$work/own.sql" --events=1 --time=0 --validate --format=json
says "client 0, validate section of $work/own.sql: $work/own.sql:7:1: the number: expected less than 7, found 7"
json "r['validation']['checks'] == 1"
run 1 "$xtime" run "$work/own.sql" --events=1 --time=0 --validate
case $out in *"validation: 1 checks held, then: "*"found 7"*) ;; *) fail "table: $out" ;; esac
check() { printf '%s\n' "$1" 'SELECT 1;' >"$work/c.sql"; run "$2" "$xtime" run "$work/c.sql" --db-driver=null --events=1; shift 2; says "$@"; }
check '\check "always" 1 + 1 = 2' 0
check '\check "never :client_id" null' 1 'never 0: does not hold: null'
check '\check "bound" 5 >= 6' 1 "bound: expected at least 6, found 5"
check '\check nothing 1' 2 "c.sql:1:8" "double quotes"
check '\check "open 1' 2 "c.sql:1:8" "closing quote"
check '\check "empty"' 2 "c.sql:1:15"

# PostgreSQL
if "$xtime" list drivers | grep -q pgsql && "$xtime" run noop --db-driver=pgsql --time=0 --events=1 >/dev/null 2>&1; then
  for w in oltp_insert oltp_read_write tpcb-like; do holds 6 $w --db-driver=pgsql --threads=2; done
  printf '%s\n' '\include '"$(cd "$top_srcdir" && pwd)/workloads/tpcb-like.sql" '\section run' \
    'UPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid = 3;' >"$work/bad.sql"
  run 1 "$xtime" run "$work/bad.sql" --db-driver=pgsql --events=10 --time=0 --validate
  says "sum of tbalance against sum of bbalance: expected"
fi
done_testing
