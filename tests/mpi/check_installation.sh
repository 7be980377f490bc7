#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_installation.sh BUILD_FOLDER OUTSIDE_PROJECT CXX MPIEXEC SCRATCH
# Installs BUILD_FOLDER into a scratch prefix, and builds another project with Teff::mpi and Teff::mpi_dataflow there and
# runs it. Without MPI's library the rest of the installation is as usual.
set -euo pipefail
build=$1 outside=$2 compiler=$3 mpiexec=$4 scratch=$5
rm -rf "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -S "$outside" -B "$scratch/outside" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/prefix"
cmake --build "$scratch/outside"
[ "$("$mpiexec" -n 2 "$scratch/outside/ranks" | sort | uniq -c | xargs)" = "2 sum 55" ]
if [ -n "$(find "$scratch/prefix" -name libteff-mpi-dataflow.so)" ]; then
    [ "$("$mpiexec" -n 2 "$scratch/outside/flow" | sort | uniq -c | xargs)" = "2 sum 55" ]
fi
folder=$(dirname "$(find "$scratch/prefix" -name libteff-mpi.so)")
for file in "$folder"/libteff.so.* "$folder"/libteff-core.so.*; do
    if readelf -d "$file" | grep 'NEEDED.*mpi'; then exit 1; fi
done
if readelf -d "$folder"/libteff-mpi.so.* | grep 'NEEDED.*starpu'; then exit 1; fi

echo "-- where there is no MPI"
said=$(cmake -S "$outside" -B "$scratch/without" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON 2>&1) && exit 1
echo "$said"
grep -q "has no component 'mpi'" <<<"$said"
