#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails if one of the given object files has code that runs when it is loaded (dynamic initialisers, constructors).
set -euo pipefail
[ $# -gt 0 ] || { echo "no object files were given"; exit 1; }
status=0
for object in "$@"; do
    if readelf -SW "$object" | grep -qE ' \.(init_array|ctors|preinit_array)'; then
        echo "$object has dynamic initialisers:"
        nm -C "$object" | grep -E '_GLOBAL__sub_I|__cxx_global_var_init|__static_initialization' || true
        status=1
    fi
done
exit $status
