#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_bench_command.sh COMMAND FOLDER
# `teff bench --kind mpi` with real ranks: every row is verified, and each kernel has rows of one process, of ranks and,
# for uts, of the plain MPI program. At the time limit no rank is left. Files are written to FOLDER.
set -euo pipefail
command=$1 json=$2/ranks.json
complain() { echo "$1" >&2; exit 1; }

"$command" bench uts:medium nqueens:8 fib:20 knapsack:24 idle:20 --kind mpi --ranks 1,2,4 --runs 1 --limit 60 \
    --counters --json "$json" >"$2/ranks.txt" || complain "it failed: $(cat "$2/ranks.txt")"
grep -q '/process' "$2/ranks.txt" || complain "no column of ratios to one process"
grep -q 'cpu_ms=' "$2/ranks.txt" || complain "no counters"
# rows_with KERNEL RUNTIME RANKS
rows_with() {
    tr -d '\n ' <"$json" | sed 's/{"kind"/\n&/g' | grep "\"kernel\":\"$1\"" | grep "\"runtime\":\"$2\"" |
        grep -c "\"ranks\":$3,.*\"verified\":true" || true
}
for kernel in uts nqueens fib knapsack idle; do
    for ranks in 1 2 4; do
        [ "$(rows_with $kernel teff-mpi $ranks)" -ge 1 ] || complain "$kernel: no row of $ranks ranks: $(cat "$2/ranks.txt")"
        [ $kernel != uts ] || [ "$(rows_with uts mpi $ranks)" = 1 ] || complain "uts: no row of plain MPI on $ranks ranks"
    done
    [ $kernel = idle ] || [ "$(rows_with $kernel teff null)" -ge 1 ] || complain "$kernel: no row of one process"
done
[ "$(rows_with knapsack teff-mpi 2)" = 2 ] || complain "knapsack: not two variants"

# A run at the limit ends, with all its ranks.
"$command" bench idle:30000 --kind mpi --ranks 2 --runs 1 --limit 1 >"$2/ranks.txt" 2>&1 ||
    complain "a run at the limit is no skip: $(cat "$2/ranks.txt")"
grep -q 'over the limit of 1 s' "$2/ranks.txt" || complain "no run at the limit: $(cat "$2/ranks.txt")"
bench=$(dirname "$command")/teff-mpi-bench
for try in $(seq 100); do
    left=$(for each in /proc/[0-9]*; do
        [ "$(readlink "$each/exe" 2>/dev/null)" != "$bench" ] || tr '\0' ' ' <"$each/cmdline" 2>/dev/null | grep 'idle.*30000' || true
    done)
    [ -n "$left" ] || exit 0
    # The ranks are told when their parent ends; the system needs a moment.
    [ "$try" = 100 ] || sleep 0.1
done
complain "ranks are left: $left"
