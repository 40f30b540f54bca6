#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 20 runs of ab, 10 of them killed at some moment, then one more: TMPDIR and /dev/shm are as they were.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/tmp"
export TMPDIR=$work/tmp
ab=("$xtime" ab oltp_time --threads=1 --table-size=200 --slice=2ms --warmup-time=0.05 --cost-time=0.05)
ours() { find /dev/shm -maxdepth 1 -newer "$work/start" -name '*xtime*' | sort; }
touch "$work/start"

for i in 1 2 3 4 5 6 7 8 9 10; do
  run 0 "${ab[@]}" --time=0.1
  "${ab[@]}" --time=60 >/dev/null 2>&1 &
  pid=$!
  # Killed at ten different moments of its life: before, while and after its folder is made and filled.
  await 20 test -e /proc/$pid/exe
  read -rt "0.0$((i - 1))" <> <(:) || :
  [ $((i % 2)) = 0 ] && await 20 sh -c "ls -d '$TMPDIR'/xtime-$pid-* >/dev/null"
  kill -9 $pid
  wait $pid 2>/dev/null
done
run 0 "${ab[@]}" --time=0.1
left=$(find "$TMPDIR" -mindepth 1; ours)
[ -z "$left" ] || fail "left behind: $left"
done_testing
