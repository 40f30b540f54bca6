# SPDX-License-Identifier: GPL-3.0-or-later
# strip(line): the line without comments and without the contents of strings. Lines must come in order.

FNR == 1 { in_comment = 0 }

function strip(s,    out, rest, c, d, i, j, n)
{
	out = ""
	n = length(s)
	i = 1
	while (i <= n) {
		rest = substr(s, i)
		if (in_comment) {
			j = index(rest, "*/")
			if (!j)
				return out
			i += j + 1
			in_comment = 0
			out = out " "
			continue
		}
		if (!match(rest, /["'\/]/))
			return out rest
		out = out substr(rest, 1, RSTART - 1)
		i += RSTART - 1
		c = substr(s, i, 1)
		d = substr(s, i, 2)
		if (d == "//")
			return out
		if (d == "/*") {
			in_comment = 1
			i += 2
		} else if (c == "/") {
			out = out c
			i++
		} else {
			for (j = i + 1; j <= n && substr(s, j, 1) != c; j++)
				if (substr(s, j, 1) == "\\")
					j++
			out = out c c
			i = j + 1
		}
	}
	return out
}
