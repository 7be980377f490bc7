#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Usage: check_mistakes.sh MISTAKES_CPP FOLDER COMPILER OPTION...
# Compiles MISTAKES_CPP with each value of MISTAKE that it has. With 0 the compiler must say nothing; with any other one
# it must fail, with at most 15 lines (14 besides the one that says where the user includes the header), of which the
# first with `error:` matches what stands beside the value.
# mistakes.hpp is compiled once, into FOLDER.
set -uo pipefail

source=$1 folder=$2
shift 2
most_lines=14
options=("$@" -Wall -Wextra -Werror)

mkdir -p "$folder" || exit 1
header=$folder/mistakes.hpp
cp "${source%.cpp}.hpp" "$header" || exit 1
"$@" -w -x c++-header "$header" -o "$header.gch" || exit 1

failed=0
complain() {
    echo "MISTAKE $1: $2; the compiler's lines:"
    echo "$3"
    failed=1
}

output=$(LC_ALL=C "${options[@]}" -include "$header" -DMISTAKE=0 -fsyntax-only "$source" 2>&1) ||
    complain 0 "must compile" "$output"
[[ -z $output ]] || complain 0 "must compile without a warning" "$output"

count=0
while read -r number expected; do
    count=$((count + 1))
    output=$(LC_ALL=C "${options[@]}" -include "$header" -DMISTAKE="$number" -fsyntax-only \
        "$source" 2>&1)
    if [[ $? -eq 0 ]]; then
        complain "$number" "must not compile" "$output"
        continue
    fi
    first=$(grep -m 1 'error:' <<<"$output")
    grep -qE -- "$expected" <<<"$first" || complain "$number" "the first error must say '$expected'" "$output"
    # A user has no mistakes.hpp in between.
    lines=$(grep -vcE 'mistakes\.[ch]pp:[0-9]+[:,]$' <<<"$output")
    [[ $lines -le $most_lines ]] || complain "$number" "$lines lines are more than $most_lines" "$output"
done < <(sed -nE 's/^#elif MISTAKE == ([0-9]+)  \/\/ (.*)$/\1 \2/p' "$source")

echo "$count mistakes"
[[ $count -gt 50 && $failed -eq 0 ]]
