#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: runs_nothing_at_load.sh [--but FUNCTION] OBJECT...
# Fails if one of the object files has code that runs when it is loaded (dynamic initialisers, constructors), except for
# one constructor FUNCTION.
set -euo pipefail
allowed=
if [ "${1:-}" = --but ]; then
    allowed=$2
    shift 2
fi
[ $# -gt 0 ] || { echo "no object files were given"; exit 1; }
status=0
for object in "$@"; do
    if [ -n "$allowed" ] && [ -n "$(nm "$object" | grep -E " t .*$allowed")" ] &&
        [ "$(readelf -rW "$object" | sed -n "/'.rela.init_array/,/^$/p" | grep -c '^[0-9a-f]\{8\}')" -eq 1 ]; then
        continue
    fi
    if readelf -SW "$object" | grep -qE ' \.(init_array|ctors|preinit_array)'; then
        echo "$object has dynamic initialisers:"
        nm -C "$object" | grep -E '_GLOBAL__sub_I|__cxx_global_var_init|__static_initialization' || true
        status=1
    fi
done
exit $status
