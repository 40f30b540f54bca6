#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sysbench's OLTP tests by sysbench and by xtime, on one server that logs every statement: the same schema after prepare,
# and the same number of statements of each shape in a run of a fixed number of transactions.
# Three sets of options each at least.
# shellcheck source=tests/peers/lib.sh
. "${top_srcdir:?}/tests/peers/lib.sh"

command -v sysbench >/dev/null || skip 'no sysbench'
command -v pg_dump >/dev/null || skip 'no pg_dump'
start_server log_statement=all max_connections=30
psql -q -c 'create database theirs' -c 'create database ours' || exit 1
compared=0
events=60

sb()
{
	sysbench --db-driver=pgsql --pgsql-host="$PGHOST" --pgsql-user="$PGUSER" --pgsql-db=theirs "$@" >"$work/out" 2>&1 ||
		fail "sysbench $*: $(tail -n 3 "$work/out")"
}

xt()
{
	"$xtime" "$@" --db-driver=pgsql --pgsql-host="$PGHOST" --pgsql-user="$PGUSER" --pgsql-db=ours >"$work/out" 2>&1 ||
		fail "xtime $*: $(tail -n 3 "$work/out")"
}

schema()
{
	pg_dump -s "$1" | grep -v '^\\\(un\)\?restrict '
}

# The statements since byte $1 of the log: continued lines joined, values and parameters as ?, tables as sbtestN.
shapes()
{
	tail -c "+$(($1 + 1))" "$work/log" | awk '
		/LOG:  (statement|execute [^:]*): / { if (s != "") print s; s = $0; sub(/^.*LOG:  (statement|execute [^:]*): /, "", s); next }
		/^\t/ { s = s " " $0; next }
		{ if (s != "") print s; s = "" }
		END { if (s != "") print s }' |
		sed -E "s/'[^']*'/?/g; s/\\\$[0-9]+/?/g; s/sbtest[0-9]+/sbtestN/g; s/([ (,=])-?[0-9]+\b/\1?/g; s/[[:space:]]+/ /g; s/VALUES \(/VALUES(/
			s/\(\?(, ?\?)*\)/(?)/g; s/^ //; s/ $//" |
		grep -v -e '^SELECT version()' -e current_setting -e 'max(id)' -e 'CREATE TABLE IF NOT EXISTS' | sort | uniq -c
}

# compare TEST OPTION…
compare()
{
	local test=$1 start db
	shift
	for db in theirs ours; do
		psql -q -d $db -c 'drop schema public cascade' -c 'create schema public' >"$work/out" 2>&1 || cat "$work/out"
	done
	sb "$test" "$@" prepare
	xt prepare "$test" "$@"
	diff <(schema theirs) <(schema ours) || fail "$test $*: another schema"
	start=$(stat -c %s "$work/log")
	sb "$test" "$@" --events=$events --time=0 --rand-seed=1 run
	shapes "$start" >"$work/theirs"
	start=$(stat -c %s "$work/log")
	xt run "$test" "$@" --events=$events --time=0
	shapes "$start" >"$work/ours"
	diff "$work/theirs" "$work/ours" || fail "$test $*: other statements"
	[ -s "$work/theirs" ] || fail "$test $*: no statements in the log"
	compared=$((compared + 1))
}

for test in oltp_read_write oltp_read_only oltp_write_only oltp_point_select oltp_update_index oltp_update_non_index \
	oltp_delete oltp_insert; do
	compare $test --table-size=100 --tables=2
	compare $test --table-size=100 --tables=3 --auto-inc=off --create-secondary=off
	compare $test --table-size=100 --skip-trx=on --point-selects=3 --simple-ranges=2 --sum-ranges=0 --order-ranges=3 \
		--distinct-ranges=2 --index-updates=2 --non-index-updates=3 --delete-inserts=2 --range-size=7
done
compare oltp_read_write --table-size=100 --range-selects=off
for test in select_random_points select_random_ranges; do
	compare $test --table-size=500
	compare $test --table-size=500 --auto-inc=off
done
compare select_random_points --table-size=300 --random-points=4
compare select_random_ranges --table-size=300 --number-of-ranges=3 --delta=9
# Up to the default of --rows-per-insert; sysbench sends all that fit in 512 KB.
for events in 60 700 1000; do compare bulk_insert; done
# Rows that do not fill an INSERT are sent at the end; how the events fall on two threads is a matter of chance.
events=1570
for db in theirs ours; do
	psql -q -d $db -c 'drop schema public cascade' -c 'create schema public' >"$work/out" 2>&1 || cat "$work/out"
done
sb bulk_insert --threads=2 prepare
xt prepare bulk_insert --threads=2
sb bulk_insert --threads=2 --events=$events --time=0 run
xt run bulk_insert --threads=2 --events=$events --time=0
for db in theirs ours; do
	got=$(psql -qAt -d $db -c "select sum(rows), bool_and(whole) from (
		select count(*) as rows, count(*) = coalesce(max(id), 0) and bool_and(id = k) as whole from sbtest1
		union all select count(*), count(*) = coalesce(max(id), 0) and bool_and(id = k) from sbtest2) as t")
	[ "$got" = "$events|t" ] || fail "bulk_insert: $db has $got rows, not $events"
done
done_testing "$compared runs compared"
