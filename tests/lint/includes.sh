#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Includes follow the layers (layers.txt), other libraries stay behind one file each (libraries.txt), and everything
# else is libc (libc.txt).
# shellcheck source=tests/lint/lib.sh
. "${top_srcdir:?}/tests/lint/lib.sh"

declare -A layer library
while read -r folder allowed; do
	layer[$folder]=$allowed
done < <(rows tests/lint/layers.txt)
while read -r header files; do
	library[$header]=$files
done < <(rows tests/lint/libraries.txt)
mapfile -t libc < <(rows tests/lint/libc.txt | tr -s '[:blank:]' '\n')

# matches TEXT PATTERN…: whether one of the shell patterns fits.
matches()
{
	local text=$1 pattern
	shift
	for pattern; do
		# shellcheck disable=SC2254 # these are patterns
		case $text in $pattern) return 0 ;; esac
	done
	return 1
}

own_header()
{
	local where=$1 folder=$2 header=$3 allowed
	[ "$header" = config.h ] && return
	if [ ! -e "src/$header" ]; then
		violation "$where: includes \"$header\"; there is no src/$header (paths begin at src/)"
		return
	fi
	[ "${header%%/*}" = "$folder" ] && return
	for allowed in ${layer[$folder]}; do
		case $allowed in
		*/) [ "${header%/*}/" = "$allowed" ] && return ;;
		*) [ "$header" = "$allowed" ] && return ;;
		esac
	done
	violation "$where: includes \"$header\"; src/$folder may include ${layer[$folder]:-nothing} (tests/lint/layers.txt)"
}

foreign_header()
{
	local where=$1 file=$2 header=$3 pattern files
	for pattern in "${!library[@]}"; do
		matches "$header" "$pattern" || continue
		read -ra files <<<"${library[$pattern]}"
		matches "${file#src/}" "${files[@]}" ||
			violation "$where: includes <$header>; only ${library[$pattern]} may (tests/lint/libraries.txt)"
		return
	done
	matches "$header" "${libc[@]}" ||
		violation "$where: includes <$header>, which is neither libc nor in tests/lint/libraries.txt"
}

count=0
set -f
while IFS=: read -r file number text; do
	[[ $text =~ ^[[:space:]]*\#[[:space:]]*include[[:space:]]*([\"\<])([^\"\>]+) ]] || continue
	folder=${file#src/}
	folder=${folder%%/*}
	count=$((count + 1))
	if [ -z "${layer[$folder]+known}" ]; then
		violation "$file:$number: $folder is not a layer of tests/lint/layers.txt"
	elif [ "${BASH_REMATCH[1]}" = '"' ]; then
		own_header "$file:$number" "$folder" "${BASH_REMATCH[2]}"
	else
		foreign_header "$file:$number" "$file" "${BASH_REMATCH[2]}"
	fi
done < <(set +f; grep -rn --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include' src)
[ "$count" -gt 0 ] || violation "src: no #include found, so nothing was checked"
finish "$count includes"
