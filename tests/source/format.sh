#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every source has the style of .clang-format: indentation, braces, spaces, the place of * and &.
#
# Where a statement is broken into lines is the author's decision, so clang-format is asked several times, with and
# without a limit of columns, and with each usual layout of lambdas, macros and short statements. A line is wrong if every
# answer would change it. Lines that are laid out by hand (tables, programs inside of arguments) are still found now and
# then: format_exceptions.txt says how many each file has. A file without an entry may have none.
#
# usage: format.sh [--renew]      --renew writes format_exceptions.txt anew: review what has come in
set -euo pipefail
cd "$(dirname "$0")/../.."
exceptions=tests/source/format_exceptions.txt
tool=clang-format-19  # other versions have other opinions
if ! command -v $tool >/dev/null; then
    echo "skipped: there is no $tool"
    exit 77
fi

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

# The lines, FILE:LINE, that are changed in the files named on standard input by the style $1. Each process has a sed of
# its own, which writes whole lines.
changed() {
    tool=$tool style=$1 xargs -P "$(nproc)" -n 40 bash -c '
        "$tool" --dry-run --ferror-limit=0 --style="$style" "$@" 2>&1 |
            sed -u -nE "s/^([^:]+:[0-9]+):[0-9]+: (warning|error): code should.*/\\1/p"' changed |
        LC_ALL=C sort -u
}

find include teff model simulator cli bench tests examples \( -name '*.hpp' -o -name '*.cpp' \) \
    ! -path 'tests/openmp/suites/*' | LC_ALL=C sort >"$found/files"
[ -s "$found/files" ] || { echo "no source was found to check"; exit 1; }

free="BasedOnStyle: InheritParentConfig, ColumnLimit: 0, AllowShortBlocksOnASingleLine: Always"
free+=", AllowShortCaseLabelsOnASingleLine: true, AlignEscapedNewlines: Left"
free+=", AllowShortIfStatementsOnASingleLine: Never, AllowShortLoopsOnASingleLine: false"
free+=", AlwaysBreakTemplateDeclarations: Yes"
changed "{$free}" <"$found/files" >"$found/wrong"  # the quickest one goes first
for style in "BasedOnStyle: InheritParentConfig" \
    "$free, LambdaBodyIndentation: OuterScope" \
    "$free, AlignAfterOpenBracket: DontAlign" \
    "$free, AlignAfterOpenBracket: DontAlign, LambdaBodyIndentation: OuterScope" \
    "$free, AlignConsecutiveShortCaseStatements: {Enabled: true}, AlignOperands: DontAlign" \
    "BasedOnStyle: InheritParentConfig, LambdaBodyIndentation: OuterScope" \
    "BasedOnStyle: InheritParentConfig, AlignEscapedNewlines: DontAlign"; do
    cut -d: -f1 "$found/wrong" | sort -u >"$found/files"
    changed "{$style}" <"$found/files" >"$found/now"
    LC_ALL=C comm -12 "$found/wrong" "$found/now" >"$found/both"
    mv "$found/both" "$found/wrong"
done

if [ "${1:-}" = --renew ]; then
    {
        echo "# How many lines of a file are laid out by hand (format.sh). Written by format.sh --renew."
        cut -d: -f1 "$found/wrong" | uniq -c | awk '{ print $2, $1 }'
    } >$exceptions
    exit 0
fi
awk -F'[ :]' -v exceptions=$exceptions '
    BEGIN { while ((getline line < exceptions) > 0) if (line !~ /^#/) { split(line, word, " "); allowed[word[1]] = word[2] } }
    { count[$1]++; places[$1] = places[$1] "\n  line " $2 }
    END {
        for (file in count) if (count[file] > allowed[file] + 0) {
            print file ": not in the style of .clang-format (" allowed[file] + 0 " lines may differ):" places[file]
            bad = 1
        }
        exit bad
    }' "$found/wrong" || {
    echo "see: $tool FILE | diff FILE - ; what is meant is added to $exceptions by format.sh --renew"
    exit 1
}
