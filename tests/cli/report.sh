#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# xtime report: formats, pictures, folders, and what it says when something is wrong.
set -u
xtime=${top_builddir:?}/xtime
data=${top_srcdir:?}/tests/data/report
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
	echo "FAIL: $*"
	failed=1
}

# expect STATUS PATTERN COMMAND...: exit status, and a pattern in stderr.
expect() {
	local status=$1 pattern=$2 got
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	[ "$got" = "$status" ] || fail "$*: exit $got instead of $status: $(cat "$dir/err")"
	[ -z "$pattern" ] || grep -q -- "$pattern" "$dir/err" || fail "$*: '$pattern' is not in: $(cat "$dir/err")"
}

# The committed tables, by file, by folder, and into a file.
expect 0 '' "$xtime" report "$data/ab-two.json"
cmp "$dir/out" "$data/ab-two.txt" || fail "table differs"
expect 0 '' "$xtime" report --format=csv --output="$dir/two.csv" "$data/ab-two.json"
cmp "$dir/two.csv" "$data/ab-two.csv" || fail "CSV in a file differs"
[ -s "$dir/out" ] && fail "--output leaves standard output empty"
mkdir "$dir/records"
cp "$data/ab-two.json" "$data/run.json" "$dir/records"
expect 0 '' "$xtime" report "$dir/records"
{ cat "$data/ab-two.txt"; echo; cat "$data/run.txt"; } | cmp - "$dir/out" || fail "a folder shows its records by name"
rows=$("$xtime" report "$data/reproduce-2007.json" | grep -c '^ *[1-9][0-9]*  ')
[ "$rows" = 5 ] || fail "$rows rows begin with a thread count instead of 5"

# json gives the record back; a comma locale changes nothing.
expect 0 '' "$xtime" report --format=json "$data/run.json"
"$xtime" report --format=json "$dir/out" 2>/dev/null | cmp - "$dir/out" || fail "json of json differs"
LC_ALL=de_DE.UTF-8 "$xtime" report "$data/ab-two.json" | cmp - "$data/ab-two.txt" || fail "the locale shows"

# A page of each record, named after it.
expect 0 '' "$xtime" report "$dir/records" --format=html --output="$dir/pages/"
[ "$(cd "$dir/pages" && echo *)" = "ab-two.html run.html" ] || fail "pages: $(ls "$dir/pages")"
tail -n 1 "$dir/pages/run.html" | grep -q '</html>' || fail "run.html is not whole"

# Bad input: named, exit 2, nothing created.
printf '{"schema": "xtime.ab/1"}' >"$dir/bad.json"
printf 'no json' >"$dir/worse.json"
mkdir "$dir/empty"
before=$(cd "$dir" && echo *)
expect 2 'no record' "$xtime" report
expect 2 'none.json: No such file' "$xtime" report "$dir/none.json"
expect 2 'bad.json: field version is missing' "$xtime" report "$dir/bad.json" --output="$dir/x"
expect 2 'worse.json:1:.*not a JSON record' "$xtime" report "$data/run.json" "$dir/worse.json" --output="$dir/x"
expect 2 'empty: the folder holds no record' "$xtime" report "$dir/empty"
expect 2 "'sgv' is not one of" "$xtime" report "$data/run.json" --format=sgv
expect 2 'no points to draw' "$xtime" report "$data/clocks.json" --format=svg --output="$dir/x"
expect 2 'makes one file of one record: 2 were given' "$xtime" report "$dir/records" --format=svg --output="$dir/x"
expect 2 'makes one file of one record' "$xtime" report "$dir/records" --format=json
expect 2 'no/such/x' "$xtime" report "$data/run.json" --output="$dir/no/such/x"
[ "$(cd "$dir" && echo *)" = "$before" ] || fail "bad input created files: $(ls "$dir")"

# Output that cannot be written.
expect 1 'No space left' bash -c '"$@" >/dev/full' - "$xtime" report "$data/run.json"

# Without gnuplot: the reason, the data beside the wanted picture, exit 1.
mkdir "$dir/bin"
expect 1 'gnuplot-nox' env PATH="$dir/bin" "$xtime" report "$data/ab-two.json" --format=svg --output="$dir/two.svg"
[ -e "$dir/two.svg" ] && fail "a picture without gnuplot"
grep -q '^1 5712.4 ' "$dir/two.svg.gp" || fail "the data is not in two.svg.gp"

if command -v gnuplot >/dev/null; then
	gnuplot "$dir/two.svg.gp" 2>/dev/null | grep -q '</svg>' || fail "the kept script draws nothing"
	expect 0 '' "$xtime" report "$data/reproduce-2007.json" --format=svg --output="$dir/a.svg"
	tail -n 2 "$dir/a.svg" | grep -q '</svg>' || fail "a.svg is not whole"
	for text in 'June 2007, published' 'syscall-time' 'k transactions/s' 'gain in throughput, %' threads; do
		grep -q "$text" "$dir/a.svg" || fail "'$text' is not in the picture"
	done
	expect 0 '' "$xtime" report "$data/run.json" --format=png
	head -c 8 "$dir/out" | cmp - <(printf '\211PNG\r\n\032\n') || fail "png is no PNG"
	cp "$data/clocks.json" "$dir/records"
	expect 0 'clocks.json: left out' "$xtime" report "$dir/records" --format=png --output="$dir/pictures/"
	[ "$(ls "$dir/pictures" | tr '\n' ' ')" = "ab-two.png run.png " ] || fail "pictures: $(ls "$dir/pictures")"
	# A name that tries to be more than a name.
	sed "s/\"oltp_time\"/\"a'b\`touch $(basename "$dir").sly\`\"/" "$data/ab-two.json" >"$dir/sly.json"
	expect 0 '' "$xtime" report "$dir/sly.json" --format=svg --output="$dir/sly.svg"
	[ -e "$(basename "$dir").sly" ] && fail "a name was run as a command"
else
	echo "gnuplot is not there: pictures were not tested"
fi
exit $failed
