#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: names_are_one_file.sh LIBRARY
# Fails if a name by which programs ask for an OpenMP runtime is not LIBRARY itself, in its folder.
set -euo pipefail
for name in libomp.so libomp.so.5 libgomp.so.1 libiomp5.so; do
    [ "$(dirname "$1")/$name" -ef "$1" ] || { echo "$name is not the same file as $1"; exit 1; }
done
