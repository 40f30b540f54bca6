#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# prepare refuses a table that exists and says what to do; --force drops it, also when it looks otherwise.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

at=(oltp_read_write --sqlite-db="$work/force.db")
run 0 "$xtime" prepare "${at[@]}" --table-size=10
run 1 "$xtime" prepare "${at[@]}" --table-size=10
says "sbtest1 already exists" "xtime cleanup oltp_read_write" "--force"
run 0 "$xtime" prepare "${at[@]}" --tables=2 --table-size=20 --force
run 0 "$xtime" run "${at[@]}" --tables=2 --table-size=20 --events=5 --time=0 --validate
run 2 "$xtime" prepare noop --force --sqlite-db="$work/none.db"
says "no prepare section"
run 2 "$xtime" cleanup "${at[@]}" --force
says "--force"
done_testing
