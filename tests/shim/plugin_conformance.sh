#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a plugin must pass before it is timed: each wrong clock is found and told, the right ones pass.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build wrong.so wrong_plugins.c -shared -fPIC
${CC:-cc} -O2 -fPIC -shared "$top_srcdir/doc/plugin/example.c" -o "$scratch/example.so" || fail "the example"
declare -A wanted=(
	[right]=passes [slow]=passes
	[lagging]='time() is .* behind the clock .*allowed: 20.000 ms'
	[ahead]='time() is .* ms ahead of the clock'
	[frozen]='time() is .* behind the clock'
	[forgetful]='does not store what it returns'
	[noisy]='changes errno'
	[crashing]='dies of signal 15'
	[locking]='hangs in threads and a signal handler'
	[wavering]='time() steps back by 1000'
	[crooked]='gettimeofday() gives a fraction'
	[absent]='no function'
)
for name in "${!wanted[@]}"; do
	# A few at a time: each wants to see the change of a second.
	[ "$(jobs -rp | wc -l)" -ge 3 ] && wait -n
	"$top_builddir/conform_probe" "$scratch/wrong.so:$name" >"$scratch/out-$name" 2>&1 &
done
wait
"$top_builddir/conform_probe" "$scratch/example.so" >"$scratch/out" || fail "the example"
[ "$(cat "$scratch/out")" = passes ] || fail "the example of the documentation: $(cat "$scratch/out")"
for name in "${!wanted[@]}"; do
	grep -q -- "${wanted[$name]}" "$scratch/out-$name" || fail "$name: $(cat "$scratch/out-$name")"
done
# ab does not time a wrong clock.
"$xtime" ab noop --db-driver=null --time=1 --a=libc --b="plugin:$scratch/wrong.so:ahead" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 2 ] || fail "ab takes a wrong clock: $(cat "$scratch/out")"
grep -q 'is wrong: time() is .* ahead' "$scratch/err" || fail "ab does not say what is wrong: $(cat "$scratch/err")"
finish
