#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# time_append under a clock that goes back now and then: the run itself tells how many stamps were late and by how much, in
# the table and in the record; under the true clock there are none. And \figure in scripts of the user's.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

chmod 755 "$work" # the server's user opens the plugin, too
${CC:-cc} -shared -fPIC -o "$work/planted.so" "$top_srcdir/tests/cli/planted.c" || { fail 'cannot build the plugin'; done_testing; }
drivers=sqlite
"$xtime" run noop --db-driver=pgsql --time=0 --events=1 >/dev/null 2>&1 && drivers='sqlite pgsql'
for driver in $drivers; do
  run 0 "$xtime" run time_append --db-driver=$driver --events=400 --time=0 --format=json --validate
  json "r['points'][0]['figures'] == {'late_stamps': 0, 'largest_lag_ms': None}"
  # every 41st reading is 300 ms back
  back=(--impl="plugin:$work/planted.so:hiccups" '--swap=time,gettimeofday,clock_gettime')
  run 0 "$xtime" run time_append --db-driver=$driver --events=400 --time=0 --format=json --validate "${back[@]}"
  json "1 <= r['points'][0]['figures']['late_stamps'] <= 100 and 100 < r['points'][0]['figures']['largest_lag_ms'] <= 301"
  run 0 "$xtime" run time_append --db-driver=$driver --events=400 --time=0 "${back[@]}"
  grep -q "own figures: late_stamps [1-9][0-9]*, largest_lag_ms [123][0-9][0-9]" <<<"$out" || fail "$driver: $out"
done

figures() { printf "$1" >"$work/f.sql"; run 0 "$xtime" run "$work/f.sql" --db-driver=null --threads=2 --events=10 --time=0 --format=json; }
figures '\\figure n sum 1\n\\figure id max :client_id\n\\figure none max null\n\\figure half sum 0.5\n\\figure yes sum true\nSELECT 1;\n'
json "r['points'][0]['figures'] == {'n': 10, 'id': 1, 'none': None, 'half': 5, 'yes': 10}"
bad() { printf '%s\n' "$1" 'SELECT 1;' >"$work/f.sql"; run 2 "$xtime" run "$work/f.sql" --db-driver=null --events=1; says "f.sql:1:" "$2"; }
bad '\figure n avg 1' 'sum or max'
bad '\figure 1 sum 1' 'invalid name'
bad '\figure n sum' 'syntax error'
printf '%s\n' '\figure n sum 1' '\figure n max 1' >"$work/f.sql"
run 2 "$xtime" run "$work/f.sql" --db-driver=null --events=1; says "f.sql:2:11" "figure n is a sum elsewhere"
done_testing
