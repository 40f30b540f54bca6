#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing is left behind by 300 runs of exec, 100 of them killed; and a background child outlives its parent unharmed.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

export TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
listing()
{
	find "$TMPDIR" | LC_ALL=C sort
	find /dev/shm /tmp -maxdepth 1 -iname '*xtime*page*' -newer "$scratch/start" 2>/dev/null | LC_ALL=C sort
}
touch "$scratch/start"
listing >"$scratch/before"
for i in $(seq 100); do
	"$xtime" exec --impl=coarse -- true || fail "run $i"
	"$xtime" exec --count -- true 2>/dev/null || fail "counted run $i"
	"$xtime" exec --count -- sleep 50 2>/dev/null &
	pid=$!
	# At whatever point it has reached; its child, where there is one, goes too.
	kill -STOP $pid
	children=$(children_of $pid)
	kill -KILL $pid
	# shellcheck disable=SC2086 # none or several
	[ -n "$children" ] && kill -KILL $children
	wait $pid 2>/dev/null
done
listing >"$scratch/after"
cmp "$scratch/before" "$scratch/after" || fail "left behind: $(diff "$scratch/before" "$scratch/after")"

# shellcheck disable=SC2016
"$xtime" exec --count="$scratch/counts" --impl=coherent -- \
	sh -c '(while [ ! -e "$0.go" ]; do sleep 0.01; done; date +%Y >"$0.new" && sh -c "date +%Y" >>"$0.new" && mv "$0.new" "$0.done") >/dev/null 2>&1 &' \
	"$scratch/child" || fail "background child: status $?"
touch "$scratch/child.go"
for _ in $(seq 1000); do
	[ -e "$scratch/child.done" ] && break
	sleep 0.01
done
[ "$(sort -u "$scratch/child.done" 2>/dev/null)" = "$(date +%Y)" ] || fail "the background child has no clock"
finish
