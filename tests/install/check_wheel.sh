#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_wheel.sh SOURCE SCRATCH CXX
# Builds the Python wheel, installs it into an environment of its own, and starts a program with it whose library was
# compiled for GCC's OpenMP runtime. The build needs scikit-build-core from PyPI; without it the test is skipped.
set -euo pipefail
source=$1 scratch=$2 compiler=$3
rm -rf "$scratch"
mkdir -p "$scratch"
python3 -m venv "$scratch/with spaces" || { echo "python3 has no venv: not tested"; exit 77; }
python=$scratch/"with spaces"/bin/python
"$python" -m pip --quiet --disable-pip-version-check download --no-deps -d "$scratch/tools" 'scikit-build-core>=0.10' ||
    { echo "scikit-build-core cannot be had here: not tested"; exit 77; }
"$python" -m pip --quiet --disable-pip-version-check wheel --no-deps -w "$scratch/wheels" "$source/packaging/python"
wheels=("$scratch"/wheels/teff-*-py3-none-linux_x86_64.whl)
[ ${#wheels[@]} -eq 1 ]
"$python" -m zipfile -l "${wheels[0]}" | tee "$scratch/listed"
# The runtime and the runtime for tools, each once and by one name.
[ "$(grep -c 'lib.*[.]so' "$scratch/listed")" -eq 2 ]
[ "$(grep -cE '/lib/teff/(libomp[.]so[.]5|libteff-omp-tools[.]so) ' "$scratch/listed")" -eq 2 ]
grep -q LICENSE "$scratch/listed"
"$python" -m pip --quiet --disable-pip-version-check install --no-index "${wheels[0]}"
[ "$(readelf -d "$("$python" -m teff library)" | grep NEEDED | grep -vcE 'libc[.]so|libm[.]so|ld-linux')" -eq 0 ]

"$compiler" -shared -fPIC -fopenmp "$source/tests/install/outside/region.cpp" -o "$scratch/library.so"
cat >"$scratch/region.py" <<'END'
import ctypes, os, sys
print(ctypes.CDLL(sys.argv[1]).threads_of_region(), "threads,", os.environ.get("TEFF_SCHEDULER"), sys.argv[2:])
sys.exit(7)
END
# started ARGUMENT...: the program ends with its own status, on Teff's runtime and on no other.
started() {
    local said status=0
    said=$("$python" -m teff run --verbose "$@" 2>&1) || status=$?
    echo "$said"
    [ $status -eq 7 ]
    grep -q "is active" <<<"$said"
    grep -qF "3 threads, blaze ['--threads', 'x']" <<<"$said"
}
export XDG_CACHE_HOME=$scratch/cache
started --scheduler blaze "$scratch/region.py" "$scratch/library.so" --threads x | tee "$scratch/said"
if grep "another OpenMP runtime" "$scratch/said"; then exit 1; fi
(cd "$scratch" && started --scheduler=blaze -- -m region "$scratch/library.so" --threads x)
# Where no links can be made.
XDG_CACHE_HOME=/proc/none started --scheduler blaze "$scratch/region.py" "$scratch/library.so" --threads x

# refused TEXT ARGUMENT...
refused() {
    local text=$1 said status=0
    shift
    said=$("$python" -m teff "$@" 2>&1) || status=$?
    [ $status -eq 2 ] && grep -qF -- "$text" <<<"$said" || { echo "$* is not refused with '$text': $said"; exit 1; }
}
refused "which program?" run
refused "'0' is not a positive whole number" run --threads 0 program.py
refused "invalid choice: 'ran'" ran
"$python" -m pip --quiet uninstall --yes teff
if "$python" -c "import teff.__main__" 2>/dev/null; then exit 1; fi
