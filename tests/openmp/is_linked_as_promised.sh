#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: is_linked_as_promised.sh LIBRARY
# Fails if the OpenMP runtime LIBRARY was not linked as a library that other people's programs load without knowing it.
set -euo pipefail
library=$1
status=0
dynamic=$(LC_ALL=C readelf -Wd "$library")
segments=$(LC_ALL=C readelf -Wl "$library")
wants() { grep -qE "$2" <<<"$1" || { echo "$library: $3"; status=1; }; }
wants_not() { ! grep -qE "$2" <<<"$1" || { echo "$library: $3"; status=1; }; }

wants "$dynamic" 'SONAME.*\[libomp\.so\.5\]' 'its name is not libomp.so.5'
wants "$dynamic" 'FLAGS_1.*NODELETE' 'it may be unmapped (-z nodelete)'
wants "$dynamic" 'FLAGS_1.*NOW' 'symbols are bound late (-z now)'
wants_not "$dynamic" 'TEXTREL' 'code has relocations'
wants_not "$dynamic" 'R(UN)?PATH' 'it names folders to search for libraries'
wants "$segments" 'GNU_RELRO' 'tables stay writable (-z relro)'
wants "$segments" 'GNU_STACK .* RW  ' 'the stack is executable (-z noexecstack)'
wants_not "$segments" ' RWE ' 'a segment is both writable and executable'

# What runs when it is loaded belongs to the C++ library: memory for exceptions when there is no other, and the
# categories of errors.
initialisers=$(nm "$library" | sed -n 's/.* _GLOBAL__sub_I_//p')
[ -n "$initialisers" ] || { echo "$library: the C++ library's initialisers are not named"; status=1; }
if others=$(grep -vxE 'eh_alloc\.cc|system_error\.cc' <<<"$initialisers"); then
    echo "$library: code runs when it is loaded:" $others
    status=1
fi

# All names are one file.
for name in libomp.so libgomp.so.1 libiomp5.so; do
    [ "$(dirname "$library")/$name" -ef "$library" ] || { echo "$name is not the same file"; status=1; }
done
exit $status
