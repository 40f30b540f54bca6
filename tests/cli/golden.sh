#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What run prints and writes in each format is the golden file's once numbers are masked: json, csv, table, progress
# lines, transaction logs. UPDATE=1 writes the files anew. (sysbench's and pgbench's reports: peer_formats.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

data=$top_srcdir/tests/data/formats
shopt -s lastpipe # golden counts failures in this shell
mkdir "$work/got" "$work/logs"
printf '\\sleep 2 ms\nSELECT 1;\n' >"$work/s.sql"
cd "$work" || exit 99

# golden NAME: standard input is the golden file.
golden() {
  cat >"$work/got/$1"
  [ "${UPDATE:-}" != 1 ] || cp "$work/got/$1" "$data/$1"
  diff -u "$data/$1" "$work/got/$1" || fail "$1 is not the golden file (UPDATE=1 tests/cli/golden.sh)"
}
mask() { sed -E -f "$data/mask.sed"; }
all=(--time=0.8 --rounds=1 --warmup-time=0.1 --rate=100 --latency-limit=500 --max-tries=3 --report-interval=0.4
  --report-per-command --histogram --failures-detailed)

# Records: names and order of all fields, with nothing and with everything asked for.
run 0 "$xtime" run oltp_read_write --table-size=100 --time=0.5 --threads=2 --format=json
python3 "$data/shape.py" <<<"$out" | golden json-plain.shape
run 0 "$xtime" run s.sql --threads=1,2 --percentiles=50,99.9 "${all[@]}" --statement-hash --report-checkpoints=0.4 --format=json
python3 "$data/shape.py" <<<"$out" | golden json-all.shape

run 0 "$xtime" run s.sql --threads=1,2 --time=0.8 --rounds=1 --report-interval=0.4 --format=csv
mask <<<"$out" | sed -E 's/N\.D/N/g' | uniq | golden csv.masked

# The table: lines are broken by the length of numbers, so words are compared; one line of the histogram stands for all.
run 0 "$xtime" run s.sql --threads=1,2 --percentiles=50,99.9 "${all[@]}"
grep -v '^\[' <<<"$out" | sed -E -e 's/ on sqlite .*/ on SQLITE/' -e '2s/.*/HOST/' -e 's/\|\*+ .*/|BAR/' | mask |
  sed -E -e 's/N\.D/N/g' | uniq | tr -s ' \n' ' ' | sed -E -e 's/([.:|]|BAR) /\1\n/g' | golden table.masked
# Its progress lines, in the order of their first; the last of a phase may be shorter than others.
grep '^\[' <<<"$out" | sed -E 's/^\[ [0-9]+s/[ Ns/; s/ \(partial: [0-9.]+ s\)//' | mask | awk '!seen[$0]++' | golden progress-table.masked

# Progress lines of pgbench: plain, and with all that may be in one.
{
  run 0 "$xtime" run s.sql --time=0.8 --report-interval=0.4 --format=pgbench
  printf '%s\n' "$err"
  run 0 "$xtime" run s.sql --time=0.8 --report-interval=0.4 --max-tries=2 --progress-timestamp --format=pgbench
  printf '%s\n' "$err"
  run 0 "$xtime" run s.sql --time=0.8 --report-interval=0.4 --warmup-time=0.4 --rate=50 --latency-limit=500 --format=pgbench
  printf '%s\n' "$err"
} >"$work/.progress"
mask <"$work/.progress" | golden progress-pgbench.masked

# Logs: each line once.
log() {
  rm -f "$work"/logs/*
  printf '%s:\n' "$*"
  run 0 "$xtime" run s.sql --log --log-prefix="$work/logs/l" "$@" --format=json
  cat "$work"/logs/* | mask | sort -u
}
{
  log --events=4
  log --events=4 --rate=100 --latency-limit=500
  log --events=4 --max-tries=3
  log --transactions=2 --threads=2 --rate=100 --max-tries=3 --failures-detailed
  log --db-driver=null --null-fail=exec:3 --continue-on-error --events=4
  log --db-driver=null --null-fail=exec:3 --continue-on-error --events=4 --failures-detailed
} | golden log.masked
{
  log --time=2 --aggregate-interval=1
  log --time=2 --aggregate-interval=1 --rate=100
  log --time=2 --aggregate-interval=1 --rate=100 --latency-limit=500
  log --time=2 --aggregate-interval=1 --max-tries=3
} | golden log-aggregated.masked
done_testing
