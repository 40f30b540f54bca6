#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One database, several writers: transactions are retried, counted, and the wait for the lock is told.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" prepare oltp_update_non_index --table-size=1000 --sqlite-db="$work/d.db"
run 0 "$xtime" run oltp_update_non_index --table-size=1000 --sqlite-db="$work/d.db" --threads=1,2,4,8,16 --time=0.5 --rounds=1 --format=json
json "all(p['lock_wait_share'] is not None and p['failed'] == 0 for p in r['points']) and len(r['points']) == 5"
json "r['points'][2]['lock_wait_share'] > r['points'][0]['lock_wait_share']"
cat >"$work/upgrade.sql" <<'SQL'
\set id random(1, 1000)
BEGIN;
SELECT k FROM sbtest1 WHERE id = :id;
UPDATE sbtest1 SET k = k + 1 WHERE id = :id;
COMMIT;
SQL
run 0 "$xtime" run "$work/upgrade.sql" --sqlite-db="$work/d.db" --threads=8 --time=1 --format=json
json "r['points'][0]['errors']['busy_snapshot'] > 0 and r['points'][0]['failed'] == r['points'][0]['failures']['busy_snapshot'] + r['points'][0]['failures']['busy']"
run 0 "$xtime" run "$work/upgrade.sql" --sqlite-db="$work/d.db" --threads=8 --time=1 --max-tries=0 --format=json
json "r['points'][0]['failed'] == 0 and r['points'][0]['retries'] > 0 and 0 < r['points'][0]['retried'] <= r['points'][0]['retries']"
run 0 "$xtime" run oltp_update_non_index --table-size=1000 --sqlite-db="$work/d.db" --threads=4 --time=0.5
case $out in *"waiting for another's lock: "*) ;; *) fail "the table does not tell the wait: $out" ;; esac
grep -rqi "one writer" "$top_srcdir/README.md" || fail "the documentation does not say that SQLite has one writer"
done_testing
