# SPDX-License-Identifier: GPL-3.0-or-later
# Files, functions and parameter lists that are too long. After strip.awk. A last parameter of type struct xt_err * is
# every fallible function's and does not count; nor does "...".

BEGIN {
	MAX_FILE = 600
	MAX_FUNCTION = 60
	MAX_PARAMETERS = 5
}

FNR == 1 {
	end_of_file()
	depth = 0
	statement = ""
	in_macro = 0
	function_line = 0
}

{
	file = FILENAME
	lines = FNR
	text = strip($0)
	if (in_macro || text ~ /^[ \t]*#/) {
		in_macro = (text ~ /\\$/)
		next
	}
	while (match(text, /[{};]/)) {
		statement = statement " " substr(text, 1, RSTART - 1)
		mark = substr(text, RSTART, 1)
		text = substr(text, RSTART + 1)
		end_of_statement(mark)
	}
	statement = statement " " text
}

END { end_of_file() }

function end_of_file()
{
	if (file != "" && lines >= MAX_FILE)
		printf "%s:%d: %d lines in a file; fewer than %d are allowed\n", file, lines, lines, MAX_FILE
}

function end_of_statement(mark)
{
	gsub(/ElfW\([A-Za-z]*\)/, "T", statement)
	gsub(/__attribute__ *\(\(([^()]|\([^()]*\))*\)\)/, "", statement)
	pointers(statement)
	if (depth == 0 && mark != "}" && statement !~ /=/ && statement !~ /_Static_assert/)
		plain(statement)
	if (mark == "{") {
		if (depth == 0 && statement ~ /\)[ \t]*$/)
			function_line = FNR
		depth++
	} else if (mark == "}") {
		depth--
		if (depth == 0 && function_line) {
			if (FNR - function_line >= MAX_FUNCTION)
				printf "%s:%d: a function of %d lines; fewer than %d are allowed\n", FILENAME,
				       function_line, FNR - function_line, MAX_FUNCTION
			function_line = 0
		}
	}
	statement = ""
}

# Function pointers: "(*name)(…)", at any depth.
function pointers(s)
{
	while (match(s, /\(\*[ \t]*[A-Za-z_][A-Za-z0-9_]*\)[ \t]*\(/)) {
		s = substr(s, RSTART + RLENGTH)
		too_many(s)
	}
}

# Declarations and definitions: "name(…)".
function plain(s)
{
	if (match(s, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/))
		too_many(substr(s, RSTART + RLENGTH))
}

function too_many(s,    n)
{
	n = parameters(s)
	if (n > MAX_PARAMETERS)
		printf "%s:%d: %d parameters; at most %d are allowed (else a struct)\n", FILENAME, FNR, n, MAX_PARAMETERS
}

# How many parameters there are in s, which begins behind the opening parenthesis.
function parameters(s,    level, n, c, i, inside)
{
	level = 1
	n = 1
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "(")
			level++
		else if (c == ")" && !--level)
			break
		else if (c == "," && level == 1)
			n++
	}
	inside = substr(s, 1, i - 1)
	if (inside ~ /^[ \t]*(void)?[ \t]*$/)
		return 0
	return inside ~ /(\.\.\.|struct xt_err \*(err)?)[ \t]*$/ ? n - 1 : n
}
