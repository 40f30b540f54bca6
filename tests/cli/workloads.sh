#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every shipped workload on SQLite: prepare makes tables, warmup reads them, run does what it is told and no statement
# fails, cleanup leaves no table behind. And every one that needs no row of an answer runs on the null driver.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh"

tables() {
  python3 -c '
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM sqlite_master WHERE type = ?", ("table",))
print(rows.fetchone()[0])' "$1"
}

# life WORKLOAD [OPTION...]
life() {
  local before=$failures
  whole_life "$@"
  [ "$failures" -eq "$before" ] && echo "ok $1" || echo "not ok $1"
}

whole_life() {
  local workload=$1 db=$work/$1.db sections least=20
  shift
  # Its rows are sent many at a time.
  [ "$workload" != bulk_insert ] || least=4
  run 0 "$xtime" help "$workload"
  sections=" ${out%%$'\n'*} "
  case $workload in
    time_append | time_audit) ;; # they look at answers
    *)
      run 0 "$xtime" run "$workload" --db-driver=null --events=20 --format=json "$@"
      json 'r["points"][0]["transactions"] == 20'
      ;;
  esac
  case $sections in *' prepare '*) ;; *) return ;; esac

  run 0 "$xtime" prepare "$workload" --sqlite-db="$db" "$@"
  [ "$(tables "$db")" -gt 0 ] || fail "$workload: prepare made no table"
  case $sections in
    *' warmup '*) run 0 "$xtime" warmup "$workload" --sqlite-db="$db" "$@" ;;
  esac
  run 0 "$xtime" run "$workload" --sqlite-db="$db" --events=20 --format=json "$@"
  json 'r["points"][0]["transactions"] == 20 and not any(r["points"][0]["errors"].values())'
  json "r['points'][0]['queries']['total'] >= $least"
  run 0 "$xtime" cleanup "$workload" --sqlite-db="$db" "$@"
  [ "$(tables "$db")" -eq 0 ] || fail "$workload: cleanup left $(tables "$db") table(s)"
}

life noop
for workload in oltp_delete oltp_insert oltp_point_select oltp_read_only oltp_read_write oltp_time \
  oltp_update_index oltp_update_non_index oltp_write_only; do
  life $workload --table-size=200
done
for workload in select_random_points select_random_ranges; do
  life $workload --table-size=2000
done
for workload in select-only simple-update tpcb-like; do
  life $workload --scale=1
done
life bulk_insert --rows-per-insert=5
for workload in time_append time_audit time_select; do
  life $workload
done
[ "$failures" -eq 0 ]
