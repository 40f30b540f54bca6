#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Interval figures have names in CSV and JSON, and a text line says the same.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

run 0 "$xtime" run oltp_read_write --table-size=1000 --time=0.4 --report-interval=0.2 --output="$work/r.json" --format=csv
csv=$out
python3 - "$work/r.json" "$csv" <<'PY' || fail "CSV and JSON differ"
import csv, io, json, sys
record = json.load(open(sys.argv[1]))
assert record["schema"] == "xtime.run/1"
points, intervals = sys.argv[2].split("\n\n")
assert {row["schema"] for text in (points, intervals) for row in csv.DictReader(io.StringIO(text))} == {record["schema"]}
rows = list(csv.DictReader(io.StringIO(intervals)))
wanted = record["points"][0]["intervals"]
assert len(rows) == len(wanted) >= 2
for row, v in zip(rows, wanted):
    assert int(row["transactions"]) == v["transactions"]
    assert abs(float(row["qps"]) - v["qps"]) < 1e-6 * v["qps"] + 1e-9
    assert int(row["reads"]) == v["queries"]["read"]
PY
run 0 "$xtime" report --format=sysbench "$work/r.json"
lines=$(grep -cE '^\[ [0-9]+s \] thds: [0-9]+ tps: [0-9.]+ qps: [0-9.]+ \(r/w/o: [0-9.]+/[0-9.]+/[0-9.]+\) lat \(ms,95%\): [0-9.]+ err/s: [0-9.]+ reconn/s: [0-9.]+' <<<"$out")
[ "$lines" -ge 2 ] || fail "interval lines: $out"
done_testing
