#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# events_of_gcc.sh PROGRAM SOURCE RUNTIME TOOL
# Runs PROGRAM, which GCC has made of SOURCE, with the checking tool, and compares the numbers of events with those that
# the source states.
set -euo pipefail
program=$1 source=$2 runtime=$3 tool=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
env -u OMP_TOOL LD_LIBRARY_PATH="$(dirname "$runtime")" CHECKING_TOOL_COUNTS="$work/counts" \
    OMP_TOOL_LIBRARIES="$tool" timeout 60 "$program" || { echo "the program or the tool's checks fail"; exit 1; }

# The order of `counted` in checking_tool.cpp, from 1001.
names=$(sed -n '/^enum counted/,/^}/s/^ *\([a-z_]*\)\( = 1001\)\{0,1\},\{0,1\}$/\1/p' "$(dirname "$0")/checking_tool.cpp")
count_of() {
    local number
    case $1 in
        dispatch) number=32 ;;
        dependences) number=18 ;;
        fulfilled) echo $(($(count_of fulfilled_early) + $(count_of fulfilled_late))); return ;;
        *) number=$((1000 + $(grep -nx "$1" <<<"$names" | cut -d: -f1))) ;;
    esac
    awk -v number="$number" '$1 == number { found = $2 } END { print found + 0 }' "$work/counts"
}
failed=0 rows=0
while read -r name expected; do
    rows=$((rows + 1))
    found=$(count_of "$name")
    [ "$found" = "${expected%%:*}" ] || { echo "$name: $found, not ${expected%%:*}"; failed=1; }
done < <(sed -n 's|^ *// EVENTS \([a-z_]*\) \([0-9]*\).*|\1 \2|p' "$source")
[ $rows -gt 5 ] || { echo "the source states no numbers"; exit 1; }
exit $failed
