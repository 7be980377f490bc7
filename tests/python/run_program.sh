#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run_program.sh PYTHON OPENBLAS PROGRAM run TEFF RUNTIME
# run_program.sh PYTHON OPENBLAS PROGRAM wheel WHEELS SCRATCH
# run_program.sh PYTHON OPENBLAS PROGRAM pypi TEFF RUNTIME SCRATCH
# Runs a Python program of this folder on Teff's OpenMP runtime: by the command `teff run`, by the package in a wheel,
# or by the command with the scikit-learn that PyPI has. OPENBLAS is the folder of the OpenBLAS that Debian's NumPy
# shall load. The program checks that it runs on Teff, and on nothing else.
set -euo pipefail
python=$1 openblas=$2 program=$3 start=$4
unset LD_PRELOAD OMP_NUM_THREADS KMP_DUPLICATE_LIB_OK KMP_WARNINGS OPENBLAS_NUM_THREADS
export LD_LIBRARY_PATH=$openblas OPENBLAS_FOLDER=$openblas PYTHONDONTWRITEBYTECODE=1
# The number of threads is the same on machines of all sizes (observed.py).
options=(run --threads 4 --verbose)
if [ "$start" = pypi ]; then
    rm -rf "$7"
    python3 -m venv "$7" || { echo "python3 has no venv: not tested"; exit 77; }
    python=$7/bin/python
    "$python" -m pip --quiet --disable-pip-version-check install --only-binary :all: scikit-learn ||
        { echo "scikit-learn cannot be had from PyPI here: not tested"; exit 77; }
fi
if [ "$start" != wheel ]; then
    export EXPECTED_OPENMP_RUNTIME=$6
    command=("$5" "${options[@]}" -- "$python" "$program")
else
    wheels=("$5"/teff-*.whl) scratch=$6
    [ -e "${wheels[0]}" ] || { echo "there is no wheel, which install.wheel makes: not tested"; exit 77; }
    rm -rf "$scratch"
    mkdir -p "$scratch"
    cd "$scratch"
    "$python" -m zipfile -e "${wheels[0]}" package
    export PYTHONPATH=$scratch/package XDG_CACHE_HOME=$scratch/cache
    EXPECTED_OPENMP_RUNTIME=$("$python" -m teff library)
    export EXPECTED_OPENMP_RUNTIME
    command=("$python" -m teff "${options[@]}" "$program")
fi

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
"${command[@]}" 2>"$errors" || { echo "$program fails with status $?:"; cat "$errors"; exit 1; }
if ! grep -q "^teff: OpenMP runtime .* is active in process" "$errors" || grep "runtimes are in use" "$errors"; then
    echo "$program has not run on Teff alone:"
    cat "$errors"
    exit 1
fi
