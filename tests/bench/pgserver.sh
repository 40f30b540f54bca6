# SPDX-License-Identifier: GPL-3.0-or-later
# A PostgreSQL server of the bench's own: socket in a scratch folder, no TCP, gone at the end. Connections go through
# PGHOST, PGUSER and PGDATABASE, so that every client reaches it the same way. To be sourced after lib.sh.
# shellcheck shell=bash disable=SC2154 # variables of lib.sh

pg_folder=''
pg_pid=''
pg_job=''
pg_bin=''

pg_as()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=postgres --regid=postgres --init-groups -- "$@"
	else
		"$@"
	fi
}

# Called by lib.sh at the end.
bench_stop()
{
	[ -z "$pg_pid" ] || kill -QUIT "$pg_pid" 2>/dev/null
	[ -z "$pg_job" ] || wait "$pg_job" 2>/dev/null
	[ -z "$pg_folder" ] || rm -rf "$pg_folder"
}

# pg_start [SETTING…]: NAME=VALUE
pg_start()
{
	local setting arguments=() try
	pg_bin=$(pg_config --bindir 2>/dev/null)
	[ -x "$pg_bin/postgres" ] || pg_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
	[ -x "$pg_bin/postgres" ] || skip 'no PostgreSQL server'
	pg_folder=$(mktemp -d /var/tmp/xtime-bench-pg-XXXXXX) || exit 99
	[ "$(id -u)" -ne 0 ] || chown postgres: "$pg_folder"
	(cd "$pg_folder" && pg_as "$pg_bin/initdb" -D data -U bench --no-sync --no-locale -E UTF8 -A trust) >"$scratch/stderr" 2>&1 ||
		broken 'initdb'
	for setting; do
		arguments+=(-c "$setting")
	done
	(cd "$pg_folder" && pg_as "$pg_bin/postgres" -D data -k "$pg_folder" -c listen_addresses= -c fsync=on \
		-c max_connections=50 ${arguments[@]+"${arguments[@]}"}) >"$pg_folder/log" 2>&1 &
	pg_job=$!
	for ((try = 0; try < 200; try++)); do
		"$pg_bin/pg_isready" -q -h "$pg_folder" && break
		sleep 0.1
	done
	pg_pid=$(head -n 1 "$pg_folder/data/postmaster.pid" 2>/dev/null) || broken 'the server did not start'
	export PGHOST=$pg_folder PGUSER=bench PGDATABASE=bench
	"$pg_bin/createdb" -h "$pg_folder" -U bench bench || broken 'createdb'
}
