#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# doc/workloads.md: each block marked sql is a workload that runs on SQLite, each marked sql-error is refused with a caret;
# every meta-command and function of the language is named there.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

doc=$top_srcdir/doc/workloads.md
awk -v work="$work" '
  /^```sql$/ { n++; name = sprintf("%s/good-%02d.sql", work, n); next }
  /^```sql-error$/ { n++; name = sprintf("%s/bad-%02d.sql", work, n); next }
  /^```$/ { name = ""; next }
  name { print > name }' "$doc"

good=0
for file in "$work"/good-*.sql; do
  run 0 "$xtime" run "$file" --db-driver=sqlite --sqlite-db=:memory: --events=3 --time=0 --threads=1
  [ "$failures" = 0 ] || cat "$file" >&2
  good=$((good + 1))
done
[ "$good" -ge 6 ] || fail "only $good examples in $doc"
for file in "$work"/bad-*.sql; do
  run 2 "$xtime" run "$file" --db-driver=null --events=1
  grep -q '^ *^$' <<<"$err" || fail "no caret for $file: $err"
done

# The two tables that the language is read from, name by name.
sed -n 's/^	{"\([a-z]*\)", *\(xt_\)\{0,1\}meta_.*/\\\1/p' "$top_srcdir/src/script/meta.c" >"$work/names"
sed -n 's/^	{"\([a-z_0-9]*\)", XT_FN_.*/\1(/p' "$top_srcdir/src/script/fn.c" >>"$work/names"
[ "$(wc -l <"$work/names")" -ge 45 ] || fail 'the tables of meta-commands and functions were not found'
while IFS= read -r name; do
  grep -qF -e "$name" "$doc" || grep -qF -e "\`${name%(}\`" "$doc" || fail "doc/workloads.md does not name $name"
done <"$work/names"

# Every shipped workload is named, too.
for file in "$top_srcdir"/workloads/*.sql; do
  name=$(basename "$file" .sql)
  grep -qF "\`$name\`" "$doc" || fail "doc/workloads.md does not name $name"
done
done_testing
