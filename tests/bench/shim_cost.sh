#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the shim adds to one call of time(), as any program sees it: bare against exec, without a page and counting into
# one, best of the batches.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"

probe=$top_builddir/bench_time_cost
needs "$probe"
arms='vdso-time coherent'
declare -A best

# keep NAME NS: the smallest so far.
keep()
{
	best[$1]=$(smallest "${best[$1]:-$2}" "$2")
}

cost()
{
	"$@" 2>"$scratch/stderr" | awk '$1 == "ns" { print $2 }'
}

for ((pair = 0; pair < pairs; pair++)); do
	ns=$(cost "$probe")
	keep bare "${ns:?the probe printed nothing}"
	for arm in $arms; do
		ns=$(cost "$xtime" exec "--impl=$arm" -- "$probe")
		[ -n "$ns" ] || broken "exec --impl=$arm printed no figure"
		keep "$arm" "$ns"
		ns=$(cost "$xtime" exec "--impl=$arm" "--count=$scratch/counts" -- "$probe")
		[ -n "$ns" ] || broken "exec --impl=$arm --count printed no figure"
		keep "$arm counted" "$ns"
	done
done
printf 'time() bare: %s ns\n' "${best[bare]}"
while read -r limit arm; do
	goal "shim over bare, $arm, ns" "$(minus "${best[$arm]}" "${best[bare]}")" most "$limit"
done <<-'END'
	3 vdso-time
	3 vdso-time counted
	4 coherent
	4 coherent counted
END
finish
