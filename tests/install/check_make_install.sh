#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_make_install.sh SOURCE SCRATCH CXX
# `make install` in a copy of the sources, where apt-get cannot be called and, if this machine allows it, without a
# network. Then what it has said is done: programs are built and started as a user would. Then the same with libteff.a.
set -euo pipefail
source=$1 scratch=$2 compiler=$3
rm -rf "$scratch"
mkdir -p "$scratch/tree" "$scratch/tools"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$scratch/tree" -xf -
outside=$scratch/tree/tests/install/outside
for tool in apt-get dpkg-query sudo pip; do
    printf '#!/bin/sh\necho "%s was called" >&2\ntouch "%s"\nexit 1\n' $tool "$scratch/called" >"$scratch/tools/$tool"
    chmod +x "$scratch/tools/$tool"
done
alone=()
unshare --net true 2>/dev/null && alone=(unshare --net)
export CXX=$compiler

# install_to PREFIX
install_to() {
    PATH=$scratch/tools:$PATH "${alone[@]}" make --no-print-directory -C "$scratch/tree" install PREFIX="$1" |
        tee "$scratch/said"
    [ ! -e "$scratch/called" ]
}

prefix=$scratch/prefix
install_to "$prefix"
# As in check_requirements.sh.
[ "$(grep -c 'Building CXX' "$scratch/said")" -le 80 ]
[ "$(ls "$prefix/libexec/teff")" = teff_simulator ]
"$prefix/bin/teff" simulate fib:10 --face reduce --threads 1,2 | grep -F "simulated: 1 socket with 16 cores"
grep -qF -- "-Wl,-rpath,$prefix/lib" "$scratch/said"
# The line that it gives for compiling by hand.
read -ra by_hand < <(sed -n 's/^By hand: *c++ //p' "$scratch/said" | sed "s|program.cpp|$outside/quadrature.cpp|")
"$compiler" "${by_hand[@]}" -Wl,-rpath,"$prefix/lib" -o "$scratch/quadrature"
env -u LD_LIBRARY_PATH "$scratch/quadrature"
"$compiler" -fopenmp "$outside/threads.cpp" -o "$scratch/threads"
TEFF_OPENMP_VERBOSE=on "$prefix/bin/teff" run "$scratch/threads" 2>&1 | grep -F "is active"

echo "-- libteff.a"
archive=$scratch/archive
cmake --preset install -S "$scratch/tree" -B "$scratch/tree/build/archive" -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_INSTALL_PREFIX="$archive" >/dev/null
cmake --build "$scratch/tree/build/archive" --parallel 2
cmake --install "$scratch/tree/build/archive" >/dev/null
# Only what the OpenMP runtime loads for a tool is shared.
[ -z "$(find "$archive" -name 'libteff*.so*' ! -name libteff-omp-tools.so)" ]
# Without Boost's archive, of which it has what it needs inside.
PKG_CONFIG_PATH=$archive/lib/pkgconfig
export PKG_CONFIG_PATH
read -ra flags < <(pkg-config --static --cflags --libs teff)
"$compiler" -std=c++20 -static "$outside/fibers.cpp" "${flags[@]}" -o "$scratch/static" 2>&1 | tee "$scratch/linked"
[ ! -s "$scratch/linked" ]
if readelf -d "$scratch/static" | grep NEEDED; then exit 1; fi
"$scratch/static"
"$compiler" -std=c++20 "$outside/fibers.cpp" "${flags[@]}" -o "$scratch/dynamic"
"$scratch/dynamic"
cmake -S "$outside" -B "$scratch/outside" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$archive" >/dev/null
cmake --build "$scratch/outside"
"$scratch/outside/quadrature"
"$scratch/outside/threads"
TEFF_OPENMP_VERBOSE=on "$archive/bin/teff" run "$scratch/threads" 2>&1 | grep -F "is active"
