#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: exports_every_symbol.sh LIBRARY TABLE
# Fails if the symbols of LIBRARY, with their versions, types and sizes, are not exactly those of TABLE, or if a symbol
# differs from its alias.
set -euo pipefail
library=$1 table=$2
. "$(dirname "$0")/dynamic_symbols.sh"

wanted=$(awk '
    /^#/ || NF == 0 || $1 == "node" { next }
    {
        type = $4 ~ /^data:/ ? "OBJECT" : "FUNC"
        size = $4 ~ /^data:/ ? substr($4, 6) : 0
        count = split($2, node, ",")
        for (i = 1; i <= count; i++) {
            sub(/=.*/, "", node[i])
            print $1 (i == 1 ? "@@" : "@") node[i], type, $4 == "weak" ? "WEAK" : "GLOBAL", size
        }
    }' "$table" | LC_ALL=C sort)
found=$(dynamic_symbols "$library")
[ "$(wc -l <<<"$wanted")" -gt 1000 ] || { echo "$table: these are not all rows"; exit 1; }

status=0
if ! difference=$(diff <(echo "$wanted") <(cut -d' ' -f1-4 <<<"$found")); then
    echo "the table (<) and the library (>) differ:"
    grep '^[<>]' <<<"$difference"
    status=1
fi

# An alias is the symbol itself and not a function that jumps to it.
{ grep -v '^#' "$table"; echo; echo "$found"; } | awk '
    NF && $1 !~ /@/ && $1 != "node" {
        count = split($2, node, ",")
        for (i = 2; i <= count; i++) if (node[i] !~ /=/) alias[$1 "@" node[i]] = $1
    }
    $1 ~ /@@/ { name = $1; sub(/@@.*/, "", name); address[name] = $5; next }
    $1 ~ /@/ { address_of_alias[$1] = $5 }
    END {
        for (symbol in alias) {
            checked++
            if (address_of_alias[symbol] != address[alias[symbol]]) {
                print symbol " is not the address of " alias[symbol]
                bad = 1
            }
        }
        print checked + 0 " aliases checked"
        exit bad || !checked
    }' || status=1
exit $status
