#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every source starts with the licence and a comment that tells what it is; headers are guarded by #pragma once; no line
# is longer than 120 columns.
set -euo pipefail
status=0
find include teff model simulator cli bench tests examples \( -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 awk '
    function complain(where, what) { print where ": " what; bad = 1 }
    function finish() { if (file ~ /\.hpp$/ && !guarded) complain(file, "no #pragma once") }
    FNR == 1 {
        finish()
        file = FILENAME
        guarded = 0
        if ($0 != "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception") complain(file, "no licence line")
    }
    FNR == 2 && !/^\/\// { complain(file, "no comment that tells what the file is") }
    /^#pragma once$/ { guarded = 1 }
    END { finish(); exit bad }' || status=1
sources=(--include='*.hpp' --include='*.cpp' --include='*.h' --include='*.c' --include='*.f90')
if LC_ALL=C.UTF-8 grep -rnE "${sources[@]}" '^.{121,}' teff model simulator cli bench tests examples; then
    echo "lines longer than 120 columns"
    status=1
fi
exit $status
