#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each lint finds what it is there for: a small tree is broken in one way at a time, and the lint must name the file.
set -u
: "${top_srcdir:?}"
here=$(cd "$top_srcdir/tests/lint" && pwd) || exit 99
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
read -ra compiler <<<"${CC:-cc}"
failures=0
count=0

fresh_tree()
{
	rm -rf "$scratch/tree"
	mkdir -p "$scratch"/tree/{src/base,src/engine,src/clock,src/stats,tests/lint}
	cp "$here"/* "$scratch/tree/tests/lint/"
	cat >"$scratch/tree/src/base/good.h" <<-'END'
		/* SPDX-License-Identifier: GPL-3.0-or-later
		 *
		 * A header without fault.
		 */
		#ifndef XT_BASE_GOOD_H
		#define XT_BASE_GOOD_H

		#include <stdint.h>

		uint64_t xt_good_sum(uint64_t a, uint64_t b);

		#endif
	END
	printf 'EXTRA_DIST = tests/lint src/base/good.h\n' >"$scratch/tree/Makefile.am"
}

# plant FILE: the text on stdin, under the usual head, becomes src/FILE.
plant()
{
	{
		printf '/* SPDX-License-Identifier: GPL-3.0-or-later\n *\n * A planted file with a fault.\n */\n'
		cat
	} >"$scratch/tree/src/$1"
	printf 'EXTRA_DIST += src/%s\n' "$1" >>"$scratch/tree/Makefile.am"
}

compile()
{
	"${compiler[@]}" -fPIC -c "$scratch/tree/src/$1.c" -o "$scratch/tree/src/$1.o"
}

run_lint()
{
	top_srcdir=$scratch/tree top_builddir=$scratch/tree bash "$scratch/tree/tests/lint/$1.sh" 2>&1
}

# finds LINT TEXT: it fails and says TEXT.
finds()
{
	local said status
	said=$(run_lint "$1")
	status=$?
	count=$((count + 1))
	if [ "$status" -ne 1 ] || [[ $said != *"$2"* ]]; then
		printf 'lint %s did not find "%s" (exit %d): %s\n' "$1" "$2" "$status" "$said"
		failures=$((failures + 1))
	fi
	fresh_tree
}

passes()
{
	local said
	count=$((count + 1))
	if ! said=$(run_lint "$1"); then
		printf 'lint %s complains of a tree without fault: %s\n' "$1" "$said"
		failures=$((failures + 1))
	fi
}

fresh_tree
for lint in sizes includes headers text listed; do
	passes $lint
done

plant base/long.c < <(yes 'extern int xt_long;' | head -n 600)
finds sizes 'base/long.c:604: 604 lines in a file'
plant base/deep.c < <(printf 'void xt_deep(void)\n{\n'; yes '	;' | head -n 60; printf '}\n')
finds sizes 'base/deep.c:6: a function of 61 lines'
plant base/wide.c <<<'int xt_wide(int a, int b, int c, int d, int (*e)(int, int), int f);'
finds sizes 'base/wide.c:5: 6 parameters'
plant base/ops.h <<<'struct xt_ops { int (*wide)(int a, int b, int c, int d, int e, int f); };'
finds sizes 'base/ops.h:5: 6 parameters'

plant engine/up.h <<<'extern int xt_up;'
plant base/up.c <<<'#include "engine/up.h"'
finds includes 'src/base/up.c:5: includes "engine/up.h"; src/base may include nothing'
plant stats/side.c <<<'#include "engine/up.h"'
plant engine/up.h <<<'extern int xt_up;'
finds includes 'src/stats/side.c:5: includes "engine/up.h"'
plant engine/db.c <<<'#include <sqlite3.h>'
finds includes 'src/engine/db.c:5: includes <sqlite3.h>; only driver/sqlite*.c may'
plant base/odd.c <<<'#include <somebody/else.h>'
finds includes 'src/base/odd.c:5: includes <somebody/else.h>, which is neither libc'
plant clock/err.c <<<'#include "base/good.h"'
finds includes 'src/clock/err.c:5: includes "base/good.h"'

