#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: claim_openmp_symbols.sh BUILD-FOLDER
# Sets the state of each symbol in teff/frontends/openmp/symbols.txt that a source of the OpenMP runtime defines to that
# source. It reads the object files: compile the sources first (the link may have failed). Their build must not put the
# sources of a folder together: the preset debug does not.
set -euo pipefail
table=$(dirname "$0")/../teff/frontends/openmp/symbols.txt
objects=$1/teff/frontends/openmp/CMakeFiles/teff_openmp.dir
[ -d "$objects" ] || { echo "$objects is not there: build teff_openmp first"; exit 1; }
[ ! -d "$objects/together" ] ||
    { echo "$1 compiles the sources of a folder together: give the build folder of the preset debug"; exit 1; }

defined=$(cd "$objects" && find . -name '*.cpp.o' ! -name 'stubs.cpp.o' -printf '%P\n' | while IFS= read -r object; do
    nm --defined-only -g "$object" | awk -v source="${object%.cpp.o}" '{ sub(/@.*/, "", $3); print $3, source }'
done)
DEFINED=$defined awk '
    BEGIN {
        count = split(ENVIRON["DEFINED"], word, /[ \n]+/)
        for (i = 1; i < count; i += 2) source_of[word[i]] = word[i + 1]
    }
    !/^#/ && $1 != "node" && $1 in source_of && $3 != source_of[$1] {
        print $1 ": " $3 " -> " source_of[$1] >"/dev/stderr"
        sub(/[^ ]+( (weak|data:[0-9]+))?$/, source_of[$1] ($4 == "" ? "" : " " $4))
    }
    { print }' "$table" >"$table.new"
mv "$table.new" "$table"
