# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the shell tests: the binary, a folder of the test's own, checks that say what failed.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the tests use what is set here

set -u
: "${top_builddir:=$PWD}" "${top_srcdir:=$PWD}"
xtime=$top_builddir/xtime
work=$(mktemp -d "${TMPDIR:-/tmp}/xtime-test.XXXXXX") || exit 99
export TMPDIR=$work
failures=0

# Ends what the test started and removes its folder, whatever happens.
finish() {
  local pid
  for pid in $(jobs -p); do kill -9 "$pid" 2>/dev/null; done
  wait 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  failures=$((failures + 1))
}

# run STATUS COMMAND...: output in $out, messages in $err; the exit status must be STATUS.
run() {
  local want=$1 got
  shift
  "$@" >"$work/.out" 2>"$work/.err"
  got=$?
  out=$(<"$work/.out")
  err=$(<"$work/.err")
  [ "$got" = "$want" ] || fail "exit $got instead of $want: $* ($err)"
}

# says TEXT...: the last run's messages hold each text.
says() {
  local text
  for text; do
    case $err in
      *"$text"*) ;;
      *) fail "message does not say '$text': $err" ;;
    esac
  done
}

# json EXPRESSION: true in python, with r the last run's record (standard output).
json() {
  printf '%s' "$out" | python3 -c "
import json, sys
r = json.load(sys.stdin)
ok = $1
sys.exit(0 if ok else 1)" || fail "record: $1"
}

# await SECONDS COMMAND...: waits for a condition, not for a time.
await() {
  local end=$((SECONDS + $1))
  shift
  until "$@" 2>/dev/null; do
    [ $SECONDS -lt $end ] || { fail "not within the time: $*"; return 1; }
    read -rt 0.05 <> <(:) || :
  done
}

done_testing() {
  [ "$failures" = 0 ] || exit 1
  exit 0
}
