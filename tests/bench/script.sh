#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiling a workload grows with its length and no faster: 10,000 statements against 1,000, client CPU.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

needs python3

script()
{
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "\\set v%d random(1, %d) * 2 + :client_id\nSELECT c FROM t WHERE id = :v%d;\n", i % 50, i + 10, i % 50
	}' >"$scratch/$1.sql"
	# A run section that is not executed: what is timed is reading it.
	printf '\\section run\nSELECT 1;\n' | cat - >"$scratch/tail"
	{ printf '\\section cleanup\n'; cat "$scratch/$1.sql" "$scratch/tail"; } >"$scratch/$1.whole.sql"
}

compile_us()
{
	with_cpu "$xtime" run "$scratch/$1.whole.sql" --db-driver=null --threads=1 --events=1 --format=json
}

for n in 1 1000 10000; do
	script $n
done
# What disturbs only adds: the smallest of several runs is the one to compare.
none=() few=() many=()
for ((run = 0; run < 2 * pairs; run++)); do
	none+=("$(compile_us 1)") || broken 'xtime run'
	few+=("$(compile_us 1000)") || broken 'xtime run'
	many+=("$(compile_us 10000)") || broken 'xtime run'
done
base=$(smallest "${none[@]}")
small=$(minus "$(smallest "${few[@]}")" "$base")
large=$(minus "$(smallest "${many[@]}")" "$base")
printf '1 statement %d us; 1,000 %d us more, 10,000 %d us more\n' "$base" "${small%.*}" "${large%.*}"
goal 'compiling 10,000 statements over 1,000' "$(divide "$large" "$small")" most 12
finish
