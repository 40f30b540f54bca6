#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Ctrl-C keeps what was measured; a second one ends at once; a killed run's folder goes at the next start.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# A process started by & in a script ignores INT: a trap in a subshell that execs cannot undo that, python can.
start() {
  python3 -c "
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])" "$@" >"$work/.out" 2>"$work/.err" &
  pid=$!
}

saved() { [ -s "$work/ab.json" ]; }
for signal in INT TERM HUP; do
  rm -f "$work/ab.json"
  start "$xtime" ab oltp_time --threads=1-5 --time=8 --warmup-time=0.1 --table-size=1000 --slice=2ms --output="$work/ab.json"
  await 30 saved || continue
  begin=$SECONDS
  kill -$signal "$pid"
  wait "$pid"
  got=$?
  [ $got = 130 ] || fail "$signal: exit $got instead of 130: $(cat "$work/.err")"
  [ $((SECONDS - begin)) -le 3 ] || fail "$signal: took $((SECONDS - begin)) s to end"
  out=$(<"$work/ab.json")
  json "r['interrupted'] is True and len(r['points']) >= 1"
  json "r['points'][0]['partial'] is True"
  [ -n "$(find "$work" -maxdepth 1 -name 'xtime-[0-9]*')" ] && fail "$signal: a folder was left behind"
done

# Two signals: at once. Then the next run removes what was left.
start "$xtime" ab oltp_time --threads=1 --time=60 --table-size=1000 --output="$work/two.json"
folder() { [ -n "$(find "$work" -maxdepth 1 -name 'xtime-[0-9]*')" ]; }
await 30 folder
kill -9 "$pid"
wait "$pid" 2>/dev/null
folder || fail "a killed run left no folder: the test tests nothing"
run 0 "$xtime" run noop --events=1
run 0 "$xtime" run oltp_point_select --table-size=100 --events=1
folder && fail "the folder of a killed run was not removed"

start "$xtime" run oltp_time --time=60 --table-size=1000 --threads=2
await 30 folder
kill -INT "$pid"; kill -INT "$pid"
wait "$pid"
got=$?
[ $got = 130 ] || fail "two signals: exit $got instead of 130"
done_testing
