#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Output that cannot be written is an error and status 1 for run, ab and report: full disk, closed standard output, a
# reader that has gone, a folder without permission. A record is whole or not there, an older one stays as it was.
# shellcheck disable=SC2034  # the commands are read through a name
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:-.}/tests/cli/lib.sh" || exit 99

[ -e /dev/full ] || { echo "SKIP: no /dev/full"; exit 77; }
chmod 755 "$work"
record=$top_srcdir/tests/data/report/run.json
run=("$xtime" run noop --db-driver=null --events=10)
ab=("$xtime" ab oltp_time --table-size=100 --threads=1 --time=0.1 --slice=2ms --warmup-time=0.05 --cost-time=0.02)
report=("$xtime" report "$record")
commands=(run ab report)

for name in "${commands[@]}"; do
  declare -n command=$name
  "${command[@]}" >/dev/full 2>"$work/.err"
  [ $? = 1 ] && grep -q "No space left" "$work/.err" || fail "$name on a full disk: $(cat "$work/.err")"
  "${command[@]}" >&- 2>"$work/.err"
  [ $? = 1 ] && grep -q "standard output\|Bad file" "$work/.err" || fail "$name with stdout closed: $(cat "$work/.err")"
  # A reader that is gone before anything is written.
  { "${command[@]}" 2>"$work/.err"; echo $? >"$work/status"; } | true
  [ "$(cat "$work/status")" = 1 ] || fail "$name without a reader: status $(cat "$work/status"): $(cat "$work/.err")"
  run 1 "${command[@]}" --output=/dev/full; says "No space left"
  # What can be known before is refused before.
  run 2 "${command[@]}" --output="$work/none/none/r.json"; says "none"
done
# Limits of the process are errors, too, and not its end.
limited() { # LIMIT COMMAND...
  # shellcheck disable=SC2016  # for the inner shell
  bash -c 'ulimit $0; exec "$@"' "$@"
}
run 1 limited "-f 1" "${run[@]}" --output="$work/big.json"; says "big.json" "File too large"
[ ! -e "$work/big.json" ] || fail "a record without room for it"
run 1 limited "-f 1" "${ab[@]}"; says "control page" "File too large"
run 1 limited "-f 1" "$xtime" exec --impl=coarse --count -- true; says "control page" "File too large"
run 1 limited "-f 1" "$xtime" report "$top_srcdir/tests/data/report/ab-dose.json" --format=json --output="$work/big2.json"; says "big2.json" "File too large"
# The program meets its limit as if it were alone.
# shellcheck disable=SC2016  # for the inner shell
run 153 "$xtime" exec --impl=coarse -- bash -c 'ulimit -f 1; head -c 100000 /dev/zero >"$0"' "$work/own"
run 1 limited "-n 20" "${ab[@]}" --db-driver=null; says "control page" "open files"
# As an ordinary user in a folder that may be read only.
as_user() {
  if [ "$(id -u)" != 0 ]; then "$@"; else runuser -u nobody -- env TMPDIR="$work/user" "$@"; fi
}
mkdir -m 755 "$work/readonly" "$work/user"
[ "$(id -u)" = 0 ] && chown nobody "$work/user" || chmod 555 "$work/readonly"
if as_user test -x "$xtime" && as_user test -r "$record"; then
  for name in "${commands[@]}"; do
    declare -n command=$name
    run 2 as_user "${command[@]}" --output="$work/readonly/r.json"; says "readonly" "Permission denied"
    [ -z "$out" ] || fail "$name: something was run though nothing can be saved"
    # report looks at each file of a folder only when it writes it.
    status=2
    [ "$name" != report ] || status=1
    run $status as_user "${command[@]}" --output="$work/readonly/sub/"; says "readonly" "Permission denied"
  done
  run 1 as_user "$xtime" run noop --db-driver=null --events=5 --log --log-prefix="$work/readonly/log"; says "cannot write the log" "Permission"
  [ -z "$(find "$work/readonly" -mindepth 1)" ] || fail "left in the folder: $(ls -A "$work/readonly")"
else
  echo "note: an ordinary user cannot reach the program: that part is left out"
fi

# A disk that fills up: the older record stays whole, nothing else is left.
cat >"$work/full.sh" <<'SH'
mount -t tmpfs -o size=16k none "$1" || exit 99
printf '{"old": true}\n' >"$1/r.json"
head -c 8192 /dev/zero >"$1/ballast" || exit 99
shift
"$@"
status=$?
printf '%s %s\n' "$(ls -A "$FULL" | tr '\n' ' ')" "$(cat "$FULL/r.json")" >"$SEEN"
exit $status
SH
mkdir "$work/disk"
if [ "$(id -u)" = 0 ] && unshare -m mount -t tmpfs none "$work/disk" 2>/dev/null; then
  export FULL=$work/disk SEEN=$work/seen
  for name in "${commands[@]}"; do
    declare -n command=$name
    long=("${command[@]}")
    [ $name = run ] && long+=(--events=100000 --histogram --report-interval=0.001 --time=0.5)
    [ $name = report ] && long+=(--format=html)
    run 1 unshare -m sh "$work/full.sh" "$work/disk" "${long[@]}" --output="$work/disk/r.json"; says "No space left"
    [ "$(cat "$SEEN")" = 'ballast r.json  {"old": true}' ] || fail "$name: on the full disk: $(cat "$SEEN")"
  done
else
  echo "note: no small disk can be mounted here: that part is left out"
fi
done_testing
