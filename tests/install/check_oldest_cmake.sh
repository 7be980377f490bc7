#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_oldest_cmake.sh SOURCE SCRATCH CXX
# CMake 3.22, that of Ubuntu 22.04, configures every preset of its generator's machine, and builds and installs the
# library, which a project of its own then finds. CMake comes from PyPI; without a network the test is skipped.
set -euo pipefail
source=$1 scratch=$2 compiler=$3
rm -rf "$scratch"
mkdir -p "$scratch"
python3 -m venv "$scratch/venv" || { echo "python3 has no venv: not tested"; exit 77; }
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check 'cmake==3.22.*' || { echo "no CMake 3.22 here"; exit 77; }
cmake=$scratch/venv/bin/cmake
"$cmake" --version

for preset in release model asan; do
    echo "-- $preset"
    (cd "$source" && "$cmake" --preset $preset -B "$scratch/$preset" >/dev/null)
    "$scratch/venv/bin/ctest" --test-dir "$scratch/$preset" -N | tail -n 1
done
(cd "$source" && "$cmake" --preset install -G Ninja -B "$scratch/install" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_INSTALL_PREFIX="$scratch/prefix" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON)
ninja -C "$scratch/install" -t commands all | grep -c -- '-Werror' >/dev/null
"$cmake" --build "$scratch/install" --parallel 2
"$cmake" --install "$scratch/install" >/dev/null
"$cmake" -S "$source/tests/install/outside" -B "$scratch/outside" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/outside"
"$scratch/outside/quadrature"
