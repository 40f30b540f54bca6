# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the shim's tests: where things are, programs made for the purpose, what every source must do. To be sourced.
# shellcheck shell=bash disable=SC2034

set -u
: "${top_srcdir:?is set by make check}" "${top_builddir:?is set by make check}"
xtime=$top_builddir/xtime
here=$top_srcdir/tests/shim
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failures=0

# Sanitizers of the harness refuse to start under somebody else's preload, and the programs here have none.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}${ASAN_OPTIONS:+:}verify_asan_link_order=0
unset LD_PRELOAD XTIME_IMPL XTIME_SWAP XTIME_PAGE

# Sources that serve every function, and those of whole seconds.
fine='libc gettimeofday realtime coarse syscall-gettimeofday syscall-realtime syscall-coarse coherent'
whole='vdso-time syscall-time cached'
# The cycle counter is no clock everywhere.
"$xtime" exec --impl=tsc -- true 2>/dev/null && fine="$fine tsc"
all_functions=time,gettimeofday,clock_gettime,monotonic

# The widest swap set that a source serves.
swap_of()
{
	case " $whole constant " in
	*" $1 "*) echo time ;;
	*) echo "$all_functions" ;;
	esac
}

fail()
{
	printf 'FAILED: %s\n' "$*"
	failures=$((failures + 1))
}

finish()
{
	[ "$failures" -eq 0 ]
	exit
}

skip()
{
	printf 'skipped: %s\n' "$*"
	exit 77
}

# build NAME SOURCE [FLAGS...]: a program, at $scratch/NAME.
build()
{
	local name=$1 source=$2
	shift 2
	# shellcheck disable=SC2086 # CC may hold flags
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -pthread "$here/$source" -o "$scratch/$name" "$@" ||
		{ fail "cannot build $source"; finish; }
}

# under SOURCE PROGRAM…: a program under the shim, all that the source can serve swapped.
under()
{
	local source=$1
	shift
	"$xtime" exec --impl="$source" --swap="$(swap_of "${source%%[@+]*}")" -- "$@"
}

# children_of PID
children_of()
{
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# count FILE FUNCTION: the total in a counts file.
count()
{
	sed -n '/"total"/,/}/s/.*"'"$2"'": \([0-9]*\).*/\1/p' "$1"
}
