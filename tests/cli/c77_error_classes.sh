#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Errors have classes; one that is not expected ends the run unless asked otherwise.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 1 "$xtime" run oltp_point_select --db-driver=null --null-fail=exec:5 --events=10
says "statement 5 fails"
run 0 "$xtime" run oltp_point_select --db-driver=null --null-fail=exec:5 --events=10 --continue-on-error --report-per-command --format=json
json "r['points'][0]['failed'] == 1 and r['points'][0]['transactions'] == 9 and r['points'][0]['failures']['other'] == 1"
json "sorted(r['points'][0]['errors']) == ['busy', 'busy_snapshot', 'deadlock', 'other', 'serialization', 'unique']"
json "sum(c['failures'] for c in r['points'][0]['commands']) == 1"
json "abs(r['points'][0]['tps'] - 9 / r['points'][0]['seconds']) < 1e-3 * r['points'][0]['tps']"
cat >"$work/twice.sql" <<'SQL'
INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 1, 'c', 'p');
SQL
run 0 "$xtime" prepare oltp_point_select --table-size=10 --sqlite-db="$work/d.db"
run 1 "$xtime" run "$work/twice.sql" --sqlite-db="$work/d.db" --events=3; says "UNIQUE"
run 0 "$xtime" run "$work/twice.sql" --sqlite-db="$work/d.db" --events=3 --continue-on-error --format=json
json "r['points'][0]['failures']['unique'] == 3 and r['points'][0]['transactions'] == 0"

# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"
start_server || done_testing
server=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres)
run 0 "$xtime" prepare oltp_point_select --table-size=10 "${server[@]}"
run 1 "$xtime" run "$work/twice.sql" "${server[@]}" --events=3; says "duplicate key"
run 0 "$xtime" run "$work/twice.sql" "${server[@]}" --events=3 --continue-on-error --format=json
json "r['points'][0]['failures']['unique'] == 3 and r['points'][0]['transactions'] == 0"
json "sorted(r['points'][0]['errors']) == ['busy', 'busy_snapshot', 'deadlock', 'other', 'serialization', 'unique']"
printf 'BEGIN;\nSELECT k FROM sbtest1 WHERE id = 1;\n\\sleep 1 ms\nUPDATE sbtest1 SET k = k + 1 WHERE id = 1;\nEND;\n' >"$work/same.sql"
run 0 "$xtime" run "$work/same.sql" "${server[@]}" --isolation='repeatable read' --threads=4 --time=1 --format=json
json "r['points'][0]['failures']['serialization'] == r['points'][0]['failed'] > 0 and r['points'][0]['retries'] == 0"
run 0 "$xtime" run "$work/same.sql" "${server[@]}" --isolation='repeatable read' --threads=4 --time=1 --max-tries=0 --format=json
json "r['points'][0]['failed'] == 0 and r['points'][0]['retries'] == sum(r['points'][0]['errors'].values()) > 0"
stop_server
done_testing
