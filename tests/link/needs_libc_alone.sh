#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: needs_libc_alone.sh OBJECT [CORE]
# Fails if the shared object OBJECT needs a library other than the C library (libc, libm, the loader), and than CORE, if
# that is given, which it then has to need.
set -euo pipefail
object=$1 core=${2-}
needed=$(readelf -d "$object" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ] || { echo "$object: readelf shows no needed library at all"; exit 1; }
if [ -n "$core" ]; then
    grep -qxF "$core" <<<"$needed" || { echo "$object does not need $core"; exit 1; }
    needed=$(grep -vxF "$core" <<<"$needed")
fi
if others=$(grep -vE '^(libc\.so|libm\.so|ld-linux)' <<<"$needed"); then
    echo "$object needs more than the C library: $others"
    exit 1
fi
