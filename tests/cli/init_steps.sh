#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --init-steps of pgbench's workloads on SQLite: done in the order given, the rows made by the server (G) are those made by
# the client (g), what SQLite cannot do and what is no step is refused. tests/peers/same_tables.sh has PostgreSQL's.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

dump() { python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).iterdump(), sep="\n")' "$work/$1.db" | cksum; }
# steps STATUS NAME STEPS [OPTION...]
steps() {
  local status=$1 name=$2 which=$3
  shift 3
  run "$status" "$xtime" prepare tpcb-like --sqlite-db="$work/$name.db" --init-steps="$which" "$@"
}

steps 0 client dtg
steps 0 server dtG
[ "$(dump client)" = "$(dump server)" ] || fail 'g and G make different tables'
steps 0 spaced 'd t  G v p'
[ "$(dump client)" = "$(dump spaced)" ] || fail 'blanks, v or p change something'
steps 0 default dtgvp --threads=3
[ "$(dump client)" = "$(dump default)" ] || fail 'three threads make other tables'
run 0 "$xtime" run tpcb-like --sqlite-db="$work/server.db" --events=30 --time=0 --validate
steps 0 server G
[ "$(dump client)" = "$(dump server)" ] || fail 'G does not begin with empty tables'
steps 0 client g
[ "$(dump client)" = "$(dump server)" ] || fail 'g does not begin with empty tables'
steps 0 client dt
steps 1 client t; says "client 0, prepare section of tpcb-like.sql" "already exists"
steps 1 none gt; says "no such table"
steps 1 new dtgf; says "--init-steps: f needs PostgreSQL"
steps 1 new dtx; says "--init-steps: a step is one of d, t, g, G, v, p, f"
[ ! -e "$work/new.db" ] || [ "$(dump new)" = "$(python3 -c 'print("BEGIN TRANSACTION;\nCOMMIT;")' | cksum)" ] || fail 'refused steps were begun'
run 0 "$xtime" pgbench -i -I dtG --db-driver=sqlite "$work/pgbench.db"
[ "$(dump pgbench)" = "$(dump server)" ] || fail 'xtime pgbench -i -I dtG makes other tables'
run 2 "$xtime" pgbench -i -I dtx --db-driver=sqlite "$work/pgbench.db"
done_testing
