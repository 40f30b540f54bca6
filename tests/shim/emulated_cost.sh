#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Emulated clock sources as an ordinary program sees them: N in total, N added, queues where there is one device. The
# median of many batches, by the thread's own CPU time, which a busy machine hardly raises.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build read_cost read_cost.c
# cost ARM FUNCTION
cost()
{
	"$xtime" exec --impl="$1" --swap=$all_functions -- "$scratch/read_cost" "$2"
}
# near GOT WANTED PERCENT WHAT
near()
{
	[ $(($1 * 100)) -ge $(($2 * (100 - $3))) ] && [ $(($1 * 100)) -le $(($2 * (100 + $3))) ] ||
		fail "$4: $1 ns, wanted $2 within $3 %"
}
# Idle it is within 10 % (make bench); beside busy neighbours, of the same core too, the call itself is dearer.
for ns in 100 600 1000 5000; do
	for function in time gettimeofday; do
		near "$(cost gettimeofday@${ns}ns $function)" $ns 20 "gettimeofday@${ns}ns, $function()"
	done
done
near "$(cost realtime@1000ns clock_gettime)" 1000 10 'realtime@1000ns, clock_gettime()'
near "$(cost realtime@1000ns monotonic)" 1000 10 'realtime@1000ns, CLOCK_MONOTONIC'
near "$(cost syscall-gettimeofday@1000ns time)" 1000 10 'whichever path it takes'
near "$(cost gettimeofday@hpet time)" 565 10 'hpet'
plain=$(cost coarse time)
near "$(cost coarse+1000ns time)" $((plain + 1000)) 10 'coarse+1000ns'
plain=$(cost gettimeofday time)
near "$(cost gettimeofday+1000ns time)" $((plain + 1000)) 10 'gettimeofday+1000ns'
near "$(cost gettimeofday@1000ns+500ns time)" 1500 10 'gettimeofday@1000ns+500ns'
# A coarse read does not consult the clock source: libc's time(), coherent's time().
[ "$(cost coherent@5000ns time)" -lt 2500 ] || fail "coherent@5000ns stretches a coarse read"
near "$(cost coherent@5000ns gettimeofday)" 5000 10 'coherent@5000ns, gettimeofday()'
# Functions that are not swapped stay as they are.
got=$("$xtime" exec --impl=gettimeofday@5000ns -- "$scratch/read_cost" gettimeofday)
[ "$got" -lt 2500 ] || fail "gettimeofday() is stretched though it is not swapped: $got ns"
# One device: however many read it, a read takes its time of the device. This cannot be beaten by luck.
for threads in 1 2 4; do
	got=$("$xtime" exec --impl=gettimeofday@hpet -- "$scratch/read_cost" time $threads)
	[ "$got" -ge 500 ] || fail "$threads threads read hpet in $got ns each"
done
finish
