#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_runners.sh FOLDER
# Runs every kernel at a small size on every runner in FOLDER, in every variant. Checks that each run is verified and
# that all variants count the same number of tasks, or all runs of a variant where variants do different work. The
# variants that share a bound are exempt: their number of tasks depends on timing. Kernels with a cut-off also run
# with one. Every run on OpenMP has to name the one OpenMP library in its process.
set -uo pipefail
folder=$1
declare -A size expected_tasks variants_differ
runs=0 failures=0

complain() { echo "$1" >&2; failures=$((failures + 1)); }

# one_run RUNNER KERNEL VARIANT [ARGUMENT...]
one_run() {
    local line tasks what=${1##*/}" ${*:2}"
    runs=$((runs + 1))
    if ! line=$(timeout 60 "$1" --kernel "$2" --size "$2:${size[$2]}" --variant "$3" --threads 2 "${@:4}"); then
        complain "$what: failed: $line"
        return
    fi
    [[ $line == *'"verified":true'* ]] || complain "$what: not verified: $line"
    case ${1##*/} in
    *-libgomp-* | *-libomp-*)
        [[ $line =~ \"openmp_libraries\":\[\"[^\"]+\"\] ]] || complain "$what: not one OpenMP library: $line"
        ;;
    esac
    tasks=$(sed -E 's/.*"tasks": ?([0-9]+).*/\1/' <<<"$line")
    [ "$3" = shared ] && return
    local work=$2
    [[ " ${*:4} " != *" --kind threads "* ]] || work+=" of kind threads"
    [ -z "${variants_differ[$2]:-}" ] || work="$2 $3"
    [[ " ${*:4} " != *" --cutoff "* ]] || work+=" with a cut-off"
    [ "$tasks" = "${expected_tasks[$work]:=$tasks}" ] ||
        complain "$what: $tasks tasks, but ${expected_tasks[$work]} in the runs before"
}

# The kernels that say MEMBER of themselves.
kernels_with() { # RUNNER MEMBER
    "$1" --describe | sed 's/{"kernel":/\n&/g' | grep "$2" | sed -E 's/.*"kernel":"([^"]+)".*/\1/'
}

for runner in "$folder"/teff-bench-*; do
    for kernel in $(kernels_with "$runner" '"variants_differ":true'); do variants_differ[$kernel]=yes; done
    # Lines of `kernel size cutoff kind variant`, from the runner's own description. A variant may be listed under
    # several kinds, and its kernel may have a cut-off in one of them alone. Kind threads has to be named.
    while read -r kernel small cutoff kind variant; do
        size[$kernel]=$small
        of_kind=()
        [ "$kind" != kind=threads ] || of_kind=(--kind threads)
        one_run "$runner" "$kernel" "$variant" "${of_kind[@]}"
        # A work factor leaves the tree as it is.
        [ "$kernel" != uts ] || one_run "$runner" uts "$variant" --size uts:small/3
        [ "$cutoff" = false ] || one_run "$runner" "$kernel" "$variant" --cutoff 5
        if [[ $runner == *-teff-* ]]; then
            for reclaimer in epoch arena hazard; do
                one_run "$runner" "$kernel" "$variant" "${of_kind[@]}" --scheduler blaze --reclaimer $reclaimer
            done
        fi
    done < <("$runner" --describe | sed 's/{"kernel":/\n&/g' | grep '"kernel"' | sed -E \
        's/.*"kernel":"([^"]+)","variants":\[([^]]*)\],"check":"([^"]+)".*"cutoff":([a-z]+)/\1 \3 \4 @ \2/
        s/@(.*),"input".*"kind":"([a-z_]+)".*/kind=\2\1/; s/@(.*),"input".*/kind=reduce\1/; s/[",]+/ /g' |
        while read -r kernel small cutoff kind variants; do
            [ "$kind" = kind=threads ] || kind=other
            printf "$kernel $small $cutoff $kind %s\n" $variants
        done | sort -u)
done

# Every worker of a Teff runner reports its counters; their sum must be the number of tasks.
for runner in "$folder"/teff-bench-teff-*; do
    line=$(timeout 60 "$runner" --kernel fib --size fib:20 --variant nowait --threads 2 --counters)
    run=$(grep -oE '"run":[0-9]+' <<<"$line" | awk -F: '{ sum += $2 } END { print sum }')
    [ "$run" = "${expected_tasks[fib]}" ] || complain "${runner##*/} --counters: ${run:-nothing} run: $line"
done

# The task graph of a run has the tasks of its timed region, without those of the run before it: both where the region
# is around the runtime's call and where it is inside.
graph=$(mktemp --suffix=.json)
trap 'rm -f "$graph"' EXIT
for runner in "$folder"/teff-bench-teff-*; do
    for kernel in wavefront task_length; do
        line=$(TEFF_DATAFLOW_GRAPH=$graph timeout 60 "$runner" --kernel $kernel --size "$kernel:${size[$kernel]}" \
            --threads 2)
        recorded=$(grep -c '^{"task":' "$graph")
        [ "$recorded" = "${expected_tasks[$kernel]}" ] ||
            complain "${runner##*/} $kernel: a task graph of $recorded tasks: $line"
    done
done
echo "$runs runs, $failures failures"
[ "$runs" -gt 0 ] && [ "$failures" -eq 0 ]
