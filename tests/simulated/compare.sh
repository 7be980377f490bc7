#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare.sh check TABLE COMPILER SIMULATOR KERNEL FACE SCHEDULER THREADS
#     Simulates one row of TABLE (times.txt) and fails if it takes longer than the row says, with two sets of seeds. Exits
#     with 77, after a line that says why, with another compiler than the table's.
# compare.sh renew TABLE COMPILER SIMULATOR
#     Simulates all rows and writes their times, and the compiler, to TABLE.
set -euo pipefail
action=$1 table=$2 compiler=$3 simulator=$4
few_seeds="1 2 3 4 5" more_seeds="6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
most_percent=5

# The compiler as the table names it; the command's own name and path do not count.
version() { "$compiler" --version | sed -n '1s/^[^ ]* //p'; }

# simulate SEEDS KERNEL FACE SCHEDULER SIZE RUNS THREADS: the mean in ns per task, and its standard error in %. Variables
# of the user must not change the options.
simulate() {
    local seeds=$1 seed
    for seed in $seeds; do
        env -i "$simulator" "$2" "$3" machine=1x64 "scheduler=$4" "size=$5" "runs=$6" "threads=$7" "seed=$seed" |
            sed -n 's/.*"ns_per_task":\([0-9.]*\).*/\1/p'
    done | awk -v seeds="$seeds" '
        { sum += $1; squares += $1 * $1 }
        END {
            if (NR != split(seeds, all)) {
                print "not all seeds could be simulated: " NR " of " seeds >"/dev/stderr"
                exit 1
            }
            mean = sum / NR
            spread = squares / NR - mean * mean
            printf("%.3f %.1f\n", mean, 100 * sqrt((spread > 0 ? spread : 0) / (NR - 1)) / mean)
        }'
}

if [ "$action" = renew ]; then
    renewed=$(mktemp)
    trap 'rm -f "$renewed"' EXIT
    while IFS= read -r line; do
        read -r kernel face scheduler size runs threads old _ <<<"$line"
        case $line in
            "compiler: "*) printf 'compiler: g++ %s\n' "$(version)" ;;
            "#"*) printf '%s\n' "$line" ;;
            *)
                read -r new error \
                    < <(simulate "$few_seeds $more_seeds" "$kernel" "$face" "$scheduler" "$size" "$runs" "$threads")
                printf '%-14s %-11s %-13s %5s %4s %7s %8s %6s\n' \
                    "$kernel" "$face" "$scheduler" "$size" "$runs" "$threads" "$new" "$error"
                [ "$new" = "$old" ] || echo "$kernel $face $scheduler $threads: $old before, $new now" >&2
                ;;
        esac
    done <"$table" >"$renewed"
    cat "$renewed" >"$table"
    exit
fi

expected=$(sed -n 's/^compiler: [^ ]* //p' "$table")
if [ "$(version)" != "$expected" ]; then
    echo "not simulated: the compiler is $(version), and $(basename "$table") is for $expected"
    exit 77
fi
kernel=$5 face=$6 scheduler=$7 threads=$8
read -r size runs before error < <(awk -v kernel="$kernel" -v face="$face" -v scheduler="$scheduler" \
    -v threads="$threads" '$1 == kernel && $2 == face && $3 == scheduler && $6 == threads { print $4, $5, $7, $8 }' \
    "$table") || { echo "$table has no row $kernel $face $scheduler $threads" >&2; exit 1; }
limit=$(awk -v before="$before" -v error="$error" -v most=$most_percent \
    'BEGIN { printf("%.3f", before * (1 + (most + 2 * error) / 100)) }')
# What is too slow with a few seeds has a second chance with others.
for seeds in "$few_seeds" "$more_seeds"; do
    read -r now _ < <(simulate "$seeds" "$kernel" "$face" "$scheduler" "$size" "$runs" "$threads")
    echo "$kernel $face $scheduler, $threads threads: $now ns per task now, $before in $(basename "$table")"
    if awk -v now="$now" -v limit="$limit" 'BEGIN { exit !(now <= limit) }'; then exit; fi
done
echo "the limit is $limit. If the change is meant, renew the table: make simulated-times"
exit 1
