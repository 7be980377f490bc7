#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the Debian packages that a purpose needs: build (also the demo), peers, test, sanitize, long or model. What
# follows `--optional` adds something but is not needed.
set -euo pipefail

build="g++ libgomp1 cmake ninja-build libtbb-dev libcli11-dev libfmt-dev nlohmann-json3-dev libopenblas-pthread-dev"
build+=" zlib1g-dev libboost-context-dev"
clang="clang-19 libomp-19-dev"
checks="libgc-dev python3 doxygen valgrind clang-tidy-19"

sanitize="$build clang-19 libclang-rt-19-dev libgtest-dev"
ports="g++-aarch64-linux-gnu gfortran-aarch64-linux-gnu qemu-user-static mmdebstrap debootstrap libc++-19-dev libc++abi-19-dev"
model="g++ cmake ninja-build libboost-context-dev libcli11-dev binutils"

case "${1:-}" in
    build) echo "$build" ;;
    peers) echo "$build $clang libstarpu-dev libboost-fiber-dev pkg-config python3 python3-venv --optional golang-go" ;;
    test) echo "$build gfortran $clang clang-format-19 libgtest-dev pkg-config $model --optional $checks" ;;
    sanitize) echo "$sanitize" ;;
    # Too large for the short tests. What needs a browser, another processor's compiler or Debian's installer is skipped
    # without it.
    long) echo "$sanitize --optional chromium $ports" ;;
    model) echo "$model" ;;
    *) echo "usage: packages.sh build|peers|test|sanitize|long|model" >&2; exit 2 ;;
esac
