#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A script that leaves its transaction open ends the run; undefined variables are told in expressions; -D and set have their order.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf 'BEGIN;\nSELECT 1;\n' >"$work/open.sql"
run 1 "$xtime" run "$work/open.sql" --events=5 --format=json
says "open.sql:2:1" "without completing the last transaction"
json "r['points'][0]['transactions'] <= 1 and r['points'][0]['ended_by'] == 'error'"
printf '\\set a :undef + 1\nSELECT :a;\n' >"$work/undef.sql"
run 1 "$xtime" run "$work/undef.sql" --events=1
says "undef.sql:1:1" "undef"
# In SQL a variable without a value is NULL.
printf 'SELECT :undef IS NULL AS a, 1 + :undef IS NULL AS b \\gset\n\\set x debug(:a + :b)\nSELECT 1 \\; SELECT :undef IS NULL AS a \\gset\n\\set x debug(:a)\n' >"$work/null.sql"
run 0 "$xtime" run "$work/null.sql" --events=1; says "int 2" "int 1"
printf '\\set x :scale\n\\if :x <> 5\n\\set boom 1/0\n\\endif\nSELECT :x;\n' >"$work/d.sql"
run 0 "$xtime" run "$work/d.sql" --define=scale=5 --events=1
run 1 "$xtime" run "$work/d.sql" --events=1; says "division by zero"
printf '\\set x 5\n\\if :x <> 5\n\\set boom 1/0\n\\endif\nSELECT 1;\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --define=x=6 --events=1

# Casts and quoted colons are the database's, as in pgbench; and the same with PostgreSQL.
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"
start_server || done_testing
server=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres)
for protocol in prepared extended simple; do
  run 1 "$xtime" run "$work/open.sql" "${server[@]}" --protocol=$protocol --events=5 --format=json
  says "open.sql:2:1" "without completing the last transaction"
  json "r['points'][0]['transactions'] <= 1 and r['points'][0]['ended_by'] == 'error'"
  printf '\\set x 5\nSELECT CASE WHEN %s THEN 1 ELSE 1 / 0 END;\n' ":x::int = 5 AND '5'::int = :x" >"$work/cast.sql"
  run 0 "$xtime" run "$work/cast.sql" "${server[@]}" --protocol=$protocol --events=2
  run 1 "$xtime" run "$work/undef.sql" "${server[@]}" --protocol=$protocol --events=1; says "undef.sql:1:1" "undef"
  run 0 "$xtime" run "$work/d.sql" "${server[@]}" --protocol=$protocol --define=scale=5 --events=1
done
stop_server
done_testing
