#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cached keeps up with the clock: in the program, in children after fork, and when its ticker is killed.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build advances advances.c
build calls calls.c
# Far above the staleness bound (two periods of at most 10 ms), since this machine may be busy; far below a second.
limit=500000
for child in '' child; do
	# shellcheck disable=SC2086
	"$xtime" exec --impl=cached -- "$scratch/advances" $child >"$scratch/late$child" &
done
for job in $(jobs -p); do
	wait "$job" || fail "it does not advance"
done
for child in '' child; do
	late=$(cat "$scratch/late$child")
	[ "${late:-$limit}" -lt $limit ] || fail "$child late by $late us"
done
"$xtime" exec --impl=cached --count="$scratch/counts" -- "$scratch/calls" || fail "wrong values"
[ "$(count "$scratch/counts" time)" = 1000 ] || fail "not counted"
# Without a ticker at all: the coarse second.
XTIME_IMPL=cached LD_PRELOAD=$top_builddir/.libs/libxtime.so "$scratch/calls" || fail "wrong values without a ticker"

# The ticker's process is killed: the 1,024th call of a thread finds out, and from then on the clock moves again.
# shellcheck disable=SC2016
"$xtime" exec --impl=cached -- sh -c 'while [ ! -e "$0.go" ]; do sleep 0.01; done
	"$1" >/dev/null; "$1" >"$0.new"; mv "$0.new" "$0.late"' "$scratch/orphan" "$scratch/advances" &
pid=$!
for _ in $(seq 500); do
	[ -n "$(children_of $pid)" ] && break
	sleep 0.01
done
kill -KILL $pid
wait $pid 2>/dev/null
touch "$scratch/orphan.go"
for _ in $(seq 3000); do
	[ -e "$scratch/orphan.late" ] && break
	sleep 0.01
done
late=$(cat "$scratch/orphan.late" 2>/dev/null)
[ "${late:-$limit}" -lt $limit ] || fail "without its ticker: late by '$late' us"
finish
