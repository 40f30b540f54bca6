# Numbers to N with their decimals kept as a pattern, runs of blanks in front of them to one, so that reports of two
# programs can be compared line by line.
s/^(sysbench|pgbench) .*/\1 VERSION/
s/thds: [0-9]+/thds: N/
s/[0-9]+\.[0-9]+/N.D/g
s/\b[0-9]+\b/N/g
s/ +N/ N/g
s/N +\(/N (/g
s/ +$//
