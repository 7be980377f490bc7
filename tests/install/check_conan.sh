#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_conan.sh SOURCE SCRATCH CXX
# Conan builds the package and a program with it, shared and static. Conan comes from PyPI, and Boost from this system
# (the profile says so), since Conan's own server may be out of reach. Without Conan the test is skipped.
set -euo pipefail
source=$1 scratch=$2 compiler=$3
rm -rf "$scratch"
mkdir -p "$scratch"
python3 -m venv "$scratch/venv" || { echo "python3 has no venv: not tested"; exit 77; }
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check 'conan==2.*' || { echo "no Conan here"; exit 77; }
PATH=$scratch/venv/bin:$PATH
export CONAN_HOME=$scratch/home CXX=$compiler
conan profile detect --force >/dev/null
version=$(sed -n 's/.*BOOST_LIB_VERSION "\([0-9]*\)_\([0-9]*\).*"/\1.\2.0/p' /usr/include/boost/version.hpp)
cat >>"$CONAN_HOME/profiles/default" <<END
[platform_requires]
boost/$version
END
sed -i 's/^compiler.cppstd=.*/compiler.cppstd=20/' "$CONAN_HOME/profiles/default"
# Conan builds the test package beside its recipe unless told otherwise.
beside=(--conf "tools.cmake.cmake_layout:test_folder=$scratch/test" --conf "tools.cmake.cmaketoolchain:user_presets=")
for shared in True False; do
    echo "-- shared=$shared"
    conan create "$source/packaging/conan" --options "teff/*:shared=$shared" "${beside[@]}" 2>&1 | tee "$scratch/log" | grep -v '^-- '
    grep -q '^75025$' "$scratch/log"
done
