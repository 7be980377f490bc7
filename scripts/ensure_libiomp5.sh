#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Puts the release build of LLVM's OpenMP runtime, as the intel-openmp wheel carries it, into build/peers/lib under the
# name that Clang's programs ask for. With that folder in LD_LIBRARY_PATH they run on it instead of on Debian's library.
# Downloads only if the pinned version is not there yet.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$PWD/build/peers/venv
folder=$PWD/build/peers/lib
pinned=scripts/peers.txt

if ! cmp -s "$pinned" "$venv/installed.txt"; then
    scripts/ensure_packages.sh python3 python3-venv
    echo "==> installing the wheel pinned in $pinned into build/peers/venv"
    rm -rf "$venv" "$folder"
    # Debian's own interpreter: another one that stands earlier in PATH may lack venv or pip.
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary=:all: -r "$pinned"
    cp "$pinned" "$venv/installed.txt"
fi

mkdir -p "$folder"
for name in libomp.so.5 libiomp5.so; do
    ln -sfn ../venv/lib/libiomp5.so "$folder/$name"
done
