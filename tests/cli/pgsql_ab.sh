#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A/B inside a PostgreSQL server: a private one, as root and as an ordinary user, and one started by hand on a page.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/pgsql_lib.sh
. "$top_srcdir/tests/cli/pgsql_lib.sh"

# 20 us a read and seven reads a select: an effect that no noise hides.
slow=("--arms=gettimeofday@20000ns,coarse" --threads=2 --time=3 --warmup-time=0.2 --slice=10ms --table-size=1000 --format=json)

run 0 with_pid "$work/pid" "$xtime" ab oltp_point_select --db-driver=pgsql --pgsql-option=fsync=off "${slow[@]}"
nothing_left "$work/pid"
json "r['driver']['name'] == 'pgsql' and r['driver']['private_server'] == 'yes'"
json "4 <= r['points'][0]['calls_per_transaction']['gettimeofday'] <= 12"
json "r['points'][0]['comparisons'][0]['ratio'] > 1.1 and r['points'][0]['comparisons'][0]['verdict'] == 'faster'"
json "all(a['calls']['gettimeofday'] > 0 for a in r['points'][0]['arms'])"

# A plugin that the server's user cannot read is copied to where it can; one that does not load there is an error.
cat >"$work/slow.c" <<'END'
#include <sys/time.h>
#include <time.h>

static int delay(void)
{
	volatile int i = 0;

	while (i < 20000)
		i++;
	return 0;
}

time_t xtime_plugin(time_t *out)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

int xtime_plugin_gettimeofday(struct timeval *tv, void *tz)
{
	return delay() ? -1 : gettimeofday(tv, tz);
}
END
mkdir -m 700 "$work/closed"
${CC:-cc} -O1 -fPIC -shared "$work/slow.c" -o "$work/closed/slow.so" || fail "cc"
plugin=plugin:$work/closed/slow.so
plug=(--db-driver=pgsql --pgsql-option=fsync=off --threads=1 --time=2 --warmup-time=0.2 --table-size=1000 --format=json
  "--swap=time,gettimeofday")
run 0 with_pid "$work/pid" "$xtime" ab oltp_point_select "${plug[@]}" --arms="$plugin,gettimeofday"
nothing_left "$work/pid"
json "r['points'][0]['comparisons'][0]['ratio'] > 1.1"
if [ "$(id -u)" = 0 ]; then
  printf 'int xt_needed(void) { return 0; }\n' >"$work/needed.c"
  ${CC:-cc} -fPIC -shared "$work/needed.c" -o "$work/closed/needed.so" || fail "cc"
  ${CC:-cc} -fPIC -shared "$work/slow.c" -Wl,--no-as-needed "$work/closed/needed.so" -o "$work/closed/needs.so" || fail "cc"
  run 1 with_pid "$work/pid" "$xtime" run oltp_point_select "${plug[@]}" --impl="plugin:$work/closed/needs.so"
  says "plugin" "$work/closed/needs.so" "runs as"
  nothing_left "$work/pid"
fi

# As an ordinary user, from an installed copy that it can read.
mkdir -p "$work/inst/.libs"
cp "$xtime" "$work/inst/xtime"
cp "$top_builddir/.libs/libxtime.so" "$work/inst/.libs/"
cp -r "$top_srcdir/workloads" "$work/inst/workloads"
chmod -R a+rX "$work/inst"
mkdir -p "$work/nobody"
[ "$(id -u)" != 0 ] || chown nobody "$work/nobody"
export -f with_pid
# shellcheck disable=SC2016  # for the inner shell
run 0 as_nobody env XTIME_WORKLOADS="$work/inst/workloads" bash -c 'with_pid "$@"' - "$work/nobody/pid" \
  "$work/inst/xtime" ab oltp_point_select --db-driver=pgsql --pgsql-option=fsync=off "${slow[@]}"
nothing_left "$work/nobody/pid"
rm -f "$work/nobody/pid"
json "r['points'][0]['comparisons'][0]['ratio'] > 1.1"
[ -z "$(find "$work/nobody" -mindepth 1 2>/dev/null)" ] || fail "something was left in TMPDIR"

# A server that is not under the shim: refused, unless only the client is meant.
start_server || done_testing
at=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres)
run 0 "$xtime" prepare oltp_point_select "${at[@]}" --table-size=1000
run 2 "$xtime" ab oltp_point_select "${at[@]}" "${slow[@]}"; says "--client-only" "--page"
run 1 "$xtime" ab oltp_point_select "${at[@]}" "${slow[@]}" --client-only; says "void"
stop_server
rm -rf "$work/pg"

# A server started by hand on a page is flipped through it.
start_server "$work/inst/xtime" exec --page="$work/pg/page" -- || done_testing
at=(--db-driver=pgsql --pgsql-host="$work/pg" --pgsql-user=tester --pgsql-db=postgres)
run 0 "$xtime" prepare oltp_point_select "${at[@]}" --table-size=1000
run 0 "$xtime" ab oltp_point_select "${at[@]}" "${slow[@]}" --page="$work/pg/page"
json "r['points'][0]['comparisons'][0]['ratio'] > 1.1"
json "4 <= r['points'][0]['calls_per_transaction']['gettimeofday'] <= 12"
run 2 "$xtime" ab oltp_point_select "${at[@]}" "${plug[@]}" --arms="gettimeofday,$plugin" --page="$work/pg/page"
says "$plugin" "have not opened it"
done_testing
