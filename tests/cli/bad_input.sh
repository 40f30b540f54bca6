#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bad input: exit 2, a message that names the thing and what is allowed, nothing created.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

ab() { run 2 "$xtime" ab oltp_time "$@"; }

ab --no-such-option=1; says "unknown option --no-such-option" "help"
ab --thread=2; says "did you mean --threads"
ab --threads=0; says "--threads" "'0'" "1 to"
ab --threads=5-1; says "--threads" "5-1" "1-5"
ab --threads=2,2; says "--threads" "twice"
ab --threads=; says "--threads"
ab --time=abc; says "--time" "abc" "duration"
ab --time=0; says "--time"
ab --time="-1"; says "--time"
ab --time=1x; says "--time"
ab --slice=1h; says "--slice"
ab --slice=1s --time=2; says "--slice=1s" "3 s" "2 s"
ab --a=nonsense; says "nonsense" "xtime list implementations"
ab --arms=coarse; says "two or more"
ab --arms=coarse,libc,coarse; says "twice"
ab --arms=coarse,,libc; says "missing"
ab --arms=coarse,libc --a=libc; says "--arms" "--a"
ab --swap=gettimeofday --a=vdso-time --b=coarse; says "vdso-time"
ab --swap=time,nonsense; says "--swap" "nonsense" "gettimeofday"
ab --a=gettimeofday@nonsense; says "gettimeofday@nonsense"
ab --events=10; says "--events"
ab --db-driver=nonsense; says "--db-driver" "nonsense" "sqlite"
ab --table-size=0x; says "table"
ab --format=xml; says "--format" "table"
ab --rand-type=nonsense; says "--rand-type" "uniform"
ab --output=/no/such/folder/x.json; says "/no/such/folder"
ab -t 3; says "-t"
ab one two; says "one word too many"
run 2 "$xtime"; says usage
run 2 "$xtime" nonsense; says "nonsense"
run 2 "$xtime" run no_such_workload; says "no_such_workload" "xtime list workloads"
run 2 "$xtime" run ./no/such/file.sql; says "./no/such/file.sql"
run 2 "$xtime" run; says "no workload"
run 2 "$xtime" run noop --time=0; says "--time=0"
run 2 "$xtime" oltp_read_write; says "is a workload" "xtime run oltp_read_write"
run 2 "$xtime" /usr/share/sysbench/oltp_read_write.lua run; says "Lua" "oltp_read_write"
run 2 "$xtime" run oltp_read_write --tables=0; says "--tables" "'0'" "at least 1"
run 2 "$xtime" run oltp_read_write --table-size=-1; says "table" "'-1'" "at least 0"
run 2 "$xtime" run bulk_insert --rows-per-insert=0; says "'0'" "at least 1"

# A file of options: each mistake with its line.
config() { # TEXT WORDS...
  printf "$1" >"$work/options"
  run 2 "$xtime" run oltp_point_select --db-driver=null --events=1 --config-file="$work/options"
  says "$work/options:" "${@:2}"
}
config 'threads=2\nno-such=1\n' ":2: unknown option --no-such"
config '\n\nthreads=0\n' ":3: --threads" "'0'"
config '# x\ntable-size=1x\n' ":2:" "'1x'"
config 'threads 2\n' ":1: 'threads 2'" "name=value"
config 'config-file=x\n' ":1:" "another"
config 'threads=2\n\0\n' ":2:" "no text"
printf '\xef\xbb\xbf--threads = 2 \r\nhistogram\r\n' >"$work/options"
run 0 "$xtime" run noop --db-driver=null --events=10 --config-file="$work/options" --format=json
json "r['points'][0]['threads'] == 2 and r['points'][0]['histogram']"
printf 'SELECT 1;\n' >"$work/one.sql"
run 2 "$xtime" run --file="$work/one.sql@0" --db-driver=null; says "--file" "weight"
run 2 "$xtime" prepare oltp_read_write; says "--sqlite-db=PATH"
run 2 "$xtime" cleanup oltp_read_write; says "--sqlite-db=PATH"
run 2 "$xtime" prepare oltp_read_write --sqlite-db=:memory:; says "--sqlite-db=PATH"
run 2 "$xtime" reproduce 1999; says "1999" "2007"
run 2 "$xtime" list nonsense; says "workloads"
run 2 "$xtime" help nonsense; says "nonsense"

# Script errors: file:line:column, the line, a caret; before anything is opened.
printf 'SELECT 1;\n\\set a 1 +\n' >"$work/bad.sql"
run 2 "$xtime" run "$work/bad.sql" --sqlite-db="$work/db"
says "$work/bad.sql:2:" '\set a 1 +' '^'
[ ! -e "$work/db" ] || fail "a script error left a database behind"
: >"$work/empty.sql"
run 2 "$xtime" run "$work/empty.sql"; says "$work/empty.sql" "no command"

# What root can do anyway is tried as an ordinary user.
as_nobody() {
  if [ "$(id -u)" = 0 ]; then
    runuser -u nobody -- env TMPDIR="$work/nobody" XTIME_WORKLOADS="$work/workloads" "$@"
  else
    env XTIME_WORKLOADS="$work/workloads" "$@"
  fi
}
cp -r "$top_srcdir/workloads" "$work/workloads"
cp "$xtime" "$work/xtime"
mkdir "$work/nobody" "$work/closed"
chmod 755 "$work" "$work/xtime" "$work/workloads" && chmod -R a+rX "$work/workloads"
chmod 777 "$work/nobody"
chmod 555 "$work/closed"
printf 'SELECT 1;\n' >"$work/secret.sql"
chmod 000 "$work/secret.sql"
run 2 as_nobody "$work/xtime" run "$work/secret.sql"; says "secret.sql" "ermission"
run 2 as_nobody "$work/xtime" prepare oltp_read_write --sqlite-db="$work/closed/db"
says "$work/closed"
[ -z "$(ls -A "$work/closed")" ] || fail "something was created in the closed folder"
[ -z "$(ls -A "$work/nobody")" ] || fail "something was left in TMPDIR"
chmod 755 "$work/closed"

left=$(find "$work" -mindepth 1 -maxdepth 1 -name 'xtime-[0-9]*')
[ -z "$left" ] || fail "left behind: $left"
done_testing
