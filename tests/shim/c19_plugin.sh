#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A plugin that calls what it replaces gets the real clock; what a plugin lacks falls through to libc or is refused; a
# file that is not there is an error. Relative paths hold where the program changes its folder.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

build plugin.so plugin.c -shared -fPIC
build shifted shifted.c
plugin=plugin:$scratch/plugin.so
three=time,gettimeofday,clock_gettime
# told ARM SWAP WANTED [CALLS]: hours that time, gettimeofday and clock_gettime are ahead by.
told()
{
	got=$(ulimit -s 256; "$xtime" exec --impl="$1" --swap="$2" --count="$scratch/counts" -- "$scratch/shifted" "${4:-10}") ||
		fail "$1 $2: status $?"
	[ "$got" = "$3" ] || fail "$1 --swap=$2: '$got', wanted '$3'"
	[ "$(count "$scratch/counts" time)" = "${4:-10}" ] || fail "$1: $(count "$scratch/counts" time) calls counted"
	grep -q '"fallbacks": 0' "$scratch/counts" || fail "$1: fallbacks"
}
told "$plugin" time '1 0 0'
told "$plugin" $three '1 1 1' 1000000
told "$plugin:partial" time '1 0 0'
told "$plugin@1000ns+5ns" $three '1 1 1'
# Without a page: the path travels in XTIME_IMPL.
got=$("$xtime" exec --impl="$plugin" --swap=$three -- "$scratch/shifted") || fail "no page: status $?"
[ "$got" = '1 1 1' ] || fail "no page: '$got'"
got=$(cd "$scratch" && "$xtime" exec --impl=plugin:./plugin.so -- sh -c "cd / && $scratch/shifted") || fail relative
[ "$got" = '1 0 0' ] || fail "relative path: '$got'"

# refused ARM SWAP WORDS
refused()
{
	"$xtime" exec --impl="$1" --swap="$2" -- touch "$scratch/ran" 2>"$scratch/err"
	[ $? -eq 2 ] || fail "$1 --swap=$2 was not refused"
	[ ! -e "$scratch/ran" ] || fail "$1: the program ran"
	grep -q -- "$3" "$scratch/err" || fail "$1: '$3' is not in: $(cat "$scratch/err")"
	grep -qF -- "$1" "$scratch/err" || fail "$1 is not named"
}
refused "$plugin:partial" $three SYMBOL_gettimeofday
refused "$plugin:partial" time,clock_gettime SYMBOL_clock_gettime
refused "$plugin:nothing" time 'no function'
refused "plugin:$scratch/nowhere.so" time 'No such file'
refused "plugin:$here/lib.sh" time 'cannot be used'

# The example of the documentation.
${CC:-cc} -O2 -fPIC -shared "$top_srcdir/doc/plugin/example.c" -o "$scratch/example.so" || fail "the example"
got=$("$xtime" exec --impl="plugin:$scratch/example.so" -- "$scratch/shifted") || fail "example: status $?"
[ "$got" = '0 0 0' ] || fail "example: '$got'"
finish
