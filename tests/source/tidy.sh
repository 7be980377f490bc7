#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The public headers, and all headers that they include, pass the checks of .clang-tidy (names, and common mistakes).
set -euo pipefail
tool=clang-tidy-19  # other versions have other checks
if ! command -v $tool >/dev/null; then
    echo "skipped: there is no $tool"
    exit 77
fi
$tool --quiet include/teff/teff.hpp -- -x c++ -std=c++20 -Iinclude -I.
