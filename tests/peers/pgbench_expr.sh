#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions evaluated by pgbench and by xtime: the same printed value, or an error at the same stage with the same
# words. A list runs in one go up to its first error, which both must meet at the same place; the rest then goes on.
# shellcheck source=tests/peers/lib.sh
. "${top_srcdir:?}/tests/peers/lib.sh"

start_server
[ -x "$pgbench" ] || skip 'no pgbench'
prelude=('\set i 5' '\set d 1.25' '\set b true' '\set n null')
compared=0

# run_both EXPRESSION…: leaves what each printed and how it ended in $theirs and $ours.
run_both()
{
	local e status
	{
		printf '%s\n' "${prelude[@]}"
		for e; do printf '\\set x debug(%s)\n' "$e"; done
	} >"$work/e.sql"
	"$pgbench" -n -t 1 -f "$work/e.sql" >/dev/null 2>"$work/theirs"
	status=$?
	theirs=$(sed -n '/^debug(/p' "$work/theirs")
	theirs_said=$(sed -n 's/^pgbench: error: //p' "$work/theirs" | head -n 1)
	theirs_stage=$status # 1: refused when read, 2: failed when run
	"$xtime" run "$work/e.sql" --db-driver=null --events=1 >/dev/null 2>"$work/ours"
	status=$?
	ours=$(sed -n '/^debug(/p' "$work/ours")
	ours_said=$(sed -n 's/^xtime: error: client 0, transaction 1 of [^ ]*: [^ ]* //p' "$work/ours" | head -n 1)
	ours_stage=$((status == 0 ? 0 : 3 - status))
}

compare()
{
	local list=("$@") good
	while [ ${#list[@]} -gt 0 ]; do
		run_both "${list[@]}"
		good=$(printf '%s' "$theirs" | grep -c '' || :)
		if [ "$theirs" != "$ours" ] || [ "$theirs_stage" != "$ours_stage" ] ||
			{ [ "$theirs_stage" = 2 ] && [ "$theirs_said" != "$ours_said" ]; }; then
			if [ ${#list[@]} -gt 1 ]; then # find which one
				local e
				for e in "${list[@]}"; do compare "$e"; done
				return
			fi
			fail "${list[0]}
	pgbench: stage $theirs_stage, $theirs $theirs_said
	xtime:   stage $ours_stage, $ours $ours_said"
			compared=$((compared + 1))
			return
		fi
		case $theirs_stage in
		0)
			compared=$((compared + ${#list[@]}))
			return
			;;
		1) # one of them cannot be read: each on its own
			if [ ${#list[@]} -gt 1 ]; then
				local one
				for one in "${list[@]}"; do compare "$one"; done
			else
				compared=$((compared + 1))
			fi
			return
			;;
		2) # debug() inside an expression prints too, so that the failing one is found by its command's number
			good=$(sed -n 's/^.*aborted in command \([0-9]*\) .*/\1/p' "$work/theirs" | head -n 1)
			good=$((good - ${#prelude[@]}))
			compared=$((compared + good + 1))
			list=("${list[@]:good+1}")
			;;
		esac
	done
}

while IFS= read -r line; do compare "$line"; done <"$peers/unreadable.txt"
mapfile -t lines < <(cat "$peers/expressions.txt"
	awk -v seed="${SEED:-1}" -v count="${COUNT:-$([ -n "${FULL:-}" ] && echo 1000 || echo 250)}" -f "$peers/expressions.awk")
for ((i = 0; i < ${#lines[@]}; i += 50)); do compare "${lines[@]:i:50}"; done
[ "$compared" -ge 400 ] || fail "only $compared expressions were compared"
done_testing "$compared expressions"
