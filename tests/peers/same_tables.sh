#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An unmodified pgbench script leaves the same rows in SQLite as in PostgreSQL for the same seed and one client; so do the
# TPC-B-like transactions, and the balances that they keep agree. What `prepare tpcb-like` makes is what `pgbench -i` makes.
# shellcheck source=tests/peers/lib.sh
. "${top_srcdir:?}/tests/peers/lib.sh"

command -v sqlite3 >/dev/null || skip 'no sqlite3'
start_server
pg=(--db-driver=pgsql --pgsql-host="$PGHOST" --pgsql-user="$PGUSER" --pgsql-db="$PGDATABASE")
lite=(--db-driver=sqlite --sqlite-db="$work/lite.db")

cat >"$work/script.sql" <<'SQL'
\set size 1000
\set r random_zipfian(1, :size, 1.07)
\set k 1 + permute(:r, :size)
\set delta random(-100, 100)
\set g random_gaussian(1, 1000, 2.5) + random_exponential(1, 10, 3)
BEGIN;
SELECT count(*) AS seen, coalesce(max(v), 0) AS newest FROM counters WHERE k = :k \gset
\if :seen > 0
UPDATE counters SET v = v + :delta, n = n + 1 WHERE k = :k;
\else
INSERT INTO counters (k, v, n) VALUES (:k, :delta, 1);
\endif
\if :newest > 50
\set w abs(hash(:r)) % 10
INSERT INTO log (k, w, g) VALUES (:k, :w, :g);
\endif
END;
SQL
ddl='CREATE TABLE counters (k int, v int, n int); CREATE TABLE log (k int, w int, g int);'
psql -q -c "$ddl" && sqlite3 "$work/lite.db" "$ddl" || exit 1

both()
{
	"$xtime" "$@" "${pg[@]}" >"$work/out" 2>&1 || fail "$* on PostgreSQL: $(tail -n 3 "$work/out")"
	"$xtime" "$@" "${lite[@]}" >"$work/out" 2>&1 || fail "$* on SQLite: $(tail -n 3 "$work/out")"
}

# same QUERY: one column each, numbers.
same()
{
	psql -qAt -c "$1" >"$work/pg.rows"
	sqlite3 "$work/lite.db" "$1" >"$work/lite.rows"
	[ -s "$work/pg.rows" ] || fail "no rows: $1"
	cmp -s "$work/pg.rows" "$work/lite.rows" || {
		fail "other rows: $1"
		diff "$work/pg.rows" "$work/lite.rows" | head -n 5
	}
}

both run "$work/script.sql" --events=500 --time=0 --rand-seed=42
same 'SELECT k, v, n FROM counters ORDER BY 1, 2, 3'
same 'SELECT k, w, g FROM log ORDER BY 1, 2, 3'
[ "$(psql -qAt -c 'SELECT sum(n) FROM counters')" = 500 ] || fail 'not every transaction is in the table'

both prepare tpcb-like
both run tpcb-like --events=200 --time=0 --rand-seed=7
same 'SELECT tid, bid, aid, delta FROM pgbench_history ORDER BY 1, 2, 3, 4'
same 'SELECT sum(abalance) FROM pgbench_accounts'
same 'SELECT tid, bid, tbalance FROM pgbench_tellers ORDER BY 1'
sums='SELECT (SELECT sum(abalance) FROM pgbench_accounts) = (SELECT sum(bbalance) FROM pgbench_branches)
	AND (SELECT sum(tbalance) FROM pgbench_tellers) = (SELECT sum(delta) FROM pgbench_history)'
[ "$(psql -qAt -c "$sums")" = t ] || fail 'balances do not agree on PostgreSQL'
[ "$(sqlite3 "$work/lite.db" "$sums")" = 1 ] || fail 'balances do not agree on SQLite'

both prepare oltp_read_write --table-size=200 --rand-seed=3
same 'SELECT id, k FROM sbtest1 ORDER BY 1'
same "SELECT count(*), min(length(c)), max(length(c)), max(length(pad)) FROM sbtest1 WHERE c LIKE '%-%'"

# pgbench's own initialization, in a database of its own
if [ -x "$pgbench" ] && command -v pg_dump >/dev/null; then
	psql -q -c 'CREATE DATABASE theirs' -c 'CREATE DATABASE ours' || exit 1
	# steps in the order given, the same letter twice, some left out; what fails in one fails in the other
	for steps in dtgvp dtGvp dtpgf 'd t p f G v' dtp G gg dtgd d p dtgpp; do
		"$pgbench" -i -q -I "$steps" theirs >"$work/out" 2>&1
		theirs=$?
		"$xtime" prepare tpcb-like --init-steps="$steps" --threads=$((${#steps} % 3 + 1)) --db-driver=pgsql \
			--pgsql-host="$PGHOST" --pgsql-user="$PGUSER" --pgsql-db=ours >>"$work/out" 2>&1
		[ $((theirs != 0)) = $(($? != 0)) ] || fail "-I $steps: pgbench ends with $theirs: $(cat "$work/out")"
		for db in theirs ours; do
			{
				pg_dump -s $db | grep -v '^\\\(un\)\?restrict '
				psql -qAt -d $db -c 'SELECT * FROM pgbench_accounts ORDER BY aid' -c 'SELECT * FROM pgbench_tellers ORDER BY tid' \
					-c 'SELECT * FROM pgbench_branches ORDER BY bid'
			} >"$work/$db" 2>"$work/$db.none"
		done
		cmp "$work/theirs" "$work/ours" || fail "-I $steps: the tables differ: $(diff "$work/theirs" "$work/ours" | head -n 5)"
	done
fi
done_testing 'tables compared'
