#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_every_scheduler.sh FOLDER RUNTIME
# Runs the OpenMP programs of the runners in FOLDER on Teff's RUNTIME, at their small sizes, with every scheduler and every
# tracker. Checks that each run is verified, and that the runtime says which scheduler, tracker and number of threads it
# has. `constructs`, which measures time, runs with one tracker.
set -uo pipefail
folder=$1 runtime=$2
schedulers=(demand blaze xqueue_static xqueue_wait xqueue_nowait xqueue_nowait2 ompi fifo sherwood nemesis distrib)
trackers=(tickets list embedded_hypergraph hypergraph embedded_graph graph)
runs=0 failures=0

# one_run RUNNER KERNEL SIZE VARIANT SCHEDULER TRACKER THREADS
one_run() {
    local output status
    runs=$((runs + 1))
    output=$(env -u LD_PRELOAD LD_LIBRARY_PATH="$(dirname "$runtime")" OMP_NUM_THREADS="$7" TEFF_SCHEDULER="$5" \
        TEFF_TRACKER="$6" TEFF_OPENMP_VERBOSE=on timeout --kill-after=5s 60 \
        "$1" --kind openmp --kernel "$2" --size "$2:$3" --variant "$4" --threads "$7" 2>&1)
    status=$?
    if [ $status -eq 0 ] && [[ $output == *'"verified":true'* &&
        $output == *"; scheduler $5, tracker $6, threads $7"$'\n'* ]]; then
        return
    fi
    failures=$((failures + 1))
    echo "${1##*/} $2 $4, $5, $6, $7 threads: exit status $status: ${output:0:500}"
}

for runner in "$folder"/teff-bench-lib{gomp,omp}-*; do
    [ -e "$runner" ] || continue
    while read -r kernel size variants; do
        for variant in $variants; do
            for scheduler in "${schedulers[@]}"; do
                if [ "$kernel" = constructs ]; then
                    one_run "$runner" "$kernel" "$size" "$variant" "$scheduler" tickets 2
                    continue
                fi
                for tracker in "${trackers[@]}"; do
                    one_run "$runner" "$kernel" "$size" "$variant" "$scheduler" "$tracker" 2
                done
                one_run "$runner" "$kernel" "$size" "$variant" "$scheduler" graph 5
            done
        done
    done < <("$runner" --describe | sed 's/{"kernel":/\n&/g' | grep '"kind":"openmp"' | sed -E \
        's/.*"kernel":"([^"]+)","variants":\[([^]]*)\],"check":"([^"]+)".*/\1 \3 \2/; s/[",]+/ /g')
done
echo "$runs runs, $failures failures"
[ "$runs" -gt 0 ] && [ "$failures" -eq 0 ]
