#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_micro.sh TEFF FOLDER
# Runs every micro-benchmark in small by the real command and the runners that are there, with report and JSON in FOLDER,
# and checks that every kernel has rows, each verified and with the number that the kernel is about, and a picture.
set -euo pipefail
teff=$1 folder=$2
kernels=(overhead:1x1000 distribution:1x5000 steal:1x1000 queue_size:2x1000x10 producers:16x5000 latency:5000
    queue_throughput:5000 wake:3x1000)
"$teff" bench --kind micro "${kernels[@]}" --threads 2,4 --runs 1 --compiler gcc \
    --json "$folder/micro.json" --report "$folder/micro.html" >"$folder/micro.txt"
status=0
for each in "${kernels[@]}"; do
    kernel=${each%%:*}
    grep -q "\"kernel\": \"$kernel\"" "$folder/micro.json" || { echo "$kernel has no row" >&2; status=1; }
    grep -q "<code>$kernel</code>" "$folder/micro.html" || { echo "$kernel has no picture" >&2; status=1; }
done
for measure in overhead_ns tasks_by_worker delta capacity throughput latency_ns wake_us; do
    grep -q "\"$measure\": " "$folder/micro.json" || { echo "no row has $measure" >&2; status=1; }
done
exit $status
