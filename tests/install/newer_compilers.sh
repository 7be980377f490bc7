#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: newer_compilers.sh SOURCE SCRATCH
# Debian 13 with its compilers, warnings as errors: the library, the OpenMP runtime and the unit tests by GCC 14, which
# also builds the command, and by Clang 19 with libc++, for which GoogleTest is built, too. Skipped where there is no
# root or no network.
set -euo pipefail
source=$1 scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/debian_system.sh"
make_system trixie "$scratch"
copy_sources "$source" /root/teff
in_system apt-get -q update
in_system apt-get -q install g++ clang libc++-dev libc++abi-dev cmake ninja-build libboost-context-dev libcli11-dev \
    libfmt-dev nlohmann-json3-dev libgtest-dev googletest
cat >"$system/steps.sh" <<'STEPS'
set -euo pipefail
# check FOLDER TARGETS OPTION...
check() {
    local folder=$1 targets=$2
    shift 2
    cmake -G Ninja -S /root/teff -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
        -DTEFF_UNITY_BUILD=ON -DTEFF_BUILD_BENCH=OFF "$@"
    # shellcheck disable=SC2086  # several
    cmake --build "$folder" --target $targets
    ctest --test-dir "$folder" -L '^unit$' -j "$(nproc)" --output-on-failure
}
g++ --version | head -n 1
check /root/gcc "teff teff_openmp teff_cli teff_unit_tests" -DCMAKE_CXX_COMPILER=g++

clang++ --version | head -n 1
# The second option is for std::stop_token.
with_libcxx=(-DCMAKE_CXX_COMPILER=clang++ '-DCMAKE_CXX_FLAGS=-stdlib=libc++ -fexperimental-library')
cmake -G Ninja -S /usr/src/googletest -B /root/googletest "${with_libcxx[@]}" -DCMAKE_INSTALL_PREFIX=/root/libcxx
cmake --build /root/googletest --target install
check /root/clang "teff teff_openmp teff_unit_tests" "${with_libcxx[@]}" -DTEFF_BUILD_CLI=OFF \
    -DCMAKE_PREFIX_PATH=/root/libcxx
echo "library, OpenMP runtime and unit tests work with both compilers of Debian $(cat /etc/debian_version)"
STEPS
in_system /bin/bash /steps.sh
