#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# notices_changes.sh ROW FOLDER TABLE COMPILER TEFF_PROGRAM OPENMP_PROGRAM OPENMP_FOLDER
# Checks that count.sh fails for a table whose ROW is 3 % too small or too large, names the row, both numbers and the
# remedy, and skips the row for another compiler. The tables are made in FOLDER.
set -euo pipefail
row=$1 folder=$2 table=$3
count="$(dirname "$0")/count.sh"
changed=$folder/changed_instructions.txt
bad=0

# expect STATUS TEXT FILTER: for the table that the awk program FILTER makes.
expect() {
    local output status=0 text
    awk -v row="$row" "$3" "$table" >"$changed"
    output=$("$count" check "$changed" "${@:4}" "$row") || status=$?
    if [ "$status" -ne "$1" ] || [[ $output != *$2* ]]; then
        printf 'status %s instead of %s, or no "%s" in: %s\n' "$status" "$1" "$2" "$output"
        bad=1
    fi
}
shift 3
# What cannot be counted here is skipped here, too.
status=0
"$count" check "$table" "$@" "$row" || status=$?
[ $status -ne 77 ] || exit 77
expect 1 "grown by more than 2 %. If that is meant, renew the table: make instructions" \
    '$1 == row { $5 *= 0.97 } { print }' "$@"
expect 1 "shrunk by more than 2 %. So that it stays so, renew the table: make instructions" '$1 == row { $5 *= 1.03 } { print }' "$@"
expect 77 "for 99.1" '/^compiler/ { print "compiler: g++ 99.1"; next } { print }' "$@"
exit $bad
