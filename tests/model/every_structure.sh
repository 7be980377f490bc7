#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails if the model checker has scenarios of a structure that has no test of its own.
#   every_structure.sh TEFF_MODEL STRUCTURE...
set -euo pipefail
program=$1
shift
known=$("$program" --list | cut -d ' ' -f 1 | sort -u)
[ -n "$known" ] || { echo "$program --list names nothing"; exit 1; }
missing=$(comm -23 <(echo "$known") <(printf '%s\n' "$@" | sort -u))
[ -z "$missing" ] || { echo "without a test in tests/model/CMakeLists.txt:" $missing; exit 1; }
