#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals and exit status: the program's own, with and without a parent that counts.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

for how in '' --count="$scratch/counts"; do
	# shellcheck disable=SC2086 # empty means no option
	"$xtime" exec $how -- sh -c 'exit 7'
	[ $? -eq 7 ] || fail "$how: exit 7"
	# shellcheck disable=SC2086,SC2016
	bash -c '"$0" exec '"$how"' -- sh -c "kill -9 \$\$"' "$xtime" 2>/dev/null
	[ $? -eq 137 ] || fail "$how: kill -9"
	for signal in TERM INT HUP QUIT USR1 USR2; do
		# shellcheck disable=SC2086
		env --default-signal=INT,QUIT "$xtime" exec $how -- sleep 100 &
		pid=$!
		# Until the program itself runs: the parent's child, or the parent turned into it.
		for _ in $(seq 500); do
			child=$pid
			[ -n "$how" ] && child=$(children_of $pid) && child=${child%% *}
			[ "$(cat "/proc/${child:-none}/comm" 2>/dev/null)" = sleep ] && break
			sleep 0.01
		done
		kill -$signal $pid
		wait $pid 2>/dev/null
		status=$?
		[ $status -eq $((128 + $(kill -l $signal))) ] || fail "$how $signal: status $status"
		for _ in $(seq 100); do
			kill -0 "$child" 2>/dev/null || break
			sleep 0.01
		done
		kill -0 "$child" 2>/dev/null && fail "$how $signal: the program lives on"
	done
done
# Plain: the same pid.
# shellcheck disable=SC2016
"$xtime" exec -- sh -c 'echo $$' >"$scratch/pid" &
wait $!
[ "$(cat "$scratch/pid")" = $! ] || fail "exec does not keep the pid"
# With --page too, and the file is there for others.
# shellcheck disable=SC2016
"$xtime" exec --page="$scratch/page" -- sh -c 'echo $$' >"$scratch/pid" &
wait $!
[ "$(cat "$scratch/pid")" = $! ] || fail "exec --page does not keep the pid"
[ "$(stat -c %a "$scratch/page")" = 600 ] || fail "the page's mode"
"$xtime" exec --page="$scratch/page" -- touch "$scratch/ran" 2>"$scratch/err"
[ $? -eq 2 ] || fail "an existing page file was taken"
[ ! -e "$scratch/ran" ] || fail "the program ran on an existing page file"
grep -qF "$scratch/page" "$scratch/err" || fail "the page file is not named"

"$xtime" exec -- no-such-program 2>"$scratch/err"
[ $? -eq 127 ] || fail "not found"
grep -q no-such-program "$scratch/err" || fail "not found: not named"
"$xtime" exec -- "$scratch/nowhere/program" 2>/dev/null
[ $? -eq 127 ] || fail "no such path"
"$xtime" exec -- / 2>/dev/null
[ $? -eq 126 ] || fail "a folder"
echo text >"$scratch/text"
"$xtime" exec -- "$scratch/text" 2>/dev/null
[ $? -eq 126 ] || fail "not executable"
printf '#!/no/such/interpreter\n' >"$scratch/script"
chmod +x "$scratch/script"
for how in '' --count; do
	# shellcheck disable=SC2086
	"$xtime" exec $how -- "$scratch/script" 2>/dev/null
	[ $? -eq 127 ] || fail "$how: an interpreter that is not there"
done
# A caller that ignores SIGCHLD or SIGHUP: status and disposition are kept.
(trap '' CHLD HUP; exec "$xtime" exec --count="$scratch/counts" -- sh -c 'kill -HUP $$; exit 3')
[ $? -eq 3 ] || fail "ignored signals"
finish
