#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the Debian packages that a purpose needs: build (also the demo), peers, test, mpi, sanitize, long or model. What
# follows `--optional` adds something but is not needed.
set -euo pipefail

build="g++ libgomp1 cmake ninja-build libtbb-dev libcli11-dev libfmt-dev nlohmann-json3-dev libopenblas-pthread-dev"
build+=" zlib1g-dev libboost-context-dev"
clang="clang-19 libomp-19-dev"
checks="libgc-dev python3 doxygen valgrind clang-tidy-19"
libraries="libopenblas-openmp-dev libfftw3-dev"

sanitize="$build clang-19 libclang-rt-19-dev libgtest-dev"
ports="g++-aarch64-linux-gnu gfortran-aarch64-linux-gnu qemu-user-static mmdebstrap debootstrap libc++-19-dev libc++abi-19-dev"
# Python programs on the OpenMP runtime. PyTorch takes 600 MB.
python_programs="libopenblas0-openmp python3-numpy python3-sklearn python3-joblib python3-threadpoolctl python3-torch"
model="g++ cmake ninja-build libboost-context-dev libcli11-dev binutils"

case "${1:-}" in
    build) echo "$build" ;;
    peers) echo "$build $clang libstarpu-dev libboost-fiber-dev pkg-config python3 python3-venv --optional golang-go" ;;
    test) echo "$build gfortran $clang clang-format-19 libgtest-dev pkg-config $model --optional $checks $libraries" ;;
    mpi) echo "$build libgtest-dev libopenmpi-dev openmpi-bin libstarpu-dev pkg-config" ;;
    sanitize) echo "$sanitize" ;;
    # Too large for the short tests. What needs a browser, another processor's compiler, Debian's installer or Python's
    # packages is skipped without it.
    long) echo "$sanitize --optional chromium $ports $python_programs $libraries" ;;
    model) echo "$model" ;;
    *) echo "usage: packages.sh build|peers|test|mpi|sanitize|long|model" >&2; exit 2 ;;
esac
