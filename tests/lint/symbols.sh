#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What our objects define and what they call: global names begin with xt_, writable data is named in writable.txt,
# calls that a module must not make are named in forbidden.txt (exceptions in calls.txt), what is preloaded uses nothing
# but undefined.txt, and the shim exports what it interposes and nothing else.
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

exports='clock_gettime ftime gettimeofday time timespec_get'

mapfile -t objects < <(cd "$top_builddir" && find src -name '*.o' | LC_ALL=C sort)
[ "${#objects[@]}" -gt 0 ] || skip "no objects below $top_builddir/src"

# src/base/.libs/libbase_la-err.o and src/base/err.o are both src/base/err.c.
source_of()
{
	local path=${1/\/.libs\//\/} name
	name=${path##*/}
	[[ $name =~ ^[A-Za-z0-9_]*-(.*)$ ]] && name=${BASH_REMATCH[1]}
	printf '%s/%s.c' "${path%/*}" "${name%.o}"
}

allowed_row()
{
	local table=$1 source=$2 symbol=$3 pattern name reason
	while read -r pattern name reason; do
		# shellcheck disable=SC2254 # these are patterns
		case $source in src/$pattern) ;; *) continue ;; esac
		# shellcheck disable=SC2254
		case $symbol in $name) [ -n "$reason" ] && return 0 ;; esac
	done < <(rows "$table")
	return 1
}

check_names()
{
	local object=$1 source=$2 symbol
	while read -r symbol; do
		case $symbol in
		xt_*) continue ;;
		main) [ "$source" = src/main.c ] && continue ;;
		esac
		case $source in src/shim/*) case " $exports " in *" $symbol "*) continue ;; esac ;; esac
		violation "$source: defines the global symbol $symbol; it must begin with xt_, or be static"
	done < <(nm -g --defined-only "$top_builddir/$object" | awk '{ print $3 }')
}

# Sections tell constant data with relocations (.data.rel.ro) from data that is written to; nm alone does not.
check_data()
{
	local object=$1 source=$2 symbol
	while read -r symbol; do
		# A static of a function: name.1 says gcc, function.name says clang.
		symbol=${symbol%.[0-9]*}
		symbol=${symbol##*.}
		allowed_row tests/lint/writable.txt "$source" "$symbol" ||
			violation "$source: writable data $symbol; hang it off a struct, or make it const" \
				  "(exceptions, with a reason each: tests/lint/writable.txt)"
	done < <(objdump -t "$top_builddir/$object" | awk -F '\t' '
		NF == 2 {
			split($1, left, " ")
			section = left[length(left)]
			is_symbol = substr($1, length($1) - length(section) - 1, 1)
			n = split($2, right, " ")
			name = right[n]
			if ($1 ~ / [dfF] +[^ ]+$/ || name == section)
				next
			if (section ~ /^\.data\.rel\.ro/)
				next
			if (section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/)
				print name
		}')
}

check_calls()
{
	local object=$1 source=$2 module symbol pattern names
	module=${source#src/}
	declare -A called=()
	while read -r symbol; do
		called[${symbol%%@*}]=1
	done < <(nm -u "$top_builddir/$object" | awk '{ print $2 }')
	while read -r pattern names; do
		# shellcheck disable=SC2254
		case $module in $pattern) ;; *) continue ;; esac
		for symbol in $names; do
			[ -n "${called[$symbol]+yes}" ] || continue
			allowed_row tests/lint/calls.txt "$source" "$symbol" ||
				violation "$source: calls $symbol(), which src/$pattern must not (tests/lint/forbidden.txt;" \
					  "exceptions, with a reason each: tests/lint/calls.txt)"
		done
	done < <(rows tests/lint/forbidden.txt)
}

# Where undefined.txt has rows for a source, nothing else may be used there.
check_undefined()
{
	local object=$1 module=${2#src/} symbol pattern names allowed=()
	while read -r pattern names; do
		# shellcheck disable=SC2254
		# shellcheck disable=SC2206 # patterns, one a word
		case $module in $pattern) allowed+=($names) ;; esac
	done < <(rows tests/lint/undefined.txt)
	[ "${#allowed[@]}" -gt 0 ] || return
	while read -r symbol; do
		symbol=${symbol%%@*}
		for pattern in "${allowed[@]}"; do
			# shellcheck disable=SC2254
			case $symbol in $pattern) continue 2 ;; esac
		done
		violation "src/$module: uses $symbol, which is not on its list (tests/lint/undefined.txt)"
	done < <(nm -u "$top_builddir/$object" | awk '{ print $2 }')
}

check_exports()
{
	local shim=$top_builddir/.libs/libxtime.so found
	[ -e "$shim" ] || return
	found=$(nm -D --defined-only "$shim" | awk '{ sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort | tr '\n' ' ')
	[ "$found" = "$exports " ] || violation "libxtime.so: exports \"${found% }\"; it must be exactly \"$exports\""
}

set -f
for object in "${objects[@]}"; do
	source=$(source_of "$object")
	# Of a file that has been renamed or removed since.
	[ -e "$source" ] || continue
	check_names "$object" "$source"
	check_data "$object" "$source"
	check_calls "$object" "$source"
	check_undefined "$object" "$source"
done
check_exports
finish "${#objects[@]} objects"
