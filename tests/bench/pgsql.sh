#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PostgreSQL over a Unix socket, two connections: throughput and client CPU per transaction against pgbench and
# sysbench on one server and one set of tables; a pipelined transaction against a plain one; loading.
# shellcheck source=tests/bench/lib.sh
. "${top_srcdir:?}/tests/bench/lib.sh"
# shellcheck source=tests/bench/pgserver.sh
. "$top_srcdir/tests/bench/pgserver.sh"

needs sysbench python3
# The disk's answer to a commit is nobody's generator.
pg_start synchronous_commit=off
pgbench=$pg_bin/pgbench
needs "$pgbench"

# Long enough that starting the client is nothing beside it.
seconds=${SECONDS_EACH:-6}
# The script for pgbench writes constant texts, sysbench writes random ones: xtime does as its peer does.
constant_texts "$scratch/constant"

connection=(--db-driver=pgsql --pgsql-host="$PGHOST" --pgsql-user="$PGUSER" --pgsql-db="$PGDATABASE")
table=(--tables=1 --table-size=10000 --rand-type=uniform)

# Each sets tps and cpu (microseconds of client time per transaction). Usage: xtime_run WORKLOAD THREADS [ARGUMENT…]
xtime_run()
{
	local workload=$1 threads=$2 us
	shift 2
	us=$(with_cpu "$xtime" run "$workload" "${connection[@]}" "${table[@]}" --threads="$threads" --time="$seconds" \
		--format=json "$@") || broken "xtime run $workload"
	tps=$(field "$scratch/stdout" points.0.tps)
	cpu=$(divide "$us" "$(field "$scratch/stdout" points.0.transactions)")
}

pgbench_run()
{
	local workload=$1 threads=$2 us try
	for try in 1 2 3; do
		us=$(with_cpu "$pgbench" -n -M prepared -f "$bench_dir/$workload.pgbench.sql" -c "$threads" -j "$threads" \
			-T "$seconds") && break
		[ "$try" -lt 3 ] || broken "pgbench $workload"
	done
	tps=$(awk '$1 == "tps" { print $3 }' "$scratch/stdout")
	cpu=$(divide "$us" "$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' "$scratch/stdout")")
}

sysbench_run()
{
	local workload=$1 threads=$2 us
	us=$(with_cpu sysbench "$workload" "${connection[@]}" "${table[@]}" --threads="$threads" --time="$seconds" run) ||
		broken "sysbench $workload"
	read -r transactions tps < <(awk '$1 == "transactions:" { sub(/\(/, "", $3); print $2, $3 }' "$scratch/stdout")
	cpu=$(divide "$us" "$transactions")
}

# As the shipped workload is, or with the constant texts of pgbench's script.
xtime_as()
{
	case $1 in
	pgbench) XTIME_WORKLOADS=$scratch/constant xtime_run "$2" 2 ;;
	*) xtime_run "$2" 2 ;;
	esac
}

# against PEER WORKLOAD LEAST-THROUGHPUT MOST-CPU
against()
{
	local peer=$1 workload=$2 pair ours_tps ours_cpu rates=() cpus=()
	for ((pair = 0; pair < pairs; pair++)); do
		xtime_as "$peer" "$workload"
		ours_tps=$tps ours_cpu=$cpu
		"${peer}_run" "$workload" 2
		rates+=("$(divide "$ours_tps" "$tps")")
		cpus+=("$(divide "$ours_cpu" "$cpu")")
		printf '%s: xtime %.0f/s at %.1f us, %s %.0f/s at %.1f us\n' "$workload" "$ours_tps" "$ours_cpu" "$peer" "$tps" "$cpu"
	done
	goal "$workload over $peer, throughput" "$(median "${rates[@]}")" least "$3"
	goal "$workload over $peer, client CPU" "$(median "${cpus[@]}")" most "$4"
}

"$xtime" prepare oltp_read_write "${connection[@]}" "${table[@]}" >/dev/null 2>"$scratch/stderr" || broken 'xtime prepare'
against pgbench oltp_point_select 0.98 0.95
against sysbench oltp_point_select 0.98 0.85
against pgbench oltp_read_write 0.98 1.02
against sysbench oltp_read_write 0.98 0.85

ratios=()
for ((pair = 0; pair < pairs; pair++)); do
	xtime_run oltp_read_write 1
	plain=$tps
	xtime_run oltp_read_write 1 --pipeline
	ratios+=("$(divide "$tps" "$plain")")
	printf 'oltp_read_write, one connection: plain %.0f/s, pipelined %.0f/s\n' "$plain" "$tps"
done
goal 'oltp_read_write, pipelined over plain' "$(median "${ratios[@]}")" least 2
finish
