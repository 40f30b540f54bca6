# SPDX-License-Identifier: GPL-3.0-or-later
# Two samples of integers in lo..hi, one a line, in two files: are they from one distribution? Prints the chi-square over
# at most 200 bins as a normal deviate (Wilson and Hilferty's approximation). With -v zipf=E the second file may be
# /dev/null: the first is compared with the bounded Zipf law of exponent E.
#	awk -v lo=1 -v hi=1000 -f chisquare.awk FIRST SECOND

BEGIN {
	width = hi - lo + 1
	bins = width < 200 ? width : 200
}

$1 < lo || $1 > hi { outside++; next }

{ file = FILENAME == ARGV[1] ? 1 : 2; count[file, int(($1 - lo) * bins / width)]++; total[file]++ }

function deviate(x, k,    t)
{
	t = x / k
	return (exp(log(t) / 3) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k))
}

END {
	if (outside) {
		print "values outside the range:", outside
		exit
	}
	if (zipf) {
		for (k = 1; k <= width; k++)
			sum += k ^ -zipf
		for (k = 1; k <= width; k++)
			expected[int((k - 1) * bins / width)] += total[1] * k ^ -zipf / sum
		for (i = 0; i < bins; i++) {
			x += (count[1, i] - expected[i]) ^ 2 / expected[i]
			cells++
		}
	} else {
		for (i = 0; i <= bins; i++) { # neighbours together until there is enough to compare
			a += count[1, i]
			b += count[2, i]
			if (a + b < 20)
				continue
			t = (a + b) / (total[1] + total[2])
			x += (a - t * total[1]) ^ 2 / (t * total[1]) + (b - t * total[2]) ^ 2 / (t * total[2])
			cells++
			a = b = 0
		}
	}
	printf "%.2f\n", (cells > 1 && x > 0) ? deviate(x, cells - 1) : 0
}
