#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal ends a run with its report and record, a second one at once; a thread that cannot connect ends it with the
# server's words.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

# A process started by & in a script ignores INT; python undoes that.
start() {
  : >"$work/.out" # what the run before wrote is not this one's beginning
  python3 -c "
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])" "$@" >"$work/.out" 2>"$work/.err" &
  pid=$!
}
begun() { grep -q '^\[ ' "$work/.out"; }
printf '\\sleep 1 ms\nSELECT 1;\n' >"$work/s.sql"
for signal in INT TERM HUP; do
  start "$xtime" run "$work/s.sql" --threads=1,2 --time=60 --report-interval=0.1 --output="$work/r.json"
  await 20 begun || continue
  begin=$SECONDS
  kill -$signal $pid
  wait $pid
  got=$?
  [ $got = 130 ] || fail "$signal: exit $got instead of 130: $(cat "$work/.err")"
  [ $((SECONDS - begin)) -le 3 ] || fail "$signal: took $((SECONDS - begin)) s"
  grep -q "ended by interrupt" "$work/.out" || fail "$signal: no report: $(cat "$work/.out")"
  out=$(<"$work/r.json")
  json "r['interrupted'] is True and r['points'][0]['ended_by'] == 'interrupt' and r['points'][0]['transactions'] > 0"
  json "sum(v['transactions'] for v in r['points'][0]['intervals']) == r['points'][0]['transactions']"
done
# Nothing ends this statement by itself: after one signal it is cancelled soon (a tenth of the patience), a second one
# does not wait for that.
printf 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c;\n' >"$work/long.sql"
for signals in 1 2; do
  start "$xtime" run "$work/long.sql" --time=60 --forced-shutdown=20
  # Long past all preparation once it has computed for so long.
  computing() { [ "$(cut -d ' ' -f 14 "/proc/$pid/stat")" -ge 20 ]; }
  await 20 computing
  begin=$SECONDS
  kill -INT $pid
  # The second one after the first was seen: two at once are one.
  if [ $signals = 2 ]; then
    await 5 sh -c "! grep -q '^SigPnd.*2$\|^ShdPnd.*2$' /proc/$pid/status"
    kill -INT $pid
  fi
  wait $pid
  got=$?
  [ $got = 130 ] || fail "$signals signal(s): exit $got: $(cat "$work/.err")"
  [ $((SECONDS - begin)) -le $((signals == 2 ? 1 : 6)) ] || fail "$signals signal(s): took $((SECONDS - begin)) s"
done

begin=$SECONDS
run 1 "$xtime" run oltp_point_select --db-driver=null --null-fail=connect:3 --threads=8 --time=60; says "client 3"
run 1 "$xtime" run oltp_point_select --db-driver=pgsql --pgsql-host="$work" --threads=4 --time=60
case $err in *"No such file"* | *"onnection"* | *"not a driver"*) ;; *) fail "the server's words: $err" ;; esac
[ $((SECONDS - begin)) -le 10 ] || fail "a thread that cannot connect: took $((SECONDS - begin)) s"
done_testing
