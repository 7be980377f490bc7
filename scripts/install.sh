#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: install.sh PREFIX [CMAKE-OPTION...]
# Builds the library, the headers and the command in build/install, without tests and benchmarks, installs them under
# PREFIX (below DESTDIR, if that is set) and says how programs find them. It downloads nothing and installs no package:
# what is missing is named. $CXX is the compiler.
set -euo pipefail
[ $# -ge 1 ] && [ -n "$1" ] || { echo "usage: install.sh PREFIX [CMAKE-OPTION...]" >&2; exit 2; }
prefix=$(realpath -ms "$1")
shift
cd "$(dirname "$0")/.."
build=build/install

complain() {
    echo "teff: $1" >&2
    exit 1
}

missing=()
command -v cmake >/dev/null || missing+=("cmake (Debian: cmake)")
command -v "${CXX:-c++}" >/dev/null || missing+=("a C++ compiler, ${CXX:-c++} (Debian: g++)")
generator=()
if command -v ninja >/dev/null; then
    generator=(-G Ninja)
elif ! command -v make >/dev/null; then
    missing+=("ninja or make (Debian: ninja-build)")
fi
[ ${#missing[@]} -eq 0 ] || complain "to build Teff, install first: $(IFS=';'; echo "${missing[*]}" | sed 's/;/; /g')"
[ -f $build/CMakeCache.txt ] && generator=()

# Before minutes of compiling, not after them.
folder=${DESTDIR-}$prefix
while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
[ -w "$folder" ] || complain "$folder cannot be written; install elsewhere, as in \
\`make install PREFIX=\$HOME/.local\`, or as root: \`sudo make install PREFIX=$prefix\`"

cmake --preset install "${generator[@]}" -DCMAKE_INSTALL_PREFIX="$prefix" "$@"
cmake --build $build --parallel "$(nproc)"
cmake --install $build >/dev/null

library_folder=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' $build/CMakeCache.txt)
case $library_folder in
    /*) ;;
    *) library_folder=$prefix/$library_folder ;;
esac
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' $build/CMakeCache.txt)
echo
echo "Teff $version is installed in ${DESTDIR-}$prefix."
[ ! -x "${DESTDIR-}$prefix/bin/teff" ] || case :$PATH: in
    *:$prefix/bin:*) echo "The command:    teff" ;;
    *) echo "The command:    $prefix/bin/teff, or: export PATH=$prefix/bin:\$PATH" ;;
esac
echo "CMake:          find_package(Teff CONFIG), with -DCMAKE_PREFIX_PATH=$prefix if that is not searched anyway"
echo "pkg-config:     export PKG_CONFIG_PATH=$library_folder/pkgconfig"
echo "By hand:        c++ -std=c++20 -pthread -I$prefix/include program.cpp -L$library_folder -lteff"
if [ -e "${DESTDIR-}$library_folder/libteff.so" ]; then
    # The folders that the loader searches by itself.
    if PATH=$PATH:/sbin:/usr/sbin ldconfig -N -X -v 2>/dev/null | grep -q "^$library_folder:"; then
        echo "When it runs:   run \`ldconfig\` as root once, so that the loader knows the library"
    else
        echo "When it runs:   the loader does not search $library_folder. Link with -Wl,-rpath,$library_folder"
        echo "                (CMake does that for programs in the build folder), or set LD_LIBRARY_PATH=$library_folder"
    fi
fi
