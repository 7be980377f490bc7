#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_subproject.sh SOURCE SCRATCH CXX [build]
# Teff as a part of another project, by add_subdirectory and by FetchContent: it is configured without GoogleTest and
# without what the command needs, installs nothing, and decides nothing for its parent. With `build` also: the parent's
# program is built, with libteff.so and with libteff.a, and runs.
set -euo pipefail
source=$1 scratch=$2 compiler=$3 builds=${4-}
rm -rf "$scratch"

# configure FOLDER OPTION...
configure() {
    local folder=$1
    shift
    cmake -S "$source/tests/install/parent" -B "$scratch/$folder" -DCMAKE_CXX_COMPILER="$compiler" \
        -DCMAKE_BUILD_TYPE=Release -DTEFF_SOURCE="$source" -DCMAKE_UNITY_BUILD=ON -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON "$@"
}

# Nothing is built yet, so this fails where something of Teff is to be installed.
installs_nothing() {
    cmake --install "$scratch/$1" --prefix "$scratch/prefix"
    [ ! -s "$scratch/$1/install_manifest.txt" ] && [ ! -e "$scratch/prefix" ]
}

configure added
installs_nothing added
configure fetched -DFETCH=ON -DBUILD_SHARED_LIBS=OFF -DSHARED_IS_MINE=ON
installs_nothing fetched
[ -n "$builds" ] || exit 0

for folder in added fetched; do
    cmake --build "$scratch/$folder" --parallel 2
    "$scratch/$folder/quadrature"
done
readelf -d "$scratch/added/quadrature" | grep -c 'NEEDED.*libteff'
if readelf -d "$scratch/fetched/quadrature" | grep 'NEEDED.*libteff'; then exit 1; fi
