#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A rate above what can be done: the run ends, says so, and takes no memory for it.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf '\\sleep 1 ms\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --rate=1000000 --time=0.5 --format=json
json "r['points'][0]['rate']['offered_per_s'] == 1e6 and r['points'][0]['rate']['achieved_per_s'] < 2000"
json "r['points'][0]['rate']['backlog'] > 400000 and r['points'][0]['lag_ms']['max'] > 400"
small=$(python3 -c "import json, sys; print(json.loads(sys.argv[1])['points'][0]['peak_memory_kb'])" "$out")
run 0 "$xtime" run "$work/s.sql" --db-driver=null --rate=1000000 --time=2 --format=json
json "r['points'][0]['peak_memory_kb'] - $small < 5000"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --rate=1000000 --time=0.2
for word in "offered 1000000/s" "achieved" "schedule lag: avg"; do
  case $out in *"$word"*) ;; *) fail "the table does not say '$word': $out" ;; esac
done
done_testing
