#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Same seed, same statements: reports and implementations of time() change none of them.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

first=
for options in "" "" "--report-interval=1" "--report-interval=0.1" "--report-interval=0.1 --report-checkpoints=0.05" "--report-per-command --histogram" "--log --log-prefix=$work/log" "--impl=coarse" "--impl=gettimeofday"; do
  # shellcheck disable=SC2086  # a list of options
  run 0 "$xtime" run oltp_read_write --db-driver=null --rand-seed=42 --threads=4 --events=2000 --statement-hash $options --format=json
  hashes=$(python3 -c "import json, sys; print([t['statement_hash'] for t in json.loads(sys.argv[1])['points'][0]['thread_rows']])" "$out")
  first=${first:-$hashes}
  [ "$hashes" = "$first" ] || fail "other statements with '$options': $hashes instead of $first"
done
run 0 "$xtime" run oltp_read_write --db-driver=null --rand-seed=43 --threads=4 --events=2000 --statement-hash --format=json
json "str([t['statement_hash'] for t in r['points'][0]['thread_rows']]) != \"$first\""
json "len({t['statement_hash'] for t in r['points'][0]['thread_rows']}) == 4"
done_testing
