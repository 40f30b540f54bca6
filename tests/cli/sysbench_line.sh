#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A sysbench command line works with the word replaced: every option of the peer's own help, for all of a workload's
# commands; and the command lines of pgbench behind `xtime pgbench`.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

# One list of options for prepare, run and cleanup; what does nothing in one of them is said.
line=(--db-driver=sqlite --sqlite-db="$work/d.db" --tables=2 --table-size=500 --threads=2 --time=1 --report-interval=1 --percentile=99
  --histogram=on --rand-type=uniform --forced-shutdown=off --thread-init-timeout=30 --verbosity=3 --thread-stack-size=64K)
for command in prepare warmup run cleanup; do
  run 0 "$xtime" "${line[@]}" oltp_read_write $command
  case $command in
    run) says "--verbosity is accepted" ;;
    *) says "--report-interval does nothing in $command" "--histogram does nothing in $command" ;;
  esac
done
run 2 "$xtime" "${line[@]}" --report-intervall=1 oltp_read_write prepare; says "unknown option" "--report-intervall"
run 0 "$xtime" "${line[@]}" oltp_read_write prepare
run 0 "$xtime" oltp_read_write "${line[@]}" --format=sysbench run
case $out in *"SQL statistics:"*"99th percentile:"*) ;; *) fail "behind the workload: $out" ;; esac

if command -v sysbench >/dev/null; then
  # Of another database or of sysbench's inside: refused, with a reason.
  foreign=' luajit-cmd mysql-storage-engine pgsql-variant config-file help version '
  { sysbench --help; sysbench oltp_read_write help; } | tr _ - >"$work/help"
  names=$(grep -oE '^ *--[a-z-]+' "$work/help" | tr -d ' ' | sed 's/^--//' | sort -u)
  [ "$(wc -l <<<"$names")" -gt 50 ] || fail "few options in sysbench's help: $names"
  all=()
  for name in $names; do
    case $name in mysql-* | pgsql-host | pgsql-port | pgsql-user | pgsql-password | pgsql-db) continue ;; esac
    case $foreign in *" $name "*) continue ;; esac
    value=$(grep -E "^ *--${name}[=[]" "$work/help" | head -n 1 | sed -nE 's/.*\[([^][]*)\]$/\1/p')
    case $name in db-driver) value=sqlite ;; events | threads | time | report-checkpoints) value=1 ;; esac
    all+=("--$name${value:+=$value}")
  done
  for command in prepare run cleanup; do
    run 0 "$xtime" "${all[@]}" --sqlite-db="$work/o.db" --events=20 --table-size=10 oltp_read_write $command
  done
else
  echo "note: no sysbench whose help could be read"
fi

# pgbench's options on SQLite: each of them runs.
run 0 "$xtime" pgbench --db-driver=sqlite -i -s 1 "$work/p.db"
printf 'SELECT :x;\n' >"$work/s.sql"
while read -r options; do
  # shellcheck disable=SC2086  # a list
  (failures=0; cd "$work" && run 0 "$xtime" pgbench --db-driver=sqlite $options p.db; exit $failures) || fail "pgbench $options"
done <<'LINES'
-c 2 -j 2 -T 1 -M prepared -f s.sql -D x=1 -P 1 -r
-R 200 -L 50 -t 10 -l -S
-l --aggregate-interval=1 -T 1 -S
-l --sampling-rate=0.5 -t 100 -S
-b tpcb-like@2 -b sel@1 -t 5 --max-tries=3 --failures-detailed
-N -t 5 -C
-S -c 2 -t 3 --verbose-errors -n --random-seed=7 --progress-timestamp -P 1
LINES
[ "$(wc -l < <(cat "$work"/pgbench_log.*))" -gt 20 ] || fail "no logs of pgbench's name"
run 0 "$xtime" pgbench --db-driver=sqlite -S -t 1 -d "$work/p.db"; says "as in pgbench 17"
run 2 "$xtime" pgbench --db-driver=sqlite -S -T 1 -t 1 "$work/p.db"; says "-t and -T"
done_testing
