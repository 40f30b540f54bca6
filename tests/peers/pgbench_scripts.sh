#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Scripts run once by pgbench and by xtime on PostgreSQL: the same end (done, refused when read, failed when run) and the
# same debug() lines. Those without PostgreSQL's own SQL also run on SQLite. In scripts.txt a title ends in "pg" for
# PostgreSQL alone and in "prepared" where pgbench needs that protocol.
# shellcheck source=tests/peers/lib.sh
. "${top_srcdir:?}/tests/peers/lib.sh"

start_server
[ -x "$pgbench" ] || skip 'no pgbench'
count=0

# A name that is none and a pipeline left open, which pgbench finds when it runs them, xtime refuses when it reads them.
same_end()
{
	[ "$1" = "$2" ] || { [ "$1" = 2 ] && [ "$2" = 1 ] && [[ $title == *'with a dash'* || $title == pipeline* ]]; }
}

run_script()
{
	local theirs ours status protocol=simple
	[[ $title != *prepared ]] || protocol=prepared
	"$pgbench" -n -t 1 -M $protocol -f "$work/s.sql" >/dev/null 2>"$work/theirs"
	theirs=$?
	"$xtime" run "$work/s.sql" --db-driver=pgsql --pgsql-host="$PGHOST" --pgsql-user="$PGUSER" --pgsql-db="$PGDATABASE" \
		--protocol=$protocol --allow-shell --events=1 >/dev/null 2>"$work/ours"
	status=$?
	ours=$((status == 0 ? 0 : 3 - status))
	count=$((count + 1))
	same_end $theirs $ours || {
		fail "$title: pgbench ends with $theirs, xtime with $status"
		cat "$work/theirs" "$work/ours"
	}
	diff <(grep '^debug(' "$work/theirs") <(grep '^debug(' "$work/ours") || fail "$title: other debug() lines"
	case $title in *pg | *prepared) return ;; esac
	"$xtime" run "$work/s.sql" --db-driver=sqlite --sqlite-db=:memory: --allow-shell --events=1 >/dev/null 2>"$work/sqlite"
	status=$?
	same_end $theirs $((status == 0 ? 0 : 3 - status)) || {
		fail "$title: pgbench ends with $theirs, xtime on SQLite with $status"
		cat "$work/theirs" "$work/sqlite"
	}
	diff <(grep '^debug(' "$work/theirs") <(grep '^debug(' "$work/sqlite") || fail "$title: other debug() lines on SQLite"
}

title=''
while IFS= read -r line; do
	case $line in
	'=== '*)
		[ -z "$title" ] || run_script
		title=${line#=== }
		: >"$work/s.sql"
		;;
	*) printf '%s\n' "$line" >>"$work/s.sql" ;;
	esac
done <"$peers/scripts.txt"
run_script
[ "$count" -ge 40 ] || fail "only $count scripts"
done_testing "$count scripts"
