#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_micro.sh TEFF RUNNERS FOLDER
# Runs every micro-benchmark at a small size with the real command and the runners in RUNNERS, and writes the report
# and the JSON to FOLDER. Checks that every kernel has rows and a figure, that each row is verified, and that the rows
# have the kernels' measures.
set -euo pipefail
teff=$1 folder=$3
# KERNEL:SIZE of each micro-benchmark, from the runners' own descriptions.
mapfile -t kernels < <(for runner in "$2"/teff-bench-*-gcc; do "$runner" --describe; done |
    sed 's/{"kernel":/\n&/g' | grep '"kind":"micro"' |
    sed -E 's/.*"kernel":"([^"]+)",.*"check":"([^"]+)".*/\1:\2/' | sort -u)
[ "${#kernels[@]}" -gt 0 ] || { echo "no runner has a micro-benchmark" >&2; exit 1; }
"$teff" bench --kind micro "${kernels[@]}" --threads 2,4 --runs 1 --compiler gcc \
    --json "$folder/micro.json" --report "$folder/micro.html" >"$folder/micro.txt"
status=0
for each in "${kernels[@]}"; do
    kernel=${each%%:*}
    grep -q "\"kernel\": \"$kernel\"" "$folder/micro.json" || { echo "$kernel has no row" >&2; status=1; }
    grep -q "<code>$kernel</code>" "$folder/micro.html" || { echo "$kernel has no picture" >&2; status=1; }
done
for measure in overhead_ns tasks_by_worker delta capacity throughput latency_ns hand_over_ns wake_us of_ideal of_loop cpu_of_loop; do
    grep -q "\"$measure\": " "$folder/micro.json" || { echo "no row has $measure" >&2; status=1; }
done
exit $status
