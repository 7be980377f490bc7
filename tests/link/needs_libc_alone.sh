#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails if the shared object $1 needs a library other than the C library (libc, libm, the loader).
set -euo pipefail
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ] || { echo "$1: readelf shows no needed library at all"; exit 1; }
if others=$(grep -vE '^(libc\.so|libm\.so|ld-linux)' <<<"$needed"); then
    echo "$1 needs more than the C library: $others"
    exit 1
fi
