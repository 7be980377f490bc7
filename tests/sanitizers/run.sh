#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: run.sh thread|address,undefined PROGRAM SCHEDULER...
# Runs the user's program (user_program.cpp), which was built with these tools, on each of the schedulers. Correct cases
# must give no report. With ThreadSanitizer each case with a race must give one, on the first scheduler.
set -euo pipefail
tool=$1 program=$2
shift 2
export TEFF_NUM_THREADS=4
export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=halt_on_error=1
export TSAN_OPTIONS='atexit_sleep_ms=0 halt_on_error=1 exitcode=66'

# The tool of an older compiler does not start where addresses are very random.
start=()
if ! "$program" --list >/dev/null 2>&1; then
    start=(setarch --addr-no-randomize)
    "${start[@]}" "$program" --list >/dev/null 2>&1 || { echo "skipped: no program with -fsanitize=$tool starts here"; exit 77; }
fi
races=$("${start[@]}" "$program" --list)
[ "$(wc -l <<<"$races")" -ge 5 ] || { echo "the program has lost its races"; exit 1; }

for scheduler in "$@"; do
    said=$(TEFF_SCHEDULER=$scheduler "${start[@]}" "$program" correct 2>&1) || {
        printf '%s\n\n%s: a correct program failed or was accused, see above\n' "$said" "$scheduler"
        exit 1
    }
    if grep -qE 'WARNING|ERROR|runtime error' <<<"$said"; then
        printf '%s\n\n%s: a correct program was accused, see above\n' "$said" "$scheduler"
        exit 1
    fi
done
[ "$tool" = thread ] || exit 0
for race in $races; do
    status=0
    said=$(TEFF_SCHEDULER=$1 "${start[@]}" "$program" "$race" 2>&1) || status=$?
    if [ $status != 66 ] || ! grep -q 'WARNING: ThreadSanitizer: data race' <<<"$said"; then
        printf '%s\n\n%s: the race was not reported (status %d)\n' "$said" "$race" $status
        exit 1
    fi
done
