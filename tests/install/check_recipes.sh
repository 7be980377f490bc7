#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_recipes.sh SOURCE VERSION
# The recipes for vcpkg, Conan and Spack against the build that they describe: the version, and that every option that
# they set exists. Their tools are not needed for that.
set -euo pipefail
source=$1 version=$2
cd "$source/packaging"
python3 - "$version" <<'END'
import ast, json, sys
assert json.load(open("vcpkg/teff/vcpkg.json"))["version-semver"] == sys.argv[1], "vcpkg.json has another version"
for recipe in ("conan/conanfile.py", "spack/packages/teff/package.py"):
    ast.parse(open(recipe).read(), recipe)
END
grep -qF "version(\"$version\")" spack/packages/teff/package.py
options=$(grep -rhoE 'TEFF_(BUILD|HWLOC|GC|BOOST|INSTALL)[A-Z_]*' vcpkg conan spack python | sort -u)
[ "$(wc -l <<<"$options")" -ge 5 ]
for option in $options; do
    grep -qE "(option|find_library|find_path)\($option\b" "$source/CMakeLists.txt" "$source/cmake/requirements.cmake" ||
        { echo "a recipe sets $option, which is no option of the build"; exit 1; }
done
