#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: is_linked_as_promised.sh LIBRARY SONAME [RUNPATH]
# Fails if the shared object LIBRARY was not linked as one that other people's programs load without knowing it.
# RUNPATH: the folders in which it has the loader look for what it needs; none if it is left out.
set -euo pipefail
library=$1 soname=$2 runpath=${3-}
status=0
dynamic=$(LC_ALL=C readelf -Wd "$library")
segments=$(LC_ALL=C readelf -Wl "$library")
wants() { grep -qE "$2" <<<"$1" || { echo "$library: $3"; status=1; }; }
wants_not() { ! grep -qE "$2" <<<"$1" || { echo "$library: $3"; status=1; }; }

grep -qF "Library soname: [$soname]" <<<"$dynamic" || { echo "$library: its name is not $soname"; status=1; }
wants "$dynamic" 'FLAGS_1.*NODELETE' 'it may be unmapped (-z nodelete)'
wants "$dynamic" 'FLAGS_1.*NOW' 'symbols are bound late (-z now)'
wants_not "$dynamic" 'TEXTREL' 'code has relocations'
wants "$segments" 'GNU_RELRO' 'tables stay writable (-z relro)'
wants "$segments" 'GNU_STACK .* RW  ' 'the stack is executable (-z noexecstack)'
wants_not "$segments" ' RWE ' 'a segment is both writable and executable'

found=$(sed -n 's/.*(R\(UN\)\?PATH).*\[\(.*\)\]/\2/p' <<<"$dynamic")
[ "$found" = "$runpath" ] || { echo "$library: looks for libraries in '$found', and should in '$runpath'"; status=1; }

# What runs when it is loaded belongs to the C++ library: memory for exceptions when there is no other, and the
# categories of errors.
initialisers=$(nm "$library" | sed -n 's/.* _GLOBAL__sub_I_//p')
if others=$(grep -vxE 'eh_alloc\.cc|system_error\.cc|' <<<"$initialisers"); then
    echo "$library: code runs when it is loaded:" $others
    status=1
fi
exit $status
