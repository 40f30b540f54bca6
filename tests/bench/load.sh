#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Loading PostgreSQL: a million rows of sbtest1 against sysbench, pgbench_accounts' columns against pgbench -i.
# ROWS=N and SCALE=N make it shorter.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"
# shellcheck source=tests/bench/pgserver.sh
. "$top_srcdir/tests/bench/pgserver.sh"

needs sysbench python3
pg_start max_wal_size=4GB
pgbench=$pg_bin/pgbench
needs "$pgbench"
rows=${ROWS:-1000000}
scale=${SCALE:-10}
rounds=$((pairs < 3 ? pairs : 3))
connection=(--db-driver=pgsql --pgsql-host="$PGHOST" --pgsql-user="$PGUSER" --pgsql-db="$PGDATABASE")

# seconds_of COMMAND…
seconds_of()
{
	local from=$EPOCHREALTIME
	"$@" >"$scratch/stdout" 2>"$scratch/stderr" || broken "$*"
	minus "$EPOCHREALTIME" "$from"
}

ratios=()
for ((pair = 0; pair < rounds; pair++)); do
	own=$(seconds_of "$xtime" prepare oltp_read_write "${connection[@]}" --table-size="$rows") || broken "$own"
	"$xtime" cleanup oltp_read_write "${connection[@]}" >/dev/null 2>"$scratch/stderr" || broken 'xtime cleanup'
	peer=$(seconds_of sysbench oltp_read_write "${connection[@]}" --table-size="$rows" prepare) || broken "$peer"
	sysbench oltp_read_write "${connection[@]}" cleanup >/dev/null 2>&1
	ratios+=("$(divide "$peer" "$own")")
	printf '%d rows of sbtest1: xtime %.2f s, sysbench %.2f s\n' "$rows" "$own" "$peer"
done
goal "loading sbtest1, xtime's speed over sysbench's" "$(median "${ratios[@]}")" least 2

cat >"$scratch/accounts.sql" <<END
\section prepare
DROP TABLE IF EXISTS accounts;
CREATE TABLE accounts (aid int NOT NULL, bid int, abalance int, filler char(84));
\load accounts $scale * 100000 aid = :row, bid = (:row - 1) / 100000 + 1, abalance = 0, filler = ''
\section run
SELECT 1;
END
ratios=()
for ((pair = 0; pair < rounds; pair++)); do
	own=$(seconds_of "$xtime" prepare "$scratch/accounts.sql" "${connection[@]}") || broken "$own"
	seconds_of "$pgbench" -q -i -I dtg -s "$scale" >/dev/null
	peer=$(sed -n 's/.*client-side generate \([0-9.]*\) s.*/\1/p' "$scratch/stderr")
	[ -n "$peer" ] || broken 'pgbench -i printed no time'
	ratios+=("$(divide "$peer" "$own")")
	printf '%d rows of accounts: xtime %.2f s, pgbench -i (its generation alone) %.2f s\n' $((scale * 100000)) "$own" "$peer"
done
goal "loading accounts, xtime's speed over pgbench -i's" "$(median "${ratios[@]}")" least 0.9
finish
