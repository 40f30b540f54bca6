#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# reproduce 2018 and 2019: published and local columns, every claim with a verdict, the record; --compare.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

verdicts="{'reproduced', 'partly', 'not', 'cannot_tell'}"

run 0 "$xtime" reproduce 2018 --time=0.5 --output="$work/2018.json"
printf '%s\n' "$out" | grep -qE '^clock-gettime-realtime +vdso +37\.18 +([0-9.]+|n/t)$' || fail "no row of 2018: $out"
printf '%s\n' "$out" | grep -qE '^pwrite-tmpfs +none +400\.00 +[0-9.]+$' || fail "no pwrite: $out"
printf '%s\n' "$out" | grep -qE '^surcharge +(reproduced|partly|not reproduced|cannot tell)$' || fail "no claim: $out"
table=$out
run 0 "$xtime" report "$work/2018.json"
[ "$out" = "$table" ] || fail "report prints another table"
run 0 cat "$work/2018.json"
json "r['schema'] == 'xtime.reproduce/1' and r['which'] == '2018'"
json "[c['id'] for c in r['claims']] == ['four', 'gap-cycles', 'gap-equal', 'entry-equal', 'pwrite', 'surcharge', 'round']"
json "all(c['verdict'] in $verdicts and c['reason'] for c in r['claims'])"
json "r['records'][0]['schema'] == 'xtime.clocks/1' and r['records'][0]['file_stamps'][0]['filesystem'] == 'tmpfs'"

run 0 "$xtime" clocks --time=0.3 --output="$work/old.json"
run 0 "$xtime" reproduce 2019 --time=0.5 --compare="$work/old.json" --format=json
json "[c['id'] for c in r['claims']] == ['new-rows', 'dramatic', 'minor']"
json "len(r['records'][0]['references'][0]['rows']) == 16 and r['records'][0]['references'][0]['compared'] is True"
# The same kernel twice: nothing gains three times.
json "[c['verdict'] for c in r['claims'] if c['id'] == 'dramatic'] in (['not'], ['cannot_tell'])"

# Both word sizes side by side; one alone says why.
python3 - "$top_srcdir/tests/data/report/reproduce-2007.json" "$work" <<'END' || fail "no record to start from"
import json, sys
record = json.load(open(sys.argv[1]))
rows = lambda ns: [{"call": "time", "path": "vdso", "ns": None}, {"call": "time", "path": "syscall", "ns": ns}]
record["word_sizes"] = [{"bits": 64, "rows": rows(75.12)}, {"bits": 32, "rows": rows(96.7)}]
json.dump(record, open(sys.argv[2] + "/both.json", "w"))
del record["word_sizes"][1]
json.dump(record, open(sys.argv[2] + "/one.json", "w"))
END
run 0 "$xtime" report "$work/both.json"
printf '%s\n' "$out" | grep -qE '^ns per call +path +64-bit +32-bit$' || fail "no word sizes: $out"
printf '%s\n' "$out" | grep -qE '^time +syscall +75\.12 +96\.70$' || fail "no row of both: $out"
printf '%s\n' "$out" | grep -qE '^time +vdso +n/t +n/t$' || fail "no n/t: $out"
run 0 "$xtime" report "$work/one.json"
printf '%s\n' "$out" | grep -q '^No 32-bit program could be built or run here' || fail "no reason: $out"

run 2 "$xtime" reproduce 2020
says 2020 2007 2018 2019 all
run 2 "$xtime" reproduce 2019 --compare="$work/none.json"
says none.json
run 2 "$xtime" reproduce 2019 --compare="$work/2018.json"
says 2018.json xtime.clocks/1

done_testing
