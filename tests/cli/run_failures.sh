#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What cannot be written is an error and status 1; too many threads for the limit of open files are refused.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

[ -e /dev/full ] || { echo "SKIP: no /dev/full"; exit 77; }
for format in table json csv sysbench; do
  "$xtime" run noop --db-driver=null --events=10 --format=$format >/dev/full 2>"$work/.err"
  [ $? = 1 ] || fail "$format on a full disk: not status 1"
  grep -q "No space left" "$work/.err" || fail "$format on a full disk: $(cat "$work/.err")"
  "$xtime" run noop --db-driver=null --events=10 --format=$format >&- 2>"$work/.err"
  [ $? = 1 ] || fail "$format with stdout closed: not status 1"
done
"$xtime" run noop --db-driver=null --time=0.5 --report-interval=0.1 --format=sysbench 2>"$work/.err" | head -n 1 >/dev/null
[ "${PIPESTATUS[0]}" = 1 ] || fail "a reader that has gone: status ${PIPESTATUS[0]}"
run 1 "$xtime" run noop --db-driver=null --events=10 --output=/dev/full; says "No space left"
run 1 "$xtime" run noop --db-driver=null --events=10 --log --log-prefix="$work/none/x"; says "cannot write the log" "none/x"
mkdir "${work:?}/ro" && chmod 500 "$work/ro"
[ "$(id -u)" = 0 ] || { run 2 "$xtime" run noop --db-driver=null --events=1 --output="$work/ro/r.json"; says "ro"; }
# Before 1,000 threads start: the limit, what is needed, how to raise it; nothing is run, a limit that is raisable is raised.
for driver in sqlite pgsql; do
  "$xtime" list drivers | grep -q "^ *$driver" || continue
  (ulimit -n 300; "$xtime" run oltp_point_select --db-driver=$driver --table-size=100 --threads=1000 --events=1000) >"$work/.out" 2>"$work/.err"
  got=$? err=$(<"$work/.err")
  [ $got = 2 ] || fail "$driver, 300 open files: status $got: $err"
  says "1000 threads need" "at most 300" "ulimit -n" "fewer threads"
  [ ! -s "$work/.out" ] || fail "$driver: something was run"
done
(ulimit -n 300; "$xtime" run noop --db-driver=null --threads=200 --events=1000 --log --log-prefix="$work/l") >"$work/.out" 2>"$work/.err"
got=$? err=$(<"$work/.err")
[ $got = 2 ] || fail "200 logs: status $got"
says "200 threads need"
(ulimit -Sn 100; exec "$xtime" run oltp_point_select --table-size=10 --threads=100 --events=200) >"$work/.out" 2>"$work/.err" ||
  fail "a soft limit was not raised: $(cat "$work/.err")"
run 0 "$xtime" run noop --db-driver=null --threads=1000 --events=5000 --format=json
json "r['points'][0]['transactions'] == 5000"
# Who failed: client, transaction and script, then the place; in other sections the section.
printf '%s\n' '\section connect' '\set n 0' '\section run' '\set n :n + 1' 'SELECT 1;' '\if :client_id = 3 and :n = 17' \
  '\set boom 1 / 0' '\endif' >"$work/seventeen.sql"
run 1 "$xtime" run "$work/seventeen.sql" --db-driver=null --threads=4 --time=60
says "client 3, transaction 17 of $work/seventeen.sql: $work/seventeen.sql:7:1: division by zero"
printf 'SELECT 1;\n' >"$work/fine.sql"
run 1 "$xtime" run --file="$work/fine.sql@3" --file="$work/seventeen.sql" --db-driver=null --threads=4 --time=60 --think=fixed:1us
says "of $work/seventeen.sql: $work/seventeen.sql:7:1: division by zero"
printf 'SELECT nonsense;\n' >"$work/part.sql"
printf '\\include part.sql\n' >"$work/whole.sql"
run 1 "$xtime" run "$work/whole.sql" --events=3 --time=0
says "client 0, transaction 1 of $work/whole.sql: $work/part.sql:1:1: " nonsense
for section in prepare connect disconnect; do
  printf '%s\n' "\\section $section" '\set boom 1 / 0' '\section run' 'SELECT 1;' >"$work/section.sql"
  run 1 "$xtime" run "$work/section.sql" --threads=1 --events=3 --time=0
  says "client 0, $section section of $work/section.sql: $work/section.sql:2:1: division by zero"
done
run 1 "$xtime" run noop --db-driver=null --null-fail=connect:2 --threads=3 --time=1
says "client 2: "
# A barrier that not all reach holds nobody up.
printf '%s\n' '\section prepare' '\if :client_id = 0' '\barrier' '\endif' '\section run' 'SELECT 1;' >"$work/barrier.sql"
run 0 timeout 30 "$xtime" prepare "$work/barrier.sql" --db-driver=null --threads=3
done_testing
