#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_installation.sh BUILD_FOLDER OUTSIDE_PROJECT CXX VERSION SCRATCH
# Installs BUILD_FOLDER into a scratch prefix and uses the result as another project would.
set -euo pipefail
build=$1 outside=$2 compiler=$3 version=$4 scratch=$5
prefix=$scratch/prefix
rm -rf "$scratch"
cmake --install "$build" --prefix "$prefix" >/dev/null

echo "-- by find_package"
cmake -S "$outside" -B "$scratch/outside" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/outside"
"$scratch/outside/quadrature"

echo "-- the archive"
# needs PROGRAM: the shared objects that it is linked with
needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
for name in archived alone; do
    "$scratch/outside/$name"
    if needs "$scratch/outside/$name" | grep -E 'teff|boost'; then exit 1; fi
done
[ -z "$(needs "$scratch/outside/alone")" ]

echo "-- by pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name teff.pc)")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion teff)" = "$version" ]
read -ra flags <<<"$(pkg-config --cflags --libs teff)"
"$compiler" -std=c++20 "$outside/quadrature.cpp" "${flags[@]}" -o "$scratch/quadrature"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir teff) "$scratch/quadrature"
read -ra static_flags <<<"$(pkg-config --static --cflags --libs teff)"
"$compiler" -std=c++20 -static "$outside/fibers.cpp" "${static_flags[@]}" -o "$scratch/static" 2>&1 | tee "$scratch/linked"
[ ! -s "$scratch/linked" ]
[ -z "$(needs "$scratch/static")" ]
"$scratch/static"
# It can load no collector, and says so.
said=$(TEFF_SCHEDULER=blaze TEFF_RECLAIMER=gc "$scratch/static" 2>&1)
echo "$said"
grep -q "'gc' needs the library libgc.so.1: a program that is linked with libteff.a loads no library; link" <<<"$said"

echo "-- by hand"
folder=$(pkg-config --variable=libdir teff)
"$compiler" -std=c++20 -pthread -I"$prefix/include" "$outside/fibers.cpp" -L"$folder" -lteff -Wl,-rpath,"$folder" \
    -o "$scratch/fibers"
"$scratch/fibers"
needs "$scratch/fibers" | grep -q '^libteff.so'
"$compiler" -std=c++20 -pthread -I"$prefix/include" "$outside/fibers.cpp" -L"$folder" -l:libteff.a -o "$scratch/fibers"
"$scratch/fibers"
if needs "$scratch/fibers" | grep teff; then exit 1; fi

echo "-- without the Boehm collector"
if grep -rl libgc "$folder/pkgconfig" "$folder/cmake"; then exit 1; fi
for file in "$folder"/libteff*.so.* "$folder"/teff/*.so*; do
    if readelf -d "$file" | grep 'NEEDED.*libgc[.]so'; then exit 1; fi
done
# One that cannot be loaded stands before that of the system.
mkdir "$scratch/broken"
echo "not a library" >"$scratch/broken/libgc.so.1"
"$compiler" -std=c++20 "$outside/quadrature.cpp" "${flags[@]}" -Wl,-rpath,"$folder" -o "$scratch/quadrature"
said=$(LD_LIBRARY_PATH=$scratch/broken TEFF_SCHEDULER=blaze TEFF_RECLAIMER=gc "$scratch/quadrature" 2>&1)
echo "$said"
grep -q "^teff: the reclaimer 'gc' needs the library libgc.so.1: .*; epoch is used instead$" <<<"$said"
[ "$(grep -c teff: <<<"$said")" -eq 1 ]
said=$(LD_LIBRARY_PATH=$scratch/broken TEFF_SCHEDULER=demand TEFF_RECLAIMER=gc "$scratch/quadrature" 2>&1)
if grep teff: <<<"$said"; then exit 1; fi
# What asks for it by the interface is refused.
"$compiler" -std=c++20 "$outside/collector.cpp" "${flags[@]}" -Wl,-rpath,"$folder" -o "$scratch/collector"
status=0
said=$(LD_LIBRARY_PATH=$scratch/broken "$scratch/collector" 2>&1) || status=$?
echo "$said"
[ $status -eq 3 ]
grep -q "reclaimer: 'gc' needs the library libgc.so.1: .*; install it (Debian: libgc1)" <<<"$said"

# The OpenMP runtime. That it is the one of the prefix, and the only one, is what it says itself.
runtime=$(find "$prefix" -name libomp.so.5)
if [ -n "$runtime" ]; then
    # uses_runtime COMMAND...
    uses_runtime() {
        echo "-- OpenMP: $*"
        local said file
        said=$(TEFF_OPENMP_VERBOSE=on "$@" 2>&1)
        echo "$said"
        grep -q '^3 of 3 threads$' <<<"$said"
        file=$(sed -n "s/.*OpenMP runtime $version is active in process [0-9]*: \([^,]*\),.*/\1/p" <<<"$said")
        [ "$file" -ef "$runtime" ]
        ! grep 'another OpenMP runtime' <<<"$said"
    }
    for name in libgomp.so.1 libiomp5.so; do
        [ -L "$(dirname "$runtime")/$name" ]
        [ "$(dirname "$runtime")/$name" -ef "$runtime" ]
    done
    uses_runtime "$scratch/outside/threads"
    cmake --install "$scratch/outside" --prefix "$scratch/elsewhere" >/dev/null
    uses_runtime "$scratch/elsewhere/bin/threads"

    [ "$(pkg-config --modversion teff-omp)" = "$version" ]
    read -ra flags <<<"$(pkg-config --libs teff-omp)"
    "$compiler" -fopenmp "$outside/threads.cpp" "${flags[@]}" -o "$scratch/threads"
    uses_runtime "$scratch/threads"

    # The C++ library beside it in one process: one pool of workers.
    TEFF_NUM_THREADS=3 uses_runtime "$scratch/outside/both"

    # As it is without Teff.
    "$compiler" -fopenmp "$outside/threads.cpp" -o "$scratch/other_threads"
    if [ -x "$prefix/bin/teff" ]; then
        uses_runtime "$prefix/bin/teff" run "$scratch/other_threads"
    fi

    # The runtime finds its core from where it is, so that an installation can be moved.
    mv "$prefix" "$scratch/moved"
    installed=$runtime
    runtime=$scratch/moved${runtime#"$prefix"}
    LD_LIBRARY_PATH=$(dirname "$runtime") uses_runtime "$scratch/other_threads"
    mv "$scratch/moved" "$prefix"
    runtime=$installed
fi

# The command and its runners find the library and each other from where they are installed.
if [ -x "$prefix/bin/teff" ]; then
    echo "-- the command"
    "$prefix/bin/teff" info >/dev/null
    "$prefix/bin/teff" bench fib:20 --runtime serial,teff --runs 1 --threads 2
fi
