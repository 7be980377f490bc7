#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: generator_notices_errors.sh GENERATOR FOLDER
# The generator of the OpenMP runtime's symbols names the line of a table that is wrong, and fails.
set -euo pipefail
generator=$1
scratch=$(mktemp -d "$2/generator.XXXXXX")
trap 'rm -r "$scratch"' EXIT
status=0

# refuses COMPLAINT ROW...
refuses() {
    local complaint=$1 said
    shift
    printf 'node OMP_1.0\nnode OMP_3.0 OMP_1.0\n' >"$scratch/table"
    printf '%s\n' "$@" >>"$scratch/table"
    if said=$("$generator" "$scratch/table" "$scratch/made" api/locks.cpp 2>&1) || [[ $said != *"$complaint"* ]]; then
        printf 'the rows %s: "%s" instead of "%s"\n' "$*" "$said" "$complaint"
        status=1
    fi
}
refuses "table:3: not NAME NODES STATE" "lock OMP_1.0"
refuses "table:3: not NAME NODES STATE" "lock OMP_1.0 missing data:"
refuses "table:3: lock: no node OMP_2.0" "lock OMP_2.0 missing"
refuses "table:4: lock has a second row" "lock OMP_1.0 missing" "lock OMP_3.0 missing"
refuses "table:3: lock is to be defined by api/lock.cpp" "lock OMP_1.0 api/lock"
refuses "table:3: the default node of lock" "lock OMP_1.0=other api/locks"
refuses "table:3: a node is named twice" "node OMP_5.0 OMP_4.0"

# A node in which the name means another function.
cat >"$scratch/table" <<'TABLE'
node OMP_1.0
node OMP_3.0 OMP_1.0
lock OMP_3.0,OMP_1.0=lock_1_0 api/locks
TABLE
"$generator" "$scratch/table" "$scratch/made" api/locks.cpp
grep -qxF '__asm__(".symver lock_1_0, lock@OMP_1.0");' "$scratch/made/symbol_versions/api/locks.inc" ||
    { echo "no alias of another function"; status=1; }
grep -qx -e '-Wl,--require-defined=lock_1_0' "$scratch/made/required.txt" || { echo "it is not required"; status=1; }
exit $status
