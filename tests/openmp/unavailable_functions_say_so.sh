#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: unavailable_functions_say_so.sh CALL_BY_NAME FOLDER TABLE
# Calls functions that TABLE calls internal or missing, one of each for every number of nodes: the process must write
# one line that names the function and says why, and exit with status 1.
set -euo pipefail
call=$1 folder=$2 table=$3
status=0 calls=0
while read -r name nodes state; do
    for node in ${nodes//,/ }; do
        calls=$((calls + 1))
        result=0
        line=$("$call" "$folder" "$name" "${node%=*}" 2>&1) || result=$?
        says="is not yet in"
        [ "$state" = missing ] || says="is not part of"
        if [ $result != 1 ] || [[ ! $line =~ ^"teff: $name $says Teff's OpenMP runtime: "[^$'\n']*$ ]]; then
            printf '%s@%s ended with status %s and: %s\n' "$name" "$node" $result "$line"
            status=1
        fi
    done
done < <(awk '
    !/^#/ && NF == 3 && ($3 == "internal" || $3 == "missing") && !chosen[$3, split($2, node, ",")]++' "$table")
[ $calls -gt 0 ] || { echo "$table names no such function"; exit 1; }
exit $status
