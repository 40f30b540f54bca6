# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the peer tests: xtime beside the program whose language or workload it speaks, on a PostgreSQL server of the
# test's own (socket in the test's folder, no TCP, ended by its process id). A peer that is missing skips the test.
# shellcheck shell=bash disable=SC2034 # the tests use what is set here

set -u
: "${top_srcdir:?}" "${top_builddir:?}"
export LC_ALL=C
xtime=$top_builddir/xtime
peers=$top_srcdir/tests/peers
failures=0
server=''
work=$(mktemp -d "${TMPDIR:-/tmp}/xtime-peer-XXXXXX") || exit 99
chmod 755 "$work"
trap 'finish' EXIT
trap 'exit 130' INT TERM

finish()
{
	if [ -n "$server" ]; then
		kill -QUIT "$server" 2>/dev/null
		wait "$server" 2>/dev/null
	fi
	rm -rf "$work"
}

skip()
{
	printf 'skipped: %s\n' "$*"
	exit 77
}

fail()
{
	printf 'FAIL: %s\n' "$*"
	failures=$((failures + 1))
}

done_testing()
{
	printf '%s; %d failures\n' "$*" "$failures"
	[ "$failures" = 0 ]
	exit
}

as_server()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=postgres --regid=postgres --init-groups -- "$@"
	else
		"$@"
	fi
}

# start_server [SETTING…]: sets PGHOST, PGUSER and PGDATABASE for every client.
start_server()
{
	local bin setting settings=() try
	bin=$(pg_config --bindir 2>/dev/null)
	[ -x "$bin/postgres" ] || bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
	[ -x "$bin/postgres" ] || skip 'no PostgreSQL server'
	pgbench=$bin/pgbench
	[ -x "$pgbench" ] || pgbench=$(command -v pgbench)
	mkdir "$work/pg"
	[ "$(id -u)" -ne 0 ] || chown postgres: "$work/pg"
	(cd "$work/pg" && as_server "$bin/initdb" -D data -U peer --no-sync --no-locale -E UTF8 -A trust) >"$work/initdb" 2>&1 ||
		{ cat "$work/initdb"; exit 1; }
	for setting; do settings+=(-c "$setting"); done
	# the server itself becomes the job, so that its id is the one to end
	(cd "$work/pg" && [ "$(id -u)" -eq 0 ] && exec setpriv --reuid=postgres --regid=postgres --init-groups -- \
		"$bin/postgres" -D data -k "$work/pg" -c listen_addresses= -c fsync=off ${settings[@]+"${settings[@]}"}
	cd "$work/pg" && exec "$bin/postgres" -D data -k "$work/pg" -c listen_addresses= -c fsync=off \
		${settings[@]+"${settings[@]}"}) >"$work/log" 2>&1 &
	server=$!
	export PGHOST=$work/pg PGUSER=peer PGDATABASE=postgres
	for ((try = 0; try < 300; try++)); do
		"$bin/pg_isready" -q && return
		kill -0 "$server" 2>/dev/null || { cat "$work/log"; exit 1; }
		read -rt 0.1 <> <(:) || :
	done
	fail 'the server did not start'
	exit 1
}
