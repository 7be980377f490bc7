#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails if the shared object $1 exports a name outside namespace teff and the C interface, or nothing, or may be unmapped.
set -euo pipefail
exported=$(nm -D --defined-only -C "$1" | cut -d' ' -f3-)
grep -q 'teff::' <<<"$exported" || { echo "$1 exports nothing of teff"; exit 1; }
if others=$(grep -v -e 'teff::' -e '^TEFF_' -e '^teff_' <<<"$exported"); then
    printf '%s exports names that are not teff'"'"'s:\n%s\n' "$1" "$others"
    exit 1
fi
readelf -d "$1" | grep -q NODELETE || { echo "$1 was linked without -z nodelete"; exit 1; }
