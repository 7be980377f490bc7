#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ranks.sh check TABLE PROGRAM     simulates reductions on many ranks and compares with TABLE (ranks.txt)
# ranks.sh renew TABLE PROGRAM     writes the results to TABLE
# Simulations are exact for a seed, so each number must be the same: a difference is a change of the protocol's model, of
# its costs or of the tree.
set -euo pipefail
action=$1 table=$2 program=$3

simulate() {
    local arguments
    while IFS= read -r arguments; do
        echo "\$ teff_simulate_ranks $arguments"
        # shellcheck disable=SC2086
        "$program" $arguments | sed -n '1,/^ms:/{/^ms:/!p}'
    done <<'END'
--tree T1 --ranks 2,3,16 --workers 4
--tree T3 --ranks 4,64 --workers 2 --random-victims 0
--tree G13,G15 --ranks 16,256
--tree G14 --ranks 64 --gives oldest --longest-pause 500us
--tree G14 --ranks 64 --latency 50us --bandwidth 125MB/s
END
}

if [ "$action" = renew ]; then
    renewed=$(simulate)
    printf '%s\n' "$renewed" >"$table"
elif ! simulate | diff "$table" -; then
    echo "If the change is meant, renew the table: make simulated-times"
    exit 1
fi
