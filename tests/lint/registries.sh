#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever xtime lists, a test names: commands, workloads, implementations of time(), drivers, emulated clock sources.
# And whatever lies in workloads/ is listed.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

xtime=$top_builddir/xtime
[ -x "$xtime" ] || skip "$xtime is not built"
mapfile -t tests < <(find tests/unit tests/cli tests/shim tests/peers -type f \( -name '*.c' -o -name '*.sh' \
	-o -name '*.txt' -o -name '*.sql' \) | LC_ALL=C sort)
count=0

# The first word of the indented lines of standard input.
entries()
{
	sed -n 's/^  \([a-z_0-9()-][a-z_0-9()-]*\) .*/\1/p'
}

# listed KIND PATTERN COMMAND…: each entry that COMMAND prints is in a test; PATTERN has NAME where the entry stands.
listed()
{
	local kind=$1 pattern=$2 name found=0 seen=''
	shift 2
	while IFS= read -r name; do
		found=$((found + 1))
		case " $seen " in *" $name "*) violation "xtime $*: lists $name twice" ;; esac
		seen+=" $name"
		[[ $name =~ ^[a-z][a-z_0-9-]*$ ]] || {
			violation "xtime $*: lists \"$name\""
			continue
		}
		grep -qE "${pattern//NAME/$name}" "${tests[@]}" ||
			violation "$kind $name: no file of tests/{unit,cli,shim,peers} names it"
	done < <("$xtime" "$@" 2>/dev/null | entries)
	[ "$found" -gt 0 ] || violation "xtime $*: lists nothing"
	count=$((count + found))
}

# A command is named as a word of a command line, the others wherever they cannot be part of a longer name.
listed command '(xtime"?|\$xtime"?|\$XTIME"?)( +[^ ]+)* +NAME( |"|$)|"NAME"' help
for kind in workloads implementations drivers clocksources; do
	listed "${kind%s}" '(^|[^a-z_0-9-])NAME([^a-z_0-9-]|$)' list $kind
done

while IFS= read -r file; do
	name=$(basename "$file" .sql)
	"$xtime" list workloads 2>/dev/null | entries | grep -qx -- "$name" ||
		violation "$file: xtime list workloads does not show it"
done < <(find workloads -maxdepth 1 -name '*.sql' | LC_ALL=C sort)
finish "$count entries"
