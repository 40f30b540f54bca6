#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --show-script and --only-print: every shipped workload, every section, for both databases, without one; what is printed is
# what is sent: fed to a database by hand it leaves the same rows.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$work" || exit 99
sql() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.executescript(sys.stdin.read())' "$1"; }
dump() { python3 -c 'import sqlite3, sys; print(*(l for l in sqlite3.connect(sys.argv[1]).iterdump()), sep="\n")' "$1" | sed "s/'20[0-9][0-9]-[-0-9: ]*'/now/"; }

for file in "$top_srcdir"/workloads/*.sql; do
  name=$(basename "$file" .sql)
  run 0 "$xtime" run --show-script="$name"
  case $out in "$(<"$file")"*) ;; *) fail "--show-script=$name is another text" ;; esac
  for driver in sqlite pgsql null; do
    run 0 "$xtime" run "$name" --db-driver=$driver --only-print --events=3
    [ "$name" = noop ] || grep -q "^-- transaction 3 of $name.sql" <<<"$out" || fail "$name on $driver: $out"
    [ "$name" = noop ] || [ "$name" = bulk_insert ] || grep -Eq '^(SELECT|UPDATE|INSERT|DELETE) ' <<<"$out" || fail "$name on $driver: no statement: $out"
    for section in prepare warmup cleanup; do
      grep -q "^\\\\section $section" "$file" "$top_srcdir"/workloads/parts/*.sql || continue
      run 0 "$xtime" $section "$name" --db-driver=$driver --only-print
    done
  done
done
# What is written for one database only goes to that one.
for driver in sqlite pgsql null; do
  run 0 "$xtime" run oltp_read_write --db-driver=$driver --only-print
  immediate=$(grep -c '^BEGIN IMMEDIATE;' <<<"$out") plain=$(grep -c '^BEGIN;' <<<"$out")
  case $driver-$immediate-$plain in sqlite-1-0 | pgsql-0-1 | null-0-1) ;; *) fail "$driver: $immediate BEGIN IMMEDIATE, $plain BEGIN" ;; esac
done
run 0 "$xtime" run oltp_read_write --show-script=noop
case $out in *'harness'*) ;; *) fail "--show-script: $out" ;; esac
run 2 "$xtime" run --show-script=nosuch; says --show-script nosuch
[ -z "$(find . -mindepth 1 ! -name '.out' ! -name '.err')" ] || fail "something was made: $(find . -mindepth 1)"

# The same statements with the same values.
for what in 'tpcb-like' 'oltp_read_write --table-size=300 --tables=2' 'bulk_insert --rows-per-insert=7'; do
  # shellcheck disable=SC2086  # several words
  run 0 "$xtime" prepare $what --sqlite-db=ours.db --rand-seed=5
  cp ours.db theirs.db
  # shellcheck disable=SC2086
  run 0 "$xtime" run $what --sqlite-db=ours.db --rand-seed=5 --events=40 --time=0
  # shellcheck disable=SC2086
  run 0 "$xtime" run $what --rand-seed=5 --events=40 --only-print
  printf '%s\n' "$out" | sql theirs.db || fail "$what: the statements do not run"
  [ "$(dump ours.db | wc -l)" -gt 40 ] || fail "$what: no rows"
  cmp <(dump ours.db) <(dump theirs.db) || fail "$what: other rows"
  rm -f ours.db* theirs.db*
done
printf '%s\n' '\if :is_pgsql' '\startpipeline' 'SELECT 1;' '\endpipeline' '\endif' 'SELECT 5 AS n \gset' '\sleep 100 s' \
  '\shell touch made' 'SELECT :n + 1, '"':none'"';' '\time 3' '\check "no answer" :n = 5' >s.sql
run 0 "$xtime" run ./s.sql --db-driver=pgsql --only-print --allow-shell
[ "$(grep -v '^-- transaction' <<<"$out")" = '-- \startpipeline
SELECT 1;
-- \endpipeline
SELECT 5 AS n;
-- \gset
-- \sleep 100 s
-- \shell touch made
SELECT NULL + 1, '"'NULL'"';
-- \time 3' ] || fail "printed: $out"
[ ! -e made ] || fail 'a shell command was run'
done_testing
