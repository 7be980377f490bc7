#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# notices_changes.sh FOLDER COMPARE TABLE COMPILER SIMULATOR
# Checks that compare.sh fails for a table whose first row is far too small, names both numbers and the remedy, and skips
# the row for another compiler. The tables are made in FOLDER.
set -euo pipefail
folder=$1 compare=$2 table=$3
shift 3
changed=$folder/changed_times.txt
read -r kernel face scheduler _ _ threads _ < <(grep -E '^[a-z_]+ ' "$table")
bad=0

# expect STATUS TEXT FILTER: for the table that the awk program FILTER makes.
expect() {
    local output status=0
    awk "$3" "$table" >"$changed"
    output=$("$compare" check "$changed" "${@:4}" "$kernel" "$face" "$scheduler" "$threads") || status=$?
    if [ "$status" -ne "$1" ] || [[ $output != *$2* ]]; then
        printf 'status %s instead of %s, or no "%s" in: %s\n' "$status" "$1" "$2" "$output"
        bad=1
    fi
}
status=0
"$compare" check "$table" "$@" "$kernel" "$face" "$scheduler" "$threads" || status=$?
[ $status -ne 77 ] || exit 77
expect 1 "renew the table: make simulated-times" '/^[a-z_]+ / { $7 *= 0.5 } { print }' "$@"
expect 77 "for 99.1" '/^compiler/ { print "compiler: g++ 99.1"; next } { print }' "$@"
exit $bad
