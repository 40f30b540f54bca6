#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The scale of pgbench's own scripts is that of the tables, on both databases; a script of the user's has what is given.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf '\\if :scale <> 7\n\\set boom 1/0\n\\endif\nSELECT 1;\n' >"$work/seven.sql"
# check TARGET OPTION...: tables of scale 3 are there.
check() {
  local target=$1
  shift
  run 0 "$xtime" pgbench "$@" -S -t 20
  case $out in *"scaling factor: 3"*) ;; *) fail "$target: $out" ;; esac
  case $err in *scale*) fail "$target: a scale was spoken of: $err" ;; esac
  run 0 "$xtime" pgbench "$@" -S -s 5 -t 20; says "--scale=5 is ignored" "3 branches"
  case $out in *"scaling factor: 3"*) ;; *) fail "$target, -s 5: $out" ;; esac
  # Accounts of all three branches are asked for, and none that is not there.
  run 0 "$xtime" pgbench "$@" -N -t 60 --rand-seed=1
  run 0 "$xtime" pgbench "$@" -s 7 -f "$work/seven.sql" -t 2
  case $out in *"scaling factor: 7"*) ;; *) fail "$target, a script: $out" ;; esac
  run 1 "$xtime" pgbench "$@" -f "$work/seven.sql" -t 2
  run 0 "$xtime" pgbench "$@" -S -D scale=1 -t 2
}

run 0 "$xtime" pgbench --db-driver=sqlite -i -s 3 -q "$work/d.db"
check SQLite --db-driver=sqlite "$work/d.db"
branches=$(python3 -c "
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
print(c.execute('SELECT count(DISTINCT (aid - 1) / 100000), max(aid) <= 300000 FROM pgbench_accounts WHERE abalance <> 0').fetchone())" "$work/d.db")
[ "$branches" = "(3, 1)" ] || fail "accounts of other branches: $branches"
run 0 "$xtime" run tpcb-like --sqlite-db="$work/d.db" --events=10 --format=json
json "r['load']['scale'] == 3"
: >"$work/empty.db"
run 1 "$xtime" pgbench --db-driver=sqlite -S -t 1 "$work/empty.db"; says "pgbench_branches" "pgbench -i"
# A database of the run's own is loaded at the scale that is given.
run 0 "$xtime" run select-only --scale=2 --events=10 --format=json
json "r['load']['scale'] == 2"

# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"
start_server || done_testing
server=(-h "$work/pg" -U tester)
run 0 "$xtime" pgbench "${server[@]}" -i -s 3 -q postgres
check PostgreSQL "${server[@]}" postgres
run 1 "$xtime" pgbench "${server[@]}" -S -t 1 template1; says "pgbench_branches" "pgbench -i"
stop_server
done_testing
