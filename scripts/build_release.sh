#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds library, command and benchmark runners with GCC, and Clang's runners where Clang 19 is installed. No tests.
set -euo pipefail
cd "$(dirname "$0")/.."

presets=(release)
command -v clang++-19 >/dev/null && presets+=(release-clang)
for preset in "${presets[@]}"; do
    echo "==> building $preset in build/$preset"
    cmake --preset "$preset" -DTEFF_BUILD_TESTS=OFF -DTEFF_BUILD_BENCH=ON
    cmake --build --preset "$preset"
done
