#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tool_is_found.sh PROGRAM RUNTIME TOOL
# How the runtime looks for a tool, what it says when it cannot call one, and that the tool gets all events.
set -euo pipefail
program=$1 runtime=$2 tool=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; cat "$work/out" "$work/errors" 2>/dev/null; exit 1; }

run_arguments=()
# run FOLDER VARIABLE=VALUE...: the program must print its result, whatever becomes of the tool.
run() {
    local folder=$1
    shift
    rm -f "$work/counts"
    env -u OMP_TOOL -u OMP_TOOL_LIBRARIES LD_LIBRARY_PATH="$folder" CHECKING_TOOL_COUNTS="$work/counts" "$@" \
        timeout 30 "$program" "${run_arguments[@]}" >"$work/out" 2>"$work/errors" || fail "the program fails with: $*"
    grep -qx 49 "$work/out" || fail "the program's result is wrong with: $*"
}
folder=$(dirname "$runtime")

# All functions but stubs are redirected by 16 bytes at their beginning, which no other one may begin in.
table=$(dirname "${BASH_SOURCE[0]}")/../../../teff/frontends/openmp/symbols.txt
nm -D --defined-only "$runtime" | awk '
    FNR == NR { if ($3 == "internal" || $3 == "missing") is_stub[$1] = 1; next }
    $2 ~ /[TW]/ { sub(/@.*/, "", $3); if (!($3 in is_stub) && $1 !~ /0$/) { print $3 " is not aligned"; bad = 1 } }
    END { exit bad }' "$table" - >"$work/out" || fail "these functions cannot be redirected:"

run "$folder"
[ ! -e "$work/counts" ] || fail "there is a tool without a variable for it"

# Events 3, 5 and 27: regions, tasks, locks.
run "$folder" OMP_TOOL_LIBRARIES="$tool"
for row in '3 3' '5 10' '27 4'; do
    grep -qx "$row" "$work/counts" || fail "the tool did not get its events ($row)"
done

# A tool that has begun ends, also if the program does not use OpenMP.
run_arguments=(none)
run "$folder" OMP_TOOL_LIBRARIES="$tool"
[ -e "$work/counts" ] || fail "the tool was not told of the end of a program without OpenMP"
run_arguments=()

for word in disabled ' Disabled'; do
    run "$folder" OMP_TOOL_LIBRARIES="$tool" OMP_TOOL="$word"
    [ ! -e "$work/counts" ] || fail "OMP_TOOL=$word has no effect"
done

# A function that is missing says so with a tool, too.
! LD_LIBRARY_PATH="$folder" OMP_TOOL_LIBRARIES="$tool" timeout 30 "$program" call 2>"$work/errors" >"$work/out" ||
    fail "a function that is not there has returned"
grep -q 'GOACC_declare is not part of' "$work/errors" || fail "no line about a missing function"

# The first library is not there, the second is no tool.
run "$folder" OMP_TOOL_LIBRARIES="$work/none.so:$runtime:$tool" OMP_TOOL_VERBOSE_INIT=stderr
[ -e "$work/counts" ] || fail "the search ended before the third library"
grep -q "Opening $work/none.so... Failed: .*cannot open shared object" "$work/errors" || fail "none.so is not named"
grep -q "Searching for ompt_start_tool in $runtime... Failed" "$work/errors" || fail "the second library is not named"

run "$folder" OMP_TOOL_LIBRARIES="$tool" OMP_TOOL_VERBOSE_INIT="$work/log"
grep -q "Tool was started" "$work/log" || fail "no log in a file"
run "$folder" OMP_TOOL_LIBRARIES="$tool" OMP_TOOL_VERBOSE_INIT="$work/none/log"
grep -q "OMP_TOOL_VERBOSE_INIT=$work/none/log: the file cannot be written" "$work/errors" || fail "no line about the log"

# A runtime that was copied without the runtime for tools.
mkdir "$work/alone"
cp -L "$runtime" "$work/alone/libgomp.so.1"
cp -L "$folder"/../libteff-core.so.* "$work/alone" 2>/dev/null || true
run "$work/alone" OMP_TOOL_LIBRARIES="$tool"
grep -q "the tool is not called, since the runtime for tools cannot be loaded: $work/alone/libteff-omp-tools.so" \
    "$work/errors" || fail "no line about the missing runtime for tools"
[ ! -e "$work/counts" ] || fail "a tool was called without the runtime for tools"
