#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lab is not at the compiler's mercy: built with -O3 -flto in a folder of its own, no row of `clocks` differs from
# this build's by more than 20 % or 1 ns. Neighbours are compared, in short turns, three for each of PAIRS and each the other
# way round than the one before: a guest's CPU has a slow state of seconds, and either side would meet it alone.
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
turns=$((3 * pairs))
each=$(divide "$seconds" 3)
# clocks SIDE TURN BINARY
clocks()
{
	"$3" clocks --time="$each" --format=json >"$scratch/$1.$2" 2>"$scratch/stderr" || broken "$3 clocks failed"
}
for ((turn = 0; turn < turns; turn++)); do
	[ $((turn % 2)) -eq 1 ] || clocks a "$turn" "$xtime"
	clocks b "$turn" "$folder/xtime"
	[ $((turn % 2)) -eq 0 ] || clocks a "$turn" "$xtime"
done
python3 - "$scratch" "$turns" >"$scratch/rows" <<'END' || broken 'no rows in the records'
import collections, json, statistics, sys
def rows(side, turn):
    return {(x["call"], x["path"], x["source"] or "-"): x["ns"]
            for x in json.load(open(f"{sys.argv[1]}/{side}.{turn}"))["rows"] if x["ns"] is not None}
pairs = collections.defaultdict(list)
for turn in range(int(sys.argv[2])):
    a, b = rows("a", turn), rows("b", turn)
    for key in a.keys() & b.keys():
        pairs[key].append((a[key], b[key]))
for key, found in pairs.items():
    distance = abs(statistics.median((b - a) / max(a * 0.2, 1) for a, b in found))
    print(distance, *key, *(statistics.median(side) for side in zip(*found)))
END
read -r worst call path source a b < <(sort -gr "$scratch/rows" | head -n 1)
goal "$(wc -l <"$scratch/rows") rows, the most changed by -O3 -flto in units of 20 % or 1 ns" "$worst" most 1 \
	"$call by $path ($source): $a ns, $b ns"
finish
