#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_micro.sh TEFF RUNNERS FOLDER
# Runs every kernel of kind micro, dataflow or threads at a small size with the real command and the runners in RUNNERS,
# and writes the report and the JSON to FOLDER. Checks that every kernel has rows and a figure, that each row is verified,
# and that the rows have the kernels' measures.
set -euo pipefail
teff=$1 runners=$2 folder=$3
status=0

# check_kind KIND THREADS OPTION MEASURE...
check_kind() {
    local kind=$1 threads=$2 option=$3 kernels each kernel measure
    # KERNEL:SIZE, from the runners' own descriptions.
    mapfile -t kernels < <(for runner in "$runners"/teff-bench-*-gcc; do "$runner" --describe; done |
        sed 's/{"kernel":/\n&/g' | grep "\"kind\":\"$kind\"" |
        sed -E 's/.*"kernel":"([^"]+)",.*"check":"([^"]+)".*/\1:\2/' | sort -u)
    [ "${#kernels[@]}" -gt 0 ] || { echo "no runner has a kernel of kind $kind" >&2; exit 1; }
    "$teff" bench --kind "$kind" "${kernels[@]}" --threads "$threads" --runs 1 --compiler gcc $option \
        --json "$folder/$kind.json" --report "$folder/$kind.html" >"$folder/$kind.txt"
    for each in "${kernels[@]}"; do
        kernel=${each%%:*}
        grep -q "\"kernel\": \"$kernel\"" "$folder/$kind.json" || { echo "$kernel has no row" >&2; status=1; }
        grep -q "<code>$kernel</code>" "$folder/$kind.html" || { echo "$kernel has no picture" >&2; status=1; }
    done
    for measure in "${@:4}"; do
        grep -q "\"$measure\": " "$folder/$kind.json" || { echo "no row has $measure" >&2; status=1; }
    done
}

check_kind micro 2,4 "" overhead_ns tasks_by_worker delta capacity throughput latency_ns hand_over_ns wake_us \
    of_ideal of_loop cpu_of_loop
check_kind dataflow 2 "--tracker all" delay_ns baseline_ns task_ns spawn_ns exponent threads_in_use overhead_ns mcells \
    queries
check_kind threads 1,2 "--scheduler fifo,sherwood,nemesis,distrib,demand" thread_ns gigabytes mteps yield_ns \
    hand_over_ns lock_ns live resident_bytes
exit $status
