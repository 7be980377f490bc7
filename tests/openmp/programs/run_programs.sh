#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run_programs.sh FOLDER RUNTIME COMPILER [SCHEDULER [THREADS [FILTER]]]
# Runs the programs that COMPILER (gcc, gfortran or clang) has built in FOLDER/COMPILER against the file RUNTIME, with
# TEFF_SCHEDULER and OMP_NUM_THREADS as given (demand, 2). Says which fail and what they print. A program that
# not_yet.txt names must fail: when it passes, its row has to go.
#
# With the compiler's own runtime as RUNTIME it shows that the programs are right.
set -uo pipefail
here=$(dirname "$0")
folder=$1 runtime=$2 compiler=$3 scheduler=${4:-demand} threads=${5:-2} filter=${6:-.}
limit_s=${PROGRAM_LIMIT_S:-300}
not_yet=${NOT_YET:-$here/not_yet.txt}
list=${PROGRAMS:-$here/programs.txt}
[ -e "$runtime" ] || { echo "no such runtime: $runtime" >&2; exit 2; }

# Whether not_yet.txt has a row for this program in this configuration. Its fields are patterns.
is_not_yet() {
    local name compilers schedulers thread_counts
    while read -r name compilers schedulers thread_counts; do
        # shellcheck disable=SC2053
        [[ $1 == $name && $compiler == ${compilers:-*} && $scheduler == ${schedulers:-*} &&
            $threads == ${thread_counts:-*} ]] && return 0
    done < <(grep -v '^#' "$not_yet")
    return 1
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
passed=0 failed=0 expected=0
while read -r name compilers environment; do
    [[ ",$compilers," == *",$compiler,"* && $name =~ $filter ]] || continue
    read -ra settings <<<"$environment"
    env -u LD_PRELOAD LD_LIBRARY_PATH="$(dirname "$runtime")" EXPECTED_OPENMP_RUNTIME="$runtime" \
        TEFF_SCHEDULER="$scheduler" OMP_NUM_THREADS="$threads" "${settings[@]}" \
        timeout --kill-after=5s "$limit_s" "$folder/$compiler/$name" >"$output" 2>&1 </dev/null
    status=$?
    why="exit status $status"
    [ $status -ne 124 ] && [ $status -ne 137 ] || why="no end within $limit_s s"
    if [ $status -eq 0 ] && [ -s "$output" ]; then
        status=1 why="prints something"
    fi
    if is_not_yet "$name"; then
        if [ $status -eq 0 ]; then
            echo "passes now, so its row in $(basename "$not_yet") has to go: $name"
            failed=$((failed + 1))
        else
            expected=$((expected + 1))
        fi
    elif [ $status -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "failed: $name: $why"
        head -n 5 "$output" | cut -c 1-300 | sed 's/^/    /'
        failed=$((failed + 1))
    fi
done < <(grep -v '^#' "$list" | grep .)
echo "$compiler, $scheduler, $threads threads: $passed passed, $failed failed, $expected not there yet"
[ $((passed + expected)) -gt 0 ] && [ $failed -eq 0 ]
