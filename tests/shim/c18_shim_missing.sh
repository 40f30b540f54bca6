#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The shim asks nothing of libc that is not there, and a shim that is missing or unreadable is an error, not a run in
# real time.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

out=$(LD_BIND_NOW=1 LD_PRELOAD=$top_builddir/.libs/libxtime.so true 2>&1)
[ -z "$out" ] || fail "the loader says: $out"
# refused PATH WORD
refused()
{
	XTIME_SHIM=$1 "$xtime" exec -- touch "$scratch/ran" 2>"$scratch/err"
	status=$?
	[ $status -eq 2 ] || fail "$1: status $status"
	[ ! -e "$scratch/ran" ] || fail "$1: the program ran"
	grep -qF "$1" "$scratch/err" || fail "$1 is not named: $(cat "$scratch/err")"
	grep -qi "$2" "$scratch/err" || fail "'$2' is not in: $(cat "$scratch/err")"
}
refused "$scratch/nowhere.so" 'no such file'
mkdir "$scratch/folder.so"
refused "$scratch/folder.so" 'not a shared library'
echo 'no library' >"$scratch/text.so"
refused "$scratch/text.so" 'not a shared library'
${CC:-cc} -shared -fPIC -x c - -o "$scratch/lacking.so" <<<'extern int xt_nowhere(void); int xt_here(void) { return xt_nowhere(); }'
refused "$scratch/lacking.so" 'cannot be loaded.*xt_nowhere'
if [ "$(id -u)" -ne 0 ]; then
	cp "$top_builddir/.libs/libxtime.so" "$scratch/secret.so"
	chmod 000 "$scratch/secret.so"
	refused "$scratch/secret.so" 'permission denied'
fi
# A program under test never runs on unshimmed when the page is not ours: it passes through, quietly.
out=$(XTIME_PAGE=fd:100:1 LD_PRELOAD=$top_builddir/.libs/libxtime.so date +%Y 2>&1)
[[ $out =~ ^20[0-9][0-9]$ ]] || fail "a page that is not there: $out"
finish
