#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lab is not at the compiler's mercy: built with -O3 -flto in a folder of its own, no row of `clocks` differs from
# this build's by more than 20 % or 1 ns. Medians of pairs in turn.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

needs make python3
folder=$scratch/build
mkdir "$folder"
if ! (cd "$folder" && "$top_srcdir/configure" -q --without-pgsql CFLAGS='-O3 -flto=auto' && make -s -j "$(nproc)" xtime libxtime.la) \
	>"$scratch/stderr" 2>&1; then
	grep -q 'source directory already configured' "$scratch/stderr" && skip 'needs a build outside the source tree'
	broken 'no build with -O3 -flto'
fi
for ((pair = 0; pair < pairs; pair++)); do
	"$xtime" clocks --time="$seconds" --format=json >"$scratch/a.$pair" 2>"$scratch/stderr" || broken 'xtime clocks failed'
	"$folder/xtime" clocks --time="$seconds" --format=json >"$scratch/b.$pair" 2>"$scratch/stderr" ||
		broken 'xtime clocks of -O3 -flto failed'
done
python3 - "$scratch" "$pairs" >"$scratch/rows" <<'END' || broken 'no rows in the records'
import collections, json, statistics, sys
ns = {"a": collections.defaultdict(list), "b": collections.defaultdict(list)}
for side in ns:
    for pair in range(int(sys.argv[2])):
        for x in json.load(open(f"{sys.argv[1]}/{side}.{pair}"))["rows"]:
            if x["ns"] is not None:
                ns[side][x["call"], x["path"], x["source"] or "-"].append(x["ns"])
for key in ns["a"]:
    a, b = (statistics.median(ns[side][key]) for side in "ab")
    print(abs(b - a) / max(a * 0.2, 1), *key, a, b)
END
read -r worst call path source a b < <(sort -gr "$scratch/rows" | head -n 1)
goal "$(wc -l <"$scratch/rows") rows, the most changed by -O3 -flto in units of 20 % or 1 ns" "$worst" most 1 \
	"$call by $path ($source): $a ns, $b ns"
finish
