#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_requirements.sh SOURCE SCRATCH CXX
# What `make install` compiles (about 70 sources, not all), and what it says where something is missing.
set -euo pipefail
source=$1 scratch=$2 compiler=$3
rm -rf "$scratch"
mkdir -p "$scratch/tools"

cmake -S "$source" --preset install -B "$scratch/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
steps=$(ninja -C "$scratch/build" -t commands all | grep -c -- ' -c ')
echo "make install compiles $steps sources"
[ "$steps" -le 80 ]

# says TEXT COMMAND...: the command fails, and names what is missing.
says() {
    local text=$1 said
    shift
    if said=$("$@" 2>&1); then
        echo "this does not fail: $*"
        exit 1
    fi
    grep -qF "$text" <<<"$said" || { echo "not said: $text"; echo "$said"; exit 1; }
}
# Everything that is missing in one message.
says "CLI11 (Debian: libcli11-dev), for the command; TEFF_BUILD_CLI=OFF builds without it
  fmt (Debian: libfmt-dev)" cmake -S "$source" --preset install -B "$scratch/build" \
    -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON
says "Boost.Context (Debian: libboost-context-dev)" cmake -S "$source" --preset install -B "$scratch/build" \
    -DTEFF_BOOST_CONTEXT=TEFF_BOOST_CONTEXT-NOTFOUND -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF \
    -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF

for tool in bash realpath dirname sed; do ln -s "$(command -v $tool)" "$scratch/tools/$tool"; done
says "install first: cmake (Debian: cmake); a C++ compiler, c++ (Debian: g++); ninja or make (Debian: ninja-build)" \
    env -u CXX PATH="$scratch/tools" "$source/scripts/install.sh" "$scratch/prefix"
[ ! -e "$scratch/prefix" ]
