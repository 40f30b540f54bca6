#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a run says of itself: CPU of generator and server, switches, memory, its clock reads, connections, fairness; and
# a warning when the generator is the bottleneck.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf '\\sleep 1 ms\n' >"$work/s.sql"
run 0 "$xtime" run "$work/s.sql" --db-driver=null --threads=3 --time=0.5 --format=json
json "r['points'][0]['context_switches']['voluntary'] >= r['points'][0]['transactions'] > 0"
json "r['points'][0]['cpu_share'] < 0.9 and r['points'][0]['peak_memory_kb'] > 1000 and r['points'][0]['server_cpu_us_per_transaction'] is None"
json "0 < r['points'][0]['clock_reads']['per_transaction'] <= 2 + 2 and r['points'][0]['clock_reads']['share_of_latency'] < 0.1"
json "r['points'][0]['connect_ms']['count'] == 3 and abs(r['points'][0]['fairness']['events_avg'] * 3 - r['points'][0]['transactions']) < 1e-6"
for option in "" "--report-interval=0.1 --histogram" "--rate=1000" "--think=fixed:1ms"; do
  # shellcheck disable=SC2086  # a list of options
  run 0 "$xtime" run oltp_read_write --db-driver=null --threads=1 --events=500 $option --format=json
  [ "${option#--rate}${option#--think}" != "$option$option" ] || json "r['points'][0]['clock_reads']['per_transaction'] <= 2"
done

# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"
run 0 "$xtime" run oltp_point_select --db-driver=pgsql --table-size=100 --threads=2 --time=1
case $out in *"server's CPU per transaction: "*" us."*) ;; *) fail "the server's CPU: $out" ;; esac
run 0 "$xtime" run oltp_point_select --db-driver=pgsql --table-size=100 --threads=2 --time=1 --format=json
json "1 < r['points'][0]['server_cpu_us_per_transaction'] < 1e6 and r['points'][0]['cpu_us_per_transaction'] > 1"
case $err in *bottleneck*) fail "a warning without cause: $err" ;; esac
# The generator computes most of the time. How much of the CPUs it gets is not up to it where others run beside it: the
# warning goes with the share that is measured.
printf '\\repeat 200000\n\\set x :x + 1\n\\endrepeat\nSELECT 1;\n' >"$work/busy.sql"
run 0 "$xtime" run "$work/busy.sql" --db-driver=pgsql --define=x=0 --threads=$(($(nproc) * 2)) --time=1 --format=json
case $err in *bottleneck*) warned=True ;; *) warned=False ;; esac
json "abs(r['points'][0]['cpu_share'] - 0.8) < 0.02 or (r['points'][0]['cpu_share'] > 0.8) == $warned"
json "r['points'][0]['cpu_share'] > 0.1"
done_testing
