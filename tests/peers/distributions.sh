#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Random distributions: 200,000 draws each by xtime and by its peers, compared by a chi-square at 0.001 with fixed seeds:
# sysbench's uniform, gaussian, special and pareto, pgbench's exponential, gaussian and zipfian, and the Zipf law below
# exponent 1 against its formula. FULL=1: on more ranges.
# shellcheck source=tests/peers/lib.sh
. "${top_srcdir:?}/tests/peers/lib.sh"

draws=200000
compared=0

# ours EXPRESSION OPTION…
ours()
{
	local expr=$1
	shift
	printf '\\repeat %d\n\\set x debug(%s)\n\\endrepeat\n' $draws "$expr" >"$work/d.sql"
	"$xtime" run "$work/d.sql" --db-driver=null --events=1 --time=0 --rand-seed=11 "$@" 2>&1 >/dev/null |
		sed -n 's/^debug.* int //p' >"$work/ours"
	[ "$(wc -l <"$work/ours")" = $draws ] || fail "$expr: not $draws draws"
}

# judge NAME LO HI [AWK OPTION…]: the deviate stays below the one of 0.001.
judge()
{
	local name=$1 lo=$2 hi=$3 z
	shift 3
	z=$(awk -v lo="$lo" -v hi="$hi" "$@" -f "$peers/chisquare.awk" "$work/ours" "$work/theirs")
	awk -v z="$z" 'BEGIN { exit !(z ~ /^-?[0-9.]+$/ && z < 3.09) }' || fail "$name on $lo..$hi: deviate $z"
	compared=$((compared + 1))
}

cat >"$work/draw.lua" <<'LUA'
function event()
  local f = io.open(os.getenv("OUT"), "w")
  local draw = sysbench.rand[os.getenv("KIND")]
  local lo, hi = tonumber(os.getenv("LO")), tonumber(os.getenv("HI"))
  for i = 1, 200000 do f:write(draw(lo, hi), "\n") end
  f:close()
end
LUA

with_sysbench()
{
	local kind lo hi
	for kind in uniform gaussian special pareto; do
		for range in '1 50000' '1 100' '5 7'; do
			[ "$range" = '1 50000' ] || [ -n "${FULL:-}" ] || continue
			read -r lo hi <<<"$range"
			KIND=$kind LO=$lo HI=$hi OUT=$work/theirs sysbench "$work/draw.lua" --events=1 --rand-seed=3 run >"$work/out" 2>&1 ||
				fail "sysbench: $(tail -n 2 "$work/out")"
			ours "random_default($lo, $hi)" --rand-type=$kind
			judge "$kind" "$lo" "$hi"
		done
	done
	KIND=special LO=1 HI=1000 OUT=$work/theirs sysbench "$work/draw.lua" --events=1 --rand-seed=3 --rand-spec-pct=20 \
		--rand-spec-res=40 --rand-spec-iter=3 run >"$work/out" 2>&1 || fail 'sysbench with other parameters'
	ours 'random_special(1, 1000)' --rand-spec-pct=20 --rand-spec-res=40 --rand-spec-iter=3
	judge 'special with other parameters' 1 1000
}

# with_pgbench NAME LO HI PARAMETER
with_pgbench()
{
	local expr="$1($2, $3, $4)"
	yes "\\set x debug($expr)" | head -n 1000 >"$work/p.sql"
	"$pgbench" -n -t $((draws / 1000)) --random-seed=5 -f "$work/p.sql" 2>&1 >/dev/null | sed -n 's/^debug.* int //p' >"$work/theirs"
	[ "$(wc -l <"$work/theirs")" = $draws ] || fail "pgbench: $expr: not $draws draws"
	ours "$expr"
	judge "$expr" "$2" "$3"
}

ours 'random_default(1, 1000)' --rand-type=zipfian --rand-zipfian-exp=0.8
: >"$work/theirs"
judge 'zipfian 0.8' 1 1000 -v zipf=0.8
ours 'random_default(1, 150)' --rand-type=zipfian --rand-zipfian-exp=0.3
judge 'zipfian 0.3' 1 150 -v zipf=0.3
command -v sysbench >/dev/null || skip 'no sysbench'
with_sysbench
start_server
[ -x "$pgbench" ] || skip 'no pgbench'
with_pgbench random_exponential 1 100 3.5
with_pgbench random_gaussian -500 5000 2.5
with_pgbench random_zipfian 1 1000 1.2
if [ -n "${FULL:-}" ]; then
	with_pgbench random_exponential 1 10000 0.1
	with_pgbench random_gaussian 1 100 2.0
	with_pgbench random_gaussian 1 10000 8
	with_pgbench random_zipfian 1 100 1.001
	with_pgbench random_zipfian 1 10000 2.5
fi
done_testing "$compared distributions"
