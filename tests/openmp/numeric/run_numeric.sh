#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run_numeric.sh PROGRAM RUNTIME OWN_RUNTIME SIZE SCHEDULERS TRACKERS
# Runs PROGRAM with 1, 2 and 4 threads on its compiler's own OpenMP runtime, which writes the results, and then on Teff's
# RUNTIME, which compares with them: with each of the SCHEDULERS, and each of the TRACKERS (words in one argument). Every
# run proves which runtime it has; those on Teff also which scheduler and tracker.
set -uo pipefail
program=$1 runtime=$2 own=$3 size=$4 schedulers=$5 trackers=$6
limit_s=${PROGRAM_LIMIT_S:-300}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 runs=0

# run WHAT RUNTIME MODE [VARIABLE=VALUE...]
run() {
    runs=$((runs + 1))
    env -u LD_PRELOAD LD_LIBRARY_PATH="$(dirname "$2")" EXPECTED_OPENMP_RUNTIME="$2" OMP_NUM_THREADS="$threads" \
        OMP_MAX_TASK_PRIORITY=20 "${@:4}" timeout --kill-after=5s "$limit_s" \
        "$program" "$3" "$scratch/results" "$size" >"$scratch/output" 2>&1 </dev/null
    local status=$?
    [ $status -eq 0 ] && return
    echo "failed: $(basename "$program") $size, $threads threads, $1: exit status $status"
    head -n 5 "$scratch/output" | cut -c 1-300 | sed 's/^/    /'
    failures=$((failures + 1))
}

for threads in 1 2 4; do
    run "the compiler's runtime" "$own" write
    for scheduler in $schedulers; do
        for tracker in $trackers; do
            what="$scheduler, $tracker"
            run "$what" "$runtime" compare TEFF_SCHEDULER="$scheduler" TEFF_TRACKER="$tracker" TEFF_OPENMP_VERBOSE=on
            chosen=$tracker
            if [ "$tracker" = auto ]; then
                [ $threads -le 2 ] && chosen=list || chosen=embedded_hypergraph
            fi
            grep -q "^teff: OpenMP runtime .*; scheduler $scheduler, tracker $chosen, threads $threads\$" \
                "$scratch/output" || { echo "failed: Teff ran with other choices than $what"; failures=$((failures + 1)); }
            if grep -v '^teff: OpenMP runtime ' "$scratch/output"; then
                echo "failed: this was printed: $what"
                failures=$((failures + 1))
            fi
        done
    done
done
echo "$(basename "$program") $size: $runs runs, $failures failures"
[ $failures -eq 0 ]
