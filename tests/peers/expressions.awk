# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions over all operators and functions, types, NULL and edge values, one a line. The same ones for the same
# SEED in every awk: the generator of random numbers is its own.
#	awk -v seed=1 -v count=500 -f expressions.awk

function draw(n)
{
	state = (state * 16807) % 2147483647
	return int(state / 2147483647 * n)
}

function pick(list,    items, n)
{
	n = split(list, items, " ")
	return items[1 + draw(n)]
}

function number()
{
	if (draw(3))
		return pick("0 1 -1 2 3 5 7 10 63 64 100 -17 2147483648 9223372036854775807 -9223372036854775808 :i")
	return pick("0.0 0.5 -1.5 2.5 3.5 1e300 1e-300 1e19 .25 6.02e23 9223372036854775808.0 :d")
}

function leaf()
{
	if (draw(4))
		return number()
	return pick("true false null TRUE Null :b :n :none")
}

function call(depth,    name)
{
	name = pick("abs debug double exp greatest hash hash_fnv1a hash_murmur2 int least ln mod permute pi pow power sqrt " \
		"random random_gaussian random_exponential random_zipfian GREATEST Least")
	if (name == "pi")
		return "pi()"
	if (name == "abs") # of a truth value it has no meaning in pgbench
		return "abs(" number() ")"
	if (name ~ /^(exp|ln|sqrt|double|int|debug)$/)
		return name "(" expr(depth - 1) ")"
	if (name ~ /^(mod|pow|power)$/)
		return name "(" expr(depth - 1) ", " expr(depth - 1) ")"
	if (name ~ /^hash/)
		return name "(" expr(depth - 1) ", " leaf() ")"
	if (name == "permute")
		return "permute(" expr(depth - 1) ", " leaf() ", " number() ")"
	if (name == "random")
		return "random(" pick("3,3 -4,-4 5,3 :i,:i null,1 1.4,1 -9223372036854775808,0") ")"
	if (name ~ /^random/)
		return name "(7, " pick("7 6 7.2 :n") ", " pick("2.0 1.5 0 -1 1.001 1000 1001 3 :n true") ")"
	return name "(" expr(depth - 1) pick(", ,1, ,2.5,") expr(depth - 1) ")"
}

function expr(depth,    kind)
{
	if (depth <= 0)
		return leaf()
	kind = draw(12)
	if (kind < 4)
		return expr(depth - 1) " " pick("+ - * / % = <> != < <= > >= | # & << >>") " " expr(depth - 1)
	if (kind == 4)
		return expr(depth - 1) " " pick("and or AND Or") " " expr(depth - 1)
	if (kind == 5)
		return pick("- + ~ not") " " expr(depth - 1)
	if (kind == 6)
		return expr(depth - 1) " " pick("is isnull notnull is_not") " " pick("null true false")
	if (kind == 7)
		return "case when " expr(depth - 1) " then " leaf() (draw(2) ? " else " leaf() : "") " end"
	if (kind < 10)
		return "(" expr(depth - 1) ")"
	return call(depth)
}

BEGIN {
	state = seed + 1
	for (i = 0; i < 10; i++)
		draw(2)
	for (i = 0; i < count; i++) {
		line = expr(1 + draw(4))
		gsub(/is_not/, "is not", line)
		gsub(/isnull (null|true|false)/, "isnull", line)
		gsub(/notnull (null|true|false)/, "notnull", line)
		print line
	}
}
