#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What .editorconfig asks for holds in every text of ours: no tabs, no white space at ends of lines, no carriage returns,
# and a new line at the end of the file.
set -euo pipefail
texts=$(mktemp)
trap 'rm -f "$texts"' EXIT
find . \( -name .git -o -name build -o -name .cache -o -name suites \) -prune -o -type f \( -name '*.hpp' -o -name '*.cpp' \
    -o -name '*.h' -o -name '*.c' -o -name '*.f90' -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' -o -name '*.md' \
    -o -name '*.inc' -o -name '*.yml' -o -name 'CMakeLists.txt' \) -print >"$texts"
[ -s "$texts" ] || { echo "no text was found to check"; exit 1; }
status=0
if xargs grep -nP '\t|[ \r]$' <"$texts"; then
    echo "tabs, or white space at the end of a line"
    status=1
fi
if xargs grep -LzP '\n\z' <"$texts" | grep .; then
    echo "no new line at the end of the file"
    status=1
fi
exit $status
