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
(ulimit -n 300; "$xtime" run oltp_point_select --table-size=100 --threads=1000 --events=1000) >"$work/.out" 2>"$work/.err"
got=$?
[ $got = 0 ] || grep -qi "open files\|descriptors" "$work/.err" || fail "300 descriptors: $(cat "$work/.err")"
run 0 "$xtime" run noop --db-driver=null --threads=1000 --events=5000 --format=json
json "r['points'][0]['transactions'] == 5000"
done_testing
