#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# No nan or inf in what machines read; the decimal point stays in every locale.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

printf '\\sleep 400 ms\n' >"$work/long.sql"
valid() {
  printf '%s' "$out" | python3 -c 'import json, sys; json.load(sys.stdin, parse_constant=lambda c: sys.exit(1))' || fail "not JSON: $1"
}
run 0 "$xtime" run "$work/long.sql" --db-driver=null --time=0.1 --report-interval=0.05 --format=json
valid "no transaction"
json "r['points'][0]['transactions'] == 0 and r['points'][0]['latency_ms']['avg'] is None"
run 0 "$xtime" run noop --db-driver=null --events=1 --format=json
valid "one transaction"
run 1 "$xtime" run oltp_point_select --db-driver=null --null-fail=exec:5 --events=10 --format=json
valid "a failed run"
for format in table csv sysbench pgbench; do
  run 0 "$xtime" run "$work/long.sql" --db-driver=null --time=0.1 --report-interval=0.05 --format=$format
  case "$out$err" in *nan* | *inf\ *) fail "$format: nan or inf: $out" ;; esac
done
comma=$(locale -a 2>/dev/null | grep -iE '^(de_DE|fr_FR|da_DK)' | head -n 1)
for format in json csv sysbench; do
  run 0 env LC_ALL="${comma:-de_DE.UTF-8}" "$xtime" run noop --db-driver=null --time=0.1 --format=$format
  [ $format = csv ] || ! grep -qE '[0-9],[0-9]{2}($|[^0-9])' <<<"$out" || fail "$format: a decimal comma: $out"
done
done_testing
