#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_packages.sh BUILD_FOLDER SOURCE CXX VERSION SCRATCH
# Makes the .deb packages of BUILD_FOLDER, installs them into a root folder of their own, uses what is there, and removes
# them again: then nothing of them is left.
set -euo pipefail
build=$1 source=$2 compiler=$3 version=$4 scratch=$5
for tool in dpkg dpkg-deb cpack; do
    command -v $tool >/dev/null || { echo "$tool is not installed: not tested"; exit 77; }
done
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v fakeroot >/dev/null || { echo "neither root nor fakeroot: not tested"; exit 77; }
    as_root=(fakeroot)
fi
rm -rf "$scratch"
mkdir -p "$scratch/packages" "$scratch/root/var/lib/dpkg/updates" "$scratch/root/var/lib/dpkg/info"
root=$scratch/root
touch "$root/var/lib/dpkg/status"

cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch/packages" >"$scratch/cpack.log" 2>&1 ||
    { cat "$scratch/cpack.log"; exit 1; }
packages=("$scratch"/packages/*.deb)
# Those for many machines are made where there are their libraries.
ranks=()
for library in mpi mpi-dataflow; do
    [ ! -e "$build/lib/libteff-$library.so" ] || ranks+=("libteff-$library")
done
[ ${#packages[@]} -eq $((4 + ${#ranks[@]})) ]
soname=libteff${version%.*}
field() { dpkg-deb -f "$scratch/packages/$1"_*.deb "$2"; }
[ "$(field teff Version)" = "$version" ]
grep -qF "$soname (= $version)" <<<"$(field teff Depends)"
grep -qF "$soname (= $version)" <<<"$(field libteff-dev Depends)"
grep -q 'libc6 (>=' <<<"$(field $soname Depends)"
if grep libgc1 <<<"$(field $soname Depends)"; then exit 1; fi
dpkg-deb --ctrl-tarfile "$scratch/packages/$soname"_*.deb | tar -xOf - ./postinst | grep -c ldconfig >/dev/null

# The packages tell the loader of the libraries, which is not for this root.
mkdir "$scratch/tools"
printf '#!/bin/sh\n' >"$scratch/tools/ldconfig"
chmod +x "$scratch/tools/ldconfig"
PATH=$scratch/tools:$PATH
# Nothing of the system is in that root, so what the packages depend on is not looked for.
in_root=("${as_root[@]}" dpkg --root="$root" --force-not-root --force-depends --force-script-chrootless)
"${in_root[@]}" --log="$scratch/dpkg.log" -i "${packages[@]}" >"$scratch/installed.log" 2>&1 ||
    { cat "$scratch/installed.log"; exit 1; }
"$root/usr/bin/teff" info | grep -F "$version"
for page in teff teff-run teff-bench; do
    [ -s "$root/usr/share/man/man1/$page.1" ]
done
for name in bash-completion/completions/teff zsh/site-functions/_teff fish/vendor_completions.d/teff.fish; do
    [ -s "$root/usr/share/$name" ]
done
PKG_CONFIG_PATH=$(dirname "$(find "$root" -name teff.pc)")
export PKG_CONFIG_PATH
read -ra flags < <(pkg-config --cflags --libs teff)
libraries=$(pkg-config --variable=libdir teff)
"$compiler" -std=c++20 "$source/tests/install/outside/quadrature.cpp" "${flags[@]}" -o "$scratch/quadrature"
LD_LIBRARY_PATH=$libraries "$scratch/quadrature"
"$compiler" -fopenmp "$source/tests/install/outside/threads.cpp" -o "$scratch/threads"
TEFF_OPENMP_VERBOSE=on "$root/usr/bin/teff" run "$scratch/threads" 2>&1 | grep -F "is active"

for package in "${ranks[@]}"; do
    grep -qF "$soname (= $version)" <<<"$(field "$package" Depends)"
    grep -q 'mpi' <<<"$(field "$package" Depends)"
done
if [ ${#ranks[@]} -ne 0 ] && command -v mpicxx >/dev/null; then
    read -ra flags < <(pkg-config --cflags --libs teff-mpi)
    OMPI_CXX=$compiler mpicxx -std=c++20 "$source/tests/mpi/outside/ranks.cpp" "${flags[@]}" -o "$scratch/ranks"
    LD_LIBRARY_PATH=$libraries "$scratch/ranks" | grep -xF "sum 55"
fi

"${in_root[@]}" --log="$scratch/dpkg.log" -P teff "${ranks[@]}" libteff-dev teff-openmp "$soname" >/dev/null 2>&1
left=$(find "$root/usr" -type f -o -type l 2>/dev/null || true)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
