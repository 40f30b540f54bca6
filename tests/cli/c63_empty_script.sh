#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A script without commands is refused before anything is opened; odd line ends are fine.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

: >"$work/empty.sql"
printf -- '-- a comment\n\n   \n' >"$work/comments.sql"
for script in empty comments; do
  run 2 "$xtime" run "$work/$script.sql" --sqlite-db="$work/none.db" --events=1
  says "$script.sql" "no commands"
  [ ! -e "$work/none.db" ] || fail "$script: a database was made"
done
printf 'SELECT 1;\r\nSELECT 2;\r\n' >"$work/crlf.sql"
printf 'SELECT 1;\nSELECT 2;' >"$work/unfinished.sql"
for script in crlf unfinished; do
  run 0 "$xtime" run "$work/$script.sql" --events=3 --format=json
  json "r['points'][0]['queries']['read'] == 6"
done
done_testing
