#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Usage: complains_once.sh EXPECTED COMPILER OPTION...
# The compiler must give exactly one error, which contains EXPECTED; none at all if EXPECTED is empty.
set -uo pipefail

expected=$1
shift
output=$(LC_ALL=C "$@" 2>&1)
errors=$(grep -E 'error:' <<<"$output")
count=$(grep -c . <<<"$errors")

if [[ -z $expected ]]; then
    [[ $count -eq 0 ]] && exit 0
elif [[ $count -eq 1 && $errors == *"$expected"* ]]; then
    exit 0
fi
echo "expected one error with '$expected', found $count:"
echo "$output"
exit 1
