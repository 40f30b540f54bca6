#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# exec's command line: what is refused, with the reason, before anything runs or is made.
# shellcheck source=tests/shim/lib.sh
. "${top_srcdir:?}/tests/shim/lib.sh"

cd "$scratch" || exit 99
# refused WORDS OPTIONS...: exit 2, the words in the message, nothing run and nothing made.
refused()
{
	local words=$1
	shift
	"$xtime" exec "$@" -- touch ran 2>err
	[ $? -eq 2 ] || fail "$*: not refused"
	grep -q -- "$words" err || fail "$*: '$words' is not in: $(cat err)"
	[ "$(ls)" = err ] || fail "$*: made $(ls)"
}
refused 'unknown option --imple' --imple=libc
refused '--impl=foo.*vdso-time.*plugin' --impl=foo
refused '--impl=gettimeofday@foo.*hpet' --impl=gettimeofday@foo
refused '--impl=gettimeofday@5.*1000000000ns' --impl=gettimeofday@5
refused 'nothing to stretch' --impl=coarse@hpet
refused 'whole seconds' --impl=vdso-time --swap=time,gettimeofday
refused 'whole seconds' --impl=syscall-time --swap=monotonic
refused 'whole seconds' --impl=cached --swap=clock_gettime
refused 'CLOCK_MONOTONIC' --impl=constant --swap=monotonic
refused "'ftime' is no function.*clock_gettime" --swap=time,ftime
refused "'' is no function" --swap=
refused 'nowhere/page' --page=nowhere/page
refused 'nowhere/deeper/counts' --count=nowhere/deeper/counts
refused 'needs a value' --impl
refused "'date'.*behind --" date
"$xtime" exec 2>err
[ $? -eq 2 ] && grep -q 'which program' err || fail "no program: $(cat err)"
"$xtime" exec -- 2>err
[ $? -eq 2 ] && grep -q 'which program' err || fail "nothing behind --: $(cat err)"
"$xtime" exec --help >out 2>err || fail "--help"
for option in --impl=ARM --swap=LIST '--count\[=FILE\]' --page=FILE --require-shim; do
	grep -q -- "$option" out || fail "--help does not show $option"
done
# Options behind -- are the program's; underscores do as well as hyphens.
[ "$("$xtime" exec --require_shim -- echo --impl=foo -- x)" = '--impl=foo -- x' ] || fail "the program's own options"
# A table of counts says what is emulated.
"$xtime" exec --impl=gettimeofday@hpet --swap=clock_gettime --count -- date >out 2>err || fail "--count"
grep -q 'emulated: 565 ns' err || fail "not said to be emulated: $(cat err)"
grep -q ' date ' err || fail "the process is not named: $(cat err)"
"$xtime" exec --count=counts.json -- sh -c 'date; date' >out || fail "--count=FILE"
if command -v python3 >/dev/null; then
	python3 - <<'END' || fail "counts.json"
import json
counts = json.load(open("counts.json"))
assert counts["schema"] == "xtime.counts/1" and counts["fallbacks"] == 0
names = ["time", "gettimeofday", "clock_gettime", "timespec_get", "ftime", "monotonic"]
assert list(counts["total"]) == names
assert [p["comm"] for p in counts["processes"]] == ["sh", "date", "date"], counts["processes"]
for name in names:
    assert counts["total"][name] == sum(p["calls"][name] for p in counts["processes"])
END
fi
finish
