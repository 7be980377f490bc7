#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# archer.sh COMPILER RUNTIME_FOLDER ARCHER SCRATCH
# Archer, LLVM's tool for races in OpenMP programs, on this runtime: for each construct of orders.c, the program with
# its order is silent, and the one without it is reported in at least one of five runs.
set -euo pipefail
compiler=$1 runtime=$2 archer=$3 scratch=$4
program=$scratch/orders_$compiler output=$scratch/orders_$compiler.txt
mkdir -p "$scratch"
. "$(dirname "$0")/../../sanitizers/openmp_start.sh"
find_start "$compiler" "$program"
"$compiler" -std=gnu11 -g1 -O1 -Wall -Wextra -fopenmp -fsanitize=thread "$(dirname "$0")/orders.c" -o "$program"

export LD_LIBRARY_PATH=$runtime OMP_TOOL_LIBRARIES=$archer
export TSAN_OPTIONS='ignore_noninstrumented_modules=1 atexit_sleep_ms=0 halt_on_error=1 exitcode=66 history_size=7'
names=$("${start[@]}" "$program" list)
failed=0
# run KIND NAME: runs the program, and sets `status`.
run() {
    status=0
    ARCHER_OPTIONS=verbose=1 timeout 60 "${start[@]}" "$program" "$1" "$2" >"$output" 2>&1 || status=$?
    if ! grep -q 'with TSan, supplying OpenMP synchronization' "$output"; then
        cat "$output"
        echo "Archer was not loaded"
        exit 1
    fi
}
complain() { cat "$output"; echo "$1"; failed=1; }
for name in $names; do
    run right "$name"
    [ $status = 0 ] || [ $status = 3 ] || complain "$name: the correct program was accused, or has failed (status $status)"
    # ThreadSanitizer remembers few accesses of each word, so it may miss the race in a run.
    for _ in 1 2 3 4 5; do
        run racy "$name"
        [ $status != 66 ] || break
    done
    [ $status = 66 ] || complain "$name: the race was not reported in five runs (status $status)"
done
exit $failed
