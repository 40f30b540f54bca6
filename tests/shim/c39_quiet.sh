#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing of ours in the program's output, and nothing written to a descriptor that the program opened itself.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

for source in $fine $whole gettimeofday@hpet+10ns; do
	under "$source" sh -c 'echo hi; echo err >&2; ls /proc/self/fd | awk "\$1 < 100" | wc -l' >"$scratch/out" 2>"$scratch/err" ||
		fail "$source: status $?"
	sh -c 'echo hi; echo err >&2; ls /proc/self/fd | awk "\$1 < 100" | wc -l' >"$scratch/out.bare" 2>"$scratch/err.bare"
	cmp "$scratch/out" "$scratch/out.bare" || fail "$source: stdout differs"
	cmp "$scratch/err" "$scratch/err.bare" || fail "$source: stderr differs"
done
for how in '' --count="$scratch/counts"; do
	# shellcheck disable=SC2016,SC2086
	"$xtime" exec $how --impl=coarse -- sh -c 'exec 1>"$0" 2>"$0.2"; echo hi; date >/dev/null' "$scratch/late" \
		<&- >&- 2>&- || fail "$how: closed descriptors: status $?"
	[ "$(cat "$scratch/late")" = hi ] || fail "$how: something else in the program's file: $(cat "$scratch/late")"
	[ -s "$scratch/late.2" ] && fail "$how: something in the program's stderr"
done
finish
