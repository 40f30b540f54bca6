#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 64 connections open a new database at once, and the record shows the settings as read back.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" prepare oltp_point_select --table-size=100 --sqlite-db="$work/d.db"
for _ in 1 2 3; do
  run 0 "$xtime" run oltp_point_select --table-size=100 --sqlite-db="$work/d.db" --threads=64 --events=640 --format=json
  json "sum(r['points'][0]['errors'].values()) == 0 and r['points'][0]['transactions'] == 640"
  json "r['driver']['journal_mode'] == 'wal' and r['points'][0]['connect_ms']['count'] == 64"
done
done_testing
