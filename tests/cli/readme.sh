#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The option lists in README.md and doc/commands.md are what the binary prints. UPDATE=1 writes them anew.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# The text with the block behind "<!-- help -->" replaced by `xtime help`.
readme() {
  awk -v help="$work/help" '
    /^<!-- help -->$/ { print; getline; print; while ((getline line < help) > 0) print line; skip = 1; next }
    skip && /^```$/ { skip = 0 }
    !skip' "$top_srcdir/README.md"
}

commands() {
  awk '/^## / { exit } { print }' "$top_srcdir/doc/commands.md" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
  "$xtime" help | awk '/^  [a-z]/ { print $1 }' | while read -r command; do
    printf '\n## %s\n\n```text\n' "$command"
    "$xtime" help "$command"
    printf '```\n'
  done
}

"$xtime" help >"$work/help"
readme >"$work/README.md"
commands >"$work/commands.md"
if [ "${UPDATE:-}" = 1 ]; then
  cp "$work/README.md" "$top_srcdir/README.md"
  cp "$work/commands.md" "$top_srcdir/doc/commands.md"
fi
diff -u "$top_srcdir/README.md" "$work/README.md" || fail "README.md is not what xtime help prints (UPDATE=1 tests/cli/readme.sh)"
diff -u "$top_srcdir/doc/commands.md" "$work/commands.md" ||
  fail "doc/commands.md is not what xtime help prints (UPDATE=1 tests/cli/readme.sh)"

# Every shipped workload stands in the list and explains itself.
for file in "$top_srcdir"/workloads/*.sql; do
  name=$(basename "$file" .sql)
  "$xtime" list workloads | grep -q "^  $name  *[^ ]" || fail "list workloads does not name $name"
  "$xtime" help "$name" >/dev/null || fail "help $name fails"
done
done_testing
