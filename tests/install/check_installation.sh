#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_installation.sh BUILD_FOLDER OUTSIDE_PROJECT CXX VERSION
# Installs BUILD_FOLDER into a scratch prefix inside it and uses the result as another project would.
set -euo pipefail
build=$1 outside=$2 compiler=$3 version=$4
scratch=$build/install_test
prefix=$scratch/prefix
rm -rf "$scratch"
cmake --install "$build" --prefix "$prefix" >/dev/null

echo "-- by find_package"
cmake -S "$outside" -B "$scratch/outside" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/outside"
"$scratch/outside/quadrature"

echo "-- by pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name teff.pc)")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion teff)" = "$version" ]
read -ra flags <<<"$(pkg-config --cflags --libs teff)"
"$compiler" -std=c++20 "$outside/quadrature.cpp" "${flags[@]}" -o "$scratch/quadrature"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir teff) "$scratch/quadrature"

# The command and its runners find the library and each other from where they are installed.
if [ -x "$prefix/bin/teff" ]; then
    echo "-- the command"
    "$prefix/bin/teff" info >/dev/null
    "$prefix/bin/teff" bench fib:20 --runtime serial,teff --runs 1 --threads 2
fi
