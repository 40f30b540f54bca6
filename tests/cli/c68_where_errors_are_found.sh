#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What can be known from the script is status 2 and runs nothing; what only a run shows is status 1.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

early() { printf '%b' "$1" >"$work/s.sql"; run 2 "$xtime" run "$work/s.sql" --db-driver=null --events=1 --format=json; [ -z "$out" ] || fail "something was run: $1"; says "s.sql:1"; }
late() { printf '%b' "$1" >"$work/s.sql"; run 1 "$xtime" run "$work/s.sql" --db-driver=null --events=1 --format=json; says "s.sql:1" "$2"; json "r['points'][0]['transactions'] == 0"; }
early '\\nosuch\n'
early '\\set x nosuch(1)\n'
early '\\set x pi(1)\n'
early '\\set x\n'
early '\\sleep 1 week\n'
early '\\if true\n'
late '\\set x 1 / 0\n' "division by zero"
late '\\set x :y\n' "undefined variable"
late '\\set x random(5, 3)\n' "empty range"
late '\\set x 9223372036854775807 + 1\n' "out of range"
late '\\set x -9223372036854775807 - 2\n' "out of range"
late '\\set x 9223372036854775807 * 2\n' "out of range"
late '\\set x (-9223372036854775807 - 1) / -1\n' "out of range"
late '\\set x int(1e30)\n' "overflow"
late '\\set x random_zipfian(1, 10, 0.5)\n' "parameter"
printf '\\set x :word + 1\n' >"$work/s.sql"
run 1 "$xtime" run "$work/s.sql" --db-driver=null --events=1 --define=word=abc --format=json; says "s.sql:1" "abc"
json "r['points'][0]['transactions'] == 0"
done_testing
