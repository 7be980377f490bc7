#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails if one of the given object files throws an exception, or calls a function of the C++ library that may.
set -euo pipefail
[ $# -gt 0 ] || { echo "no object files were given"; exit 1; }
status=0
for object in "$@"; do
    found=$(nm -uC "$object" | grep -E ' (__cxa_(re)?throw|operator new|std::(__throw_|rethrow_exception))' || true)
    if [ -n "$found" ]; then
        printf '%s may throw:\n%s\n' "$object" "$found"
        status=1
    fi
done
exit $status
