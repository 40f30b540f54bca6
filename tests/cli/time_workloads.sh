#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The workloads that ask the engine for the time: `xtime ab` of each on each database is not void, and the calls per
# transaction are those of the table in doc/workloads.md (SQLite's exactly; PostgreSQL's within a fifth, since servers
# of other versions read the clock at other places).
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# documented NAME COLUMN: the figure of the table
documented() {
  awk -F'|' -v name="\`$1\`" -v column="$2" 'index($2, name) == 2 { gsub(/ /, "", $column); print $column; exit }' \
    "$top_srcdir/doc/workloads.md"
}

# counted NAME DRIVER FIGURE TOLERANCE
counted() {
  run 0 "$xtime" ab "$1" --db-driver="$2" --time=1 --warmup-time=0.3 --format=json
  json "abs(r['points'][0]['calls_per_transaction']['gettimeofday'] - $3) <= $3 * $4"
  json "all(c['verdict'] != 'void' for c in r['points'][0]['comparisons'])"
}

for name in time_select time_audit time_append; do
  counted "$name" sqlite "$(documented "$name" 3)" 0.01
done
if "$xtime" list drivers | grep -q pgsql && "$xtime" run noop --db-driver=pgsql --time=0 --events=1 >/dev/null 2>&1; then
  for name in time_select time_audit time_append; do
    counted "$name" pgsql "$(documented "$name" 4)" 0.2
  done
fi
done_testing
