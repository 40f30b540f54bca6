#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports in the formats of sysbench and pgbench beside the peers' own from the same server: the same lines once numbers
# are masked; and what public tools do with such reports works with ours.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"

data=$top_srcdir/tests/data/formats
mask() { sed -E -f "$data/mask.sed" "$1"; }
parsed() { python3 "$data/parsers.py" "$1" <"$2" || fail "$3: a public parser of $1's reports does not read it"; }

run 0 "$xtime" pgbench -V
[[ $out == *"pgbench 15"* ]] || fail "xtime pgbench -V: $out"
# Scripts that are mixed are all in the record, and counted in the head; parts of a second are told apart in our lines.
printf 'SELECT 1;\n' >"$work/one.sql"
mixed=(--file="$work/one.sql" --file="$work/one.sql@2" --sqlite-db=:memory: --time=0.5 --report-interval=0.25)
run 0 "$xtime" run "${mixed[@]}"
[[ $out == *"one.sql and 1 more on sqlite"* ]] || fail "the head of mixed scripts: $out"
[[ $out =~ \[\ 0\.[0-9][0-9]s\ \] ]] || fail "the first interval: $out"
run 0 "$xtime" run "${mixed[@]}" --format=json
json "len(r['workload']['scripts']) == 2"

run 0 "$xtime" run oltp_read_write --table-size=1000 --time=0.5 --report-interval=0.25 --threads=2 --format=sysbench
printf '%s\n' "$out" >"$work/ours"
parsed sysbench "$work/ours" "SQLite"
diff -u "$data/sysbench.masked" <(mask "$work/ours" | awk '!/thds:/ || !n++') || fail "sysbench's format is not the golden file's"
run 0 "$xtime" pgbench --db-driver=sqlite -S -t 50 -r
printf '%s\n' "$out" >"$work/ours"
parsed pgbench "$work/ours" "SQLite"
diff -u "$data/pgbench.masked" <(mask "$work/ours") || fail "pgbench's format is not the golden file's"

pgbench=$pg_bin/pgbench
[ -x "$pgbench" ] || pgbench=$(command -v pgbench)
if ! command -v sysbench >/dev/null || [ ! -x "$pgbench" ]; then
  [ "$failures" = 0 ] || exit 1
  echo "SKIP: no sysbench or pgbench beside which to run"
  exit 77
fi
start_server || done_testing
server=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres --table-size=1000)
sysbench "${server[@]}" oltp_read_write prepare >"$work/.out" 2>&1 || fail "sysbench prepare: $(cat "$work/.out")"

# beside NAME OPTION...: one run of each, compared. Interval lines beyond the first are not: the last may be partial.
beside() {
  local name=$1
  shift
  sysbench "${server[@]}" "$@" oltp_read_only run >"$work/theirs" 2>&1 || fail "sysbench $name"
  "$xtime" "${server[@]}" "$@" oltp_read_only run --format=sysbench >"$work/ours" 2>"$work/.err" || fail "$name: $(cat "$work/.err")"
  diff -u <(mask "$work/theirs" | awk '!/thds:|queue length/ || n++ < 1') <(mask "$work/ours" | awk '!/thds:|queue length/ || n++ < 1') ||
    fail "sysbench's lines: $name"
}
beside plain --threads=2 --time=1
beside intervals --threads=1 --time=2 --report-interval=1 --rand-seed=7
beside rate --threads=1 --time=1 --rate=20 --percentile=0
# Both programs may come to an interval's end and a checkpoint at one moment in either order: no intervals here.
beside checkpoints --threads=2 --time=3 --report-checkpoints=1,2
beside events --threads=2 --events=20 --percentile=99

client=(-n -h "$work/pg" -U tester)
"$pgbench" -i -q "${client[@]:1}" postgres >"$work/.out" 2>&1 || fail "pgbench -i: $(cat "$work/.out")"
printf '\\set x 1\nSELECT :x;\nSELECT :x + 1;\n' >"$work/s.sql"
beside_pgbench() {
  local name=$1
  shift
  (cd "$work" && "$pgbench" "${client[@]}" "$@" postgres) >"$work/theirs" 2>"$work/theirs.err" || fail "pgbench $name: $(cat "$work/theirs.err")"
  (cd "$work" && "$xtime" pgbench "${client[@]}" "$@" postgres) >"$work/ours" 2>"$work/ours.err" || fail "$name: $(cat "$work/ours.err")"
  diff -u <(mask "$work/theirs") <(mask "$work/ours") || fail "pgbench's lines: $name"
  diff -u <(grep ^progress "$work/theirs.err" | mask /dev/stdin | head -n 1) <(grep ^progress "$work/ours.err" | mask /dev/stdin | head -n 1) ||
    fail "pgbench's progress: $name"
}
beside_pgbench plain -t 10 -f s.sql
beside_pgbench commands -t 10 -c 2 -j 2 -r -f s.sql -M prepared
beside_pgbench time -T 2 -P 1 -S
beside_pgbench limits -t 20 -R 200 -L 100 --max-tries=3 --failures-detailed -r -f s.sql
beside_pgbench mix -t 40 -b select-only@3 -f s.sql@1 -r
beside_pgbench connect -t 5 -C -f s.sql
"$xtime" pgbench "${client[@]}" -t 5 -l -f "$work/s.sql" --log-prefix="$work/lx" -R 100 postgres >/dev/null 2>&1 || fail "-l"
"$pgbench" "${client[@]}" -t 5 -l -f "$work/s.sql" --log-prefix="$work/lp" -R 100 postgres >/dev/null 2>&1
[ "$(awk '{ print NF }' "$work"/lx.* | sort -u)" = "$(awk '{ print NF }' "$work"/lp.* | sort -u)" ] || fail "fields of the log"
stop_server
done_testing
