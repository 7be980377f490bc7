#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: exports_what_another_does.sh LIBRARY TABLE ANOTHER
# Fails if LIBRARY lacks a symbol that the OpenMP runtime ANOTHER exports, in its version, type, binding and size. What
# is the default version there is one here, too, unless the name has a default version in node VERSION.
# Skips (status 77) without ANOTHER, or if it is a newer release, with nodes that TABLE does not name.
set -euo pipefail
library=$1 table=$2 another=$3
. "$(dirname "$0")/dynamic_symbols.sh"
[ -e "$another" ] || { echo "skipped: $another is not installed"; exit 77; }

theirs=$(dynamic_symbols "$another")
known=$(awk '$1 == "node" { print $2 }' "$table" | LC_ALL=C sort)
newer=$(sed 's/ .*//; s/.*@//' <<<"$theirs" | LC_ALL=C sort -u | LC_ALL=C comm -23 - <(echo "$known"))
if [ -n "$newer" ]; then
    echo "skipped: $another is newer than the table; it has the nodes" $newer
    exit 77
fi

{ dynamic_symbols "$library"; echo; echo "$theirs"; } | awk '
    NF == 0 { is_theirs = 1; next }
    {
        symbol = $1
        sub(/@@/, "@", symbol)
        properties = $2 " " $3 " " $4
    }
    !is_theirs { ours[symbol] = properties; mark[symbol] = $1; next }
    {
        checked++
        name = symbol
        sub(/@.*/, "", name)
        if (ours[symbol] != properties) complain(symbol " is " properties " there, and here: " ours[symbol])
        else if (mark[symbol] != $1 && !($1 ~ /@@/ && (name "@VERSION") in ours))
            complain("it is " $1 " there, and " mark[symbol] " here")
    }
    function complain(what) { print what; bad = 1 }
    END {
        print checked + 0 " symbols checked"
        exit bad || !checked
    }'
