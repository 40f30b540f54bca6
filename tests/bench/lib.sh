# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the benches: what is compared runs in turn, in one run, and the median of the ratios counts.
# To be sourced. PAIRS (default 5) and SECONDS_EACH (default 3) shorten or lengthen everything.
# shellcheck shell=bash disable=SC2034 # its variables are for those who source it

set -u
: "${top_srcdir:?is set by make bench}" "${top_builddir:?is set by make bench}"
top_srcdir=$(cd "$top_srcdir" && pwd)
top_builddir=$(cd "$top_builddir" && pwd)
export LC_ALL=C
xtime=$top_builddir/xtime
bench_dir=$top_srcdir/tests/bench
pairs=${PAIRS:-5}
seconds=${SECONDS_EACH:-3}
missed=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/xtime-bench-XXXXXX") || exit 99
trap 'bench_end' EXIT
trap 'exit 130' INT TERM

# A bench that started something ends it in bench_stop.
bench_stop() { :; }

bench_end()
{
	bench_stop
	rm -rf "$scratch"
}

skip()
{
	printf 'skip %s: %s\n' "$(basename "$0" .sh)" "$*"
	exit 77
}

needs()
{
	local program
	for program; do
		command -v "$program" >/dev/null || [ -x "$program" ] || skip "$program is not there"
	done
}

broken()
{
	printf 'not ok %s\n' "$*"
	[ ! -s "$scratch/stderr" ] || tail -n 5 "$scratch/stderr"
	exit 1
}

median()
{
	printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

smallest()
{
	printf '%s\n' "$@" | sort -g | head -n 1
}

divide()
{
	awk -v a="$1" -v b="$2" 'BEGIN { if (b + 0 == 0) exit 1; printf "%.4f\n", a / b }'
}

minus()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f\n", a - b }'
}

# goal NAME VALUE least|most LIMIT [TEXT]
goal()
{
	local name=$1 value=$2 sense=$3 limit=$4 word='ok'
	awk -v v="$value" -v l="$limit" -v s="$sense" 'BEGIN { exit !(s == "least" ? v >= l : v <= l) }' || {
		word='not ok'
		missed=$((missed + 1))
	}
	printf '%s %s: %.3f (goal: at %s %s)%s\n' "$word" "$name" "$value" "$sense" "$limit" "${5:+  $5}"
}

# field FILE PATH: one figure of a JSON record, as points.0.tps.
field()
{
	python3 -c '
import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("."):
    value = value[int(key) if key.isdigit() else key]
print(value)' "$1" "$2"
}

# run_tps ARGUMENT…: transactions per second of one xtime run; the record is left in $scratch/record.
run_tps()
{
	"$xtime" run "$@" --format=json >"$scratch/record" 2>"$scratch/stderr" || return 1
	field "$scratch/record" points.0.tps
}

# constant_texts FOLDER: the shipped workloads, but oltp_read_write writes one constant text where it writes random ones:
# for a comparison with peers that do so too.
constant_texts()
{
	local c pad
	cp -r "$top_srcdir/workloads" "$1"
	chmod -R u+w "$1"
	c=$(printf '#%.0s' {1..119}) pad=$(printf '#%.0s' {1..59})
	sed -i 's/^\\set c random_string.*/\\set c :constant_c/; s/^\\set pad random_string.*/\\set pad :constant_pad/' \
		"$1"/parts/oltp_writes.sql "$1"/parts/oltp_non_index_updates.sql
	{
		printf "\\\\option constant_c '%s'\n\\\\option constant_pad '%s'\n" "$c" "$pad"
		cat "$top_srcdir/workloads/oltp_read_write.sql"
	} >"$1/oltp_read_write.sql"
}

# with_cpu COMMAND…: its output in $scratch/stdout, its user and system time in microseconds printed.
with_cpu()
{
	python3 -c '
import os, sys
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
err = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
pid = os.fork()
if pid == 0:
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.execvp(sys.argv[3], sys.argv[3:])
_, status, usage = os.wait4(pid, 0)
print(int((usage.ru_utime + usage.ru_stime) * 1e6))
sys.exit(0 if status == 0 else 1)' "$scratch/stdout" "$scratch/stderr" "$@"
}

finish()
{
	[ "$missed" -eq 0 ]
	exit
}
