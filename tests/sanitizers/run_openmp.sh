#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: run_openmp.sh COMPILER RUNTIME_FOLDER SCRATCH
# Builds openmp_program.c by this compiler with ThreadSanitizer, and runs it on the OpenMP runtime in RUNTIME_FOLDER.
set -euo pipefail
compiler=$1 runtime=$2 scratch=$3
program=$scratch/openmp_$compiler output=$scratch/output_$compiler
mkdir -p "$scratch"
. "$(dirname "$0")/openmp_start.sh"
find_start "$compiler" "$program"
"$compiler" -x c -std=c11 -g1 -O1 -Wall -Wextra -Werror -fopenmp -fsanitize=thread \
    "$(dirname "$0")/openmp_program.c" -o "$program"

export LD_LIBRARY_PATH=$runtime OMP_NUM_THREADS=4 TSAN_OPTIONS='atexit_sleep_ms=0 halt_on_error=1 exitcode=66'
TEFF_OPENMP_VERBOSE=on "${start[@]}" "$program" >"$output" 2>&1 ||
    { cat "$output"; echo "the correct program failed or was accused, see above"; exit 1; }
grep -qi teff "$output" || { echo "the program ran on another runtime"; exit 1; }
status=0
said=$("${start[@]}" "$program" race 2>&1) || status=$?
if [ $status != 66 ] || ! grep -q 'WARNING: ThreadSanitizer: data race' <<<"$said"; then
    printf '%s\n\nthe race was not reported (status %d)\n' "$said" $status
    exit 1
fi
