#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# xtime clocks: every format, the record, --compare, --impl, bad input. Shapes, never how many ns.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

matches() {
  printf '%s\n' "$out" | grep -qE "$1" || fail "no line like /$1/"
}

run 0 "$xtime" clocks --time=0.5 --output="$work/a.json" --rand-seed=7
matches '^ns per call +vdso +libc +syscall +resolution$'
matches '^clock-gettime-realtime-coarse +([0-9.]+ ± [0-9.]+\*?|n/t) '
matches '^syscall-gettimeofday +[0-9.]+ ± [0-9.]+ '
matches '^pwrite-tmpfs +[0-9.]+ ± [0-9.]+ +[0-9.]+$'
matches '^  Clock source: '
matches '^  121 reads x [0-9.]+ ns = [0-9.]+ (ns|us|ms) of each PostgreSQL oltp_read_write transaction'

run 0 cat "$work/a.json"
json "r['schema'] == 'xtime.clocks/1' and r['seed'] == 7 and r['threads'] == 1 and r['interrupted'] is False"
json "all(x['source'] is None for x in r['rows'] if x['path'] != 'shim')"
json "all(x['ns'] is None and x['ci95'] is None for x in r['rows'] if not x['available'])"
json "all(x['ci95'][0] <= x['ns'] <= x['ci95'][1] for x in r['rows'] if x['available'])"
# Net is gross without the loop, unclamped, and not below nothing.
json "all(x['ns_net'] + (x['ci95'][1] - x['ci95'][0]) / 2 >= 0 for x in r['rows'] if x['available'])"
json "{'pwrite-tmpfs', 'load', 'empty', 'counter', 'time', 'timespec-get', 'getcpu'} <= {x['call'] for x in r['rows']}"
json "{x['path'] for x in r['rows']} == {'vdso', 'libc', 'syscall', 'shim', 'none'}"
# Where the vDSO serves a call (no system call counted), it is at most the system call.
json "all(v['ns'] <= s['ns'] for v in r['rows'] for s in r['rows'] if v['call'] == s['call'] and v['path'] == 'vdso'
  and s['path'] == 'syscall' and v['available'] and s['available'] and v['entries_per_call'] == 0)"

run 0 "$xtime" clocks --time=0.3 --format=lkml2018
[ "$(printf '%s\n' "$out" | wc -l)" = 4 ] || fail "lkml2018 has not four lines"
matches '^vdso hires:     [ 0-9]{4}\.[0-9]{2}ns$|^vdso hires: +n/t$'
matches '^vdso coarse:    [ 0-9]{4}\.[0-9]{2}ns$|^vdso coarse: +n/t$'
matches '^sysc hires:     [ 0-9]{4}\.[0-9]{2}ns$'
matches '^sysc coarse:    [ 0-9]{4}\.[0-9]{2}ns$'

run 0 "$xtime" clocks --time=0.3 --format=vdsotest
[ "$(printf '%s\n' "$out" | wc -l)" = 48 ] || fail "vdsotest has not 48 lines"
printf '%s\n' "$out" | grep -vqE '^[a-z-]+: (syscall|   libc|   vdso): ([0-9]+ nsec/call|not tested)$' &&
  fail "vdsotest has a line of another form"

run 0 "$xtime" clocks --time=0.3 --format=csv
matches '^call,path,source,ns,ci95_lo,ci95_hi,ns_net,resolution_ns,available$'
printf '%s\n' "$out" | awk -F, 'NF != 9 { bad = 1 } END { exit bad }' || fail "csv rows have not 9 fields"

run 0 "$xtime" clocks --time=0.3 --compare="$work/a.json" --threads=2
matches '^ns per call +path +old +new +old/new$'
matches '^gettimeofday +libc +[0-9.]+ +[0-9.]+ +[0-9.]+x$'

run 0 "$xtime" clocks --time=0.3 --impl=gettimeofday@2000ns --format=json
json "[x['call'] for x in r['rows'] if x['path'] == 'shim'][0] == 'time'"
json "all(x['source'] == 'gettimeofday@2000ns' for x in r['rows'] if x['path'] == 'shim')"
json "all(x['ns'] >= 1900 for x in r['rows'] if x['path'] == 'shim' and x['call'] != 'clock-gettime-monotonic')"
# libc's own row is libc's, whatever the process runs under.
json "all(x['ns'] < 1900 for x in r['rows'] if x['path'] == 'libc' and x['call'] == 'gettimeofday')"

run 0 "$xtime" clocks --time=0.3 --file-stamps="$work" --format=json
json "[s['folder'] for s in r['file_stamps']] == [None, '$work']"
json "all(1 <= s['distinct_mtimes'] <= s['writes'] for s in r['file_stamps'])"
json "r['coarse']['hz'] > 0"
[ "$(find "$work" -name 'xtime-stamps*' | wc -l)" = 0 ] || fail "a file was left behind"

run 2 "$xtime" clocks --format=xml
says --format xml lkml2018
run 2 "$xtime" clocks --threads=0
says --threads 0
run 2 "$xtime" clocks --time=0
says --time
run 2 "$xtime" clocks --impl=sundial
says sundial
run 2 "$xtime" clocks --compare="$work/none.json"
says none.json
run 2 "$xtime" clocks --file-stamps="$work/none"
says "$work/none"
run 2 "$xtime" clocks surplus
says surplus
echo '{}' >"$work/empty.json"
run 2 "$xtime" clocks --compare="$work/empty.json"
says empty.json

# An early end (TERM: a job of a shell script ignores INT): what has been measured is printed and saved, marked.
"$xtime" clocks --time=60 --output="$work/cut.json" >"$work/cut.out" 2>&1 &
pid=$!
await 10 grep -q . "/proc/$pid/cmdline"
sleep 0.7
kill -TERM "$pid"
wait "$pid"
[ $? = 130 ] || fail "interrupted: not exit 130"
run 0 cat "$work/cut.json"
json "r['interrupted'] is True and len(r['rows']) > 20"

done_testing
