#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A run ends though a lock never does; what did not end is told, and the status is not 0.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
run 0 "$xtime" prepare oltp_update_non_index --table-size=100 --sqlite-db="$work/d.db"
python3 -c "
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN EXCLUSIVE'); c.execute('UPDATE sbtest1 SET k = k')
open(sys.argv[2], 'w').close(); time.sleep(60)" "$work/d.db" "$work/held" &
holder=$!
await 10 test -e "$work/held"
begin=$SECONDS
run 1 "$xtime" run oltp_update_non_index --table-size=100 --sqlite-db="$work/d.db" --sqlite-busy-timeout=60000 --time=1 \
  --forced-shutdown=1 --threads=2
[ $((SECONDS - begin)) -le 8 ] || fail "took $((SECONDS - begin)) s"
says "did not end"
kill $holder
done_testing
