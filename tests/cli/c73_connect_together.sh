#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 64 connections open a new database at once, and the record shows the settings as read back.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" prepare oltp_point_select --table-size=100 --sqlite-db="$work/d.db"
case $("$xtime" run oltp_point_select --table-size=100 --sqlite-db="$work/d.db" --sqlite-busy-timeout=7000 --events=1 | tr -s ' \n' ' ') in
  *"$work/d.db"*"journal wal, synchronous normal, page size 4096, busy timeout 7000 ms, multi-thread"*) ;;
  *) fail "the table's head does not show the settings" ;;
esac
for _ in $(seq 20); do
  rm -f "$work"/d.db*
  run 0 "$xtime" prepare oltp_point_select --table-size=100 --sqlite-db="$work/d.db"
  run 0 "$xtime" run oltp_point_select --table-size=100 --sqlite-db="$work/d.db" --threads=64 --events=640 --format=json
  json "sum(r['points'][0]['errors'].values()) == 0 and r['points'][0]['transactions'] == 640"
  json "r['driver']['journal_mode'] == 'wal' and r['points'][0]['connect_ms']['count'] == 64"
done
done_testing
