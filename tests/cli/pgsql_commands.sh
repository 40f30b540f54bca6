#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PostgreSQL: prepare, warmup, run and cleanup on a server of the user's, every protocol, pipelines.
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"

start_server || done_testing
at=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres --tables=4 --table-size=500)
sql() { "$pg_bin/psql" -qAt -h "$work/pg" -U tester -c "$1" postgres; }
tables() { sql "SELECT count(*) FROM pg_class WHERE relname ~ '^sbtest[0-9]+$'"; }

run 0 "$xtime" prepare oltp_read_write "${at[@]}" --threads=3
[ "$(tables)" = 4 ] || fail "$(tables) tables instead of 4"
[ "$(sql 'SELECT count(*), min(id), max(id) FROM sbtest4')" = "500|1|500" ] || fail "rows: $(sql 'SELECT count(*), min(id), max(id) FROM sbtest4')"
run 1 "$xtime" prepare oltp_read_write "${at[@]}"; says 'relation "sbtest' "already exists"
says "xtime cleanup oltp_read_write" "--force"
[ "$(tables)" = 4 ] || fail "a refused prepare changed the tables"
sql 'DELETE FROM sbtest1' && run 0 "$xtime" prepare oltp_read_write "${at[@]}" --force
[ "$(sql 'SELECT count(*) FROM sbtest1')" = 500 ] || fail '--force did not load anew'
run 0 "$xtime" warmup oltp_read_write "${at[@]}"

# 20 statements and BEGIN and COMMIT, however they are sent; the server commits what we count.
for way in --protocol=prepared --protocol=extended --protocol=simple --db-ps-mode=disable --pipeline "--pipeline --protocol=extended"; do
  before=$(sql "SELECT sum(n_tup_upd) FROM pg_stat_user_tables")
  # shellcheck disable=SC2086  # two words
  run 0 "$xtime" run oltp_read_write "${at[@]}" --threads=1 --events=200 --time=60 --format=json $way
  json "r['points'][0]['transactions'] == 200 and r['points'][0]['queries']['read'] == 2800"
  updated() { [ "$(sql "SELECT sum(n_tup_upd) FROM pg_stat_user_tables")" = $((before + 400)) ]; }
  await 20 updated || fail "$way: $before updates before, $(sql "SELECT sum(n_tup_upd) FROM pg_stat_user_tables") after 200 transactions"
done
run 2 "$xtime" run oltp_read_write "${at[@]}" --events=1 --pipeline --protocol=simple; says "pipeline" "simple"
run 2 "$xtime" run oltp_read_write --events=1 --pipeline; says "--pipeline" "PostgreSQL"

# An error in the middle of a pipeline is told with the server's words.
printf 'BEGIN;\nSELECT 1/0;\nSELECT 1;\nCOMMIT;\n' >"$work/zero.sql"
run 1 "$xtime" run "$work/zero.sql" "${at[@]:0:4}" --events=1 --pipeline; says "division by zero" "zero.sql"
# \syncpipeline ends a transaction of its own inside a pipeline: what comes before an error behind it is kept.
printf '%s\n' '\startpipeline' 'CREATE TABLE synced (a int);' '\syncpipeline' 'SELECT 1/0;' '\endpipeline' >"$work/sync.sql"
run 1 "$xtime" run "$work/sync.sql" "${at[@]:0:4}" --events=1; says "division by zero" "client 0, transaction 1 of $work/sync.sql"
[ "$(sql "SELECT count(*) FROM pg_class WHERE relname = 'synced'")" = 1 ] || fail 'what came before \syncpipeline is gone'

# A client goes to sleep once for an answer: what else happens to its socket must not wake it.
run 0 "$xtime" run oltp_point_select "${at[@]}" --threads=2 --events=20000 --time=60 --format=json
json "r['points'][0]['context_switches']['voluntary'] <= 1.1 * r['points'][0]['transactions']"
run 0 "$xtime" cleanup oltp_read_write "${at[@]}"
[ "$(tables)" = 0 ] || fail "cleanup left $(tables) tables"

# A load that is ended leaves no half of a table.
"$xtime" prepare oltp_read_write "${at[@]:0:4}" --table-size=5000000 >"$work/.out" 2>"$work/.err" &
pid=$!
copying() { [ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY sbtest1 %'")" = 1 ]; }
await 20 copying
kill -TERM "$pid"
wait "$pid"
got=$?
[ "$got" = 130 ] || fail "interrupted prepare: exit $got: $(cat "$work/.err")"
[ "$(tables)" = 0 ] || fail "an interrupted load left a table"
done_testing