plant base/needy.h <<<'uint64_t xt_needy(void);'
finds headers 'src/base/needy.h: does not compile alone'
plant base/twice.h <<<'struct xt_twice { int a; };'
finds headers 'src/base/twice.h: does not compile alone'

printf 'int xt_bare;\n' >"$scratch/tree/src/base/bare.c"
finds text 'src/base/bare.c:1: no "SPDX'
printf '/* SPDX-License-Identifier: GPL-3.0-or-later */\nint xt_a;\n' >"$scratch/tree/src/base/mute.c"
finds text 'src/base/mute.c:1: the opening comment does not say'
plant base/later.c <<<"/* TO""DO: later */"
finds text 'src/base/later.c:5:'
plant base/off.c < <(printf '#if ''0\nint xt_off;\n#endif\n')
finds text 'code switched off'
plant base/columns.c < <(printf '/* '; head -c 120 /dev/zero | tr '\0' x; printf ' */\n')
finds text 'src/base/columns.c:5: 126 columns'

plant base/name.c <<<'int nameless(void); int nameless(void) { return 0; }'
compile base/name
finds symbols 'src/base/name.c: defines the global symbol nameless'
plant base/state.c <<<'static int state; int xt_state(void); int xt_state(void) { return state++; }'
compile base/state
finds symbols 'src/base/state.c: writable data state'
plant base/local.c <<<'int xt_local(void); int xt_local(void) { static __thread int kept = 3; return kept++; }'
compile base/local
finds symbols 'src/base/local.c: writable data kept'
plant engine/clock.c <<<'#include <time.h>
long xt_clock(void); long xt_clock(void) { return time(0); }'
compile engine/clock
finds symbols 'src/engine/clock.c: calls time(), which src/engine/* must not'
plant base/quit.c <<<'#include <stdlib.h>
void xt_quit(void); void xt_quit(void) { exit(1); }'
compile base/quit
finds symbols 'src/base/quit.c: calls exit(), which src/*/* must not'
plant clock/alloc.c <<<'#include <stdlib.h>
void *xt_alloc(void); void *xt_alloc(void) { return malloc(7); }'
compile clock/alloc
finds symbols 'src/clock/alloc.c: uses malloc, which'
plant engine/clockcall.c <<<'#include <time.h>
static const char *const words[] = {"a", "b"};
long xt_clock(int i); long xt_clock(int i) { return time(0) + words[i][0]; }'
compile engine/clockcall
passes symbols
fresh_tree

touch "$scratch/tree/src/base/good.o"
mkdir "$scratch/tree/.libs"
printf 'int time_too(void); int time_too(void) { return 0; }\n' >"$scratch/shim.c"
plant base/good.c <<<'extern int xt_nothing;'
compile base/good
"${compiler[@]}" -fPIC -shared "$scratch/shim.c" -o "$scratch/tree/.libs/libxtime.so"
finds symbols 'libxtime.so: exports "time_too"; it must be exactly'

plant base/lost.c <<<'int xt_lost;'
: >"$scratch/tree/Makefile.am"
finds listed 'src/base/lost.c: not named in Makefile.am'

mkdir "$scratch/tree/scripts"
printf '#!/bin/bash\nif true; then\n' >"$scratch/tree/scripts/half"
finds shell 'scripts/half: does not parse'
if command -v clang-format >/dev/null; then
	cp "${top_srcdir:?}/.clang-format" "$scratch/tree/"
	plant base/ugly.c <<<'int   xt_ugly ( void );'
	finds format 'src/base/ugly.c:5: not as clang-format leaves it'
fi

printf 'lint selftest: %d of %d as expected\n' $((count - failures)) "$count"
[ "$failures" -eq 0 ]
