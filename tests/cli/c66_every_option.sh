#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every option of run, from its help: a good value, none and a bad one never end in a signal.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

"$xtime" help run | sed -n 's/^  --\([a-z0-9-]*\)\(=.*\)\{0,1\}  *.*/\1 \2/p' | sed 's/ *=\([^ ]*\).*/ \1/' >"$work/options"
[ "$(wc -l <"$work/options")" -gt 40 ] || fail "few options in the help: $(cat "$work/options")"
tried=0
while read -r name value; do
  case $name in impl | swap | output | config-file | sqlite-db | pgsql-* | isolation | log | log-prefix) continue ;; esac
  case $value in
    '') good= ;;
    *\|*) good=${value%%|*} ;;
    *) good=1 ;;
  esac
  for form in "--$name${good:+=$good}" "--$name" "--$name=" "--$name=no/such^value" "--$name=-1" "--$name=99999999999999999999"; do
    timeout 20 "$xtime" run noop --db-driver=null --events=3 --time=0.2 --format=json "$form" >"$work/.out" 2>"$work/.err"
    got=$?
    [ $got -le 2 ] || fail "$form: status $got: $(cat "$work/.err")"
    tried=$((tried + 1))
  done
done <"$work/options"
[ $tried -gt 200 ] || fail "only $tried command lines were tried"
for bad in --threads=0 --time=-1 --rate=nan --rate=inf --time=1e3x --events=9223372036854775808 --no-such-option=1; do
  run 2 "$xtime" run noop --db-driver=null "$bad"
  says "${bad%%=*}"
done
run 0 "$xtime" run noop --db-driver=null --events=10k --format=json
json "r['points'][0]['transactions'] == 10000"
done_testing
