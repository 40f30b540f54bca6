#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs in which the shim cannot act: static, set-id, of another word size. Said so, and refused on request.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

# warned PROGRAM WORD
warned()
{
	"$xtime" exec --impl=gettimeofday@5000ns -- "$1" >/dev/null 2>"$scratch/err"
	grep -q "warning.*$2" "$scratch/err" || fail "$1: no warning '$2': $(cat "$scratch/err")"
	"$xtime" exec --require-shim -- "$1" >/dev/null 2>"$scratch/err"
	[ $? -eq 1 ] || fail "$1: --require-shim did not refuse"
	grep -q "$2" "$scratch/err" || fail "$1: --require-shim gives no reason"
}
tried=0
if ${CC:-cc} -D_GNU_SOURCE -static "$here/calls.c" -o "$scratch/static" 2>/dev/null; then
	tried=1
	warned "$scratch/static" 'statically linked'
	printf '#! %s 5\n' "$scratch/static" >"$scratch/script"
	chmod +x "$scratch/script"
	warned "$scratch/script" 'statically linked'
fi
if i686-linux-gnu-gcc -static -x c - -o "$scratch/small" <<<'int main(void) { return 0; }' 2>/dev/null; then
	tried=1
	warned "$scratch/small" '32-bit'
fi
if [ "$(id -u)" -eq 0 ] && id nobody >/dev/null 2>&1; then
	tried=1
	build setid calls.c
	chown nobody "$scratch/setid"
	chmod u+s "$scratch/setid"
	warned "$scratch/setid" 'set-id'
fi
[ $tried -eq 1 ] || skip "nothing that the shim cannot act in can be made here"
"$xtime" exec --require-shim -- true || fail "--require-shim refuses a good program"
"$xtime" exec --require-shim --count -- true 2>/dev/null || fail "--require-shim --count refuses a good program"
finish
