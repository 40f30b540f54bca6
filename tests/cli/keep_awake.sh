#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ab --keep-awake: the kernel is asked while the sweep runs; who may not ask is told.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"

chmod 755 "$work"
mkdir -p "$work/inst/.libs"
cp "$xtime" "$work/inst/xtime"
cp "$top_builddir/.libs/libxtime.so" "$work/inst/.libs/"
cp -r "$top_srcdir/workloads" "$work/inst/workloads"
chmod -R a+rX "$work/inst"
mkdir -m 777 "$work/nobody"
ab=(env TMPDIR="$work/nobody" XTIME_WORKLOADS="$work/inst/workloads" "$work/inst/xtime" ab oltp_time --sqlite-db=:memory:
  --table-size=100 --threads=1 --time=0.1 --slice=2ms --warmup-time=0.05 --cost-time=0.02 --format=json)
device=/dev/cpu_dma_latency
driver=$(cat /sys/devices/system/cpu/cpuidle/current_driver 2>/dev/null || echo none)
# may [RUNNER]: whether the device is there, heeded and writable.
# shellcheck disable=SC2016  # for the inner shell
may() { [ "$driver" != none ] && [ -c "$device" ] && "$@" sh -c ': >>"$0"' "$device" 2>/dev/null; }
possible=False nobody_may=False
may env && possible=True
may as_nobody && nobody_may=True

# shellcheck disable=SC2317  # called by await
holds() { # PID
  local fd
  for fd in /proc/"$1"/fd/*; do
    [ "$(readlink "$fd")" != "$device" ] || return 0
  done
  return 1
}
# shellcheck disable=SC2317
asked_for_none() { [ "$(od -An -td4 -N4 "$device" | tr -d ' ')" = 0 ]; }

if [ $possible = True ]; then
  run 0 "${ab[@]}" --keep-awake=yes
  json "r['host']['kept_awake'] is True"
  "${ab[@]}" --keep-awake=yes --time=60 >/dev/null 2>&1 &
  pid=$!
  await 20 holds $pid
  await 5 asked_for_none
  kill -TERM $pid
  wait $pid
  got=$?
  [ $got = 130 ] || fail "TERM: exit $got instead of 130"
else
  run 1 "${ab[@]}" --keep-awake=yes
  says "--keep-awake=yes" "awake"
fi
if [ $nobody_may = False ]; then
  run 1 as_nobody "${ab[@]}" --keep-awake=yes
  says "--keep-awake=yes" "awake"
fi
run 2 "${ab[@]}" --keep-awake=maybe
says "auto|yes|no"

# Of itself: with a dose, and where a server answers.
for words in --keep-awake=no --keep-awake=auto "--add-ns=0,1000"; do
  run 0 "${ab[@]}" "$words"
  json "r['host']['kept_awake'] is False"
  [[ $err != *awake* ]] || fail "$words: $err"
done
# shellcheck disable=SC2054  # the commas are the option's
dose=(env TMPDIR="$work/nobody" XTIME_WORKLOADS="$work/inst/workloads" "$work/inst/xtime" ab oltp_point_select
  --db-driver=pgsql --pgsql-option=fsync=off --add-ns=0,5000 --threads=1 --time=1 --warmup-time=0.1 --table-size=100)
run 0 "${dose[@]}" --format=json
json "r['host']['kept_awake'] is $possible"
run 0 as_nobody "${dose[@]}" --format=json
json "r['host']['kept_awake'] is $nobody_may"
[ $nobody_may = True ] || says "awake" "wake up"
run 0 "${dose[@]}" --keep-awake=no --format=json
json "r['host']['kept_awake'] is False"
if [ $possible = True ]; then
  run 0 "${dose[@]}"
  [[ $out == *"CPUs were kept awake"* ]] || fail "the table does not say that CPUs were kept awake: $out"
fi
done_testing
