#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: skip.sh REASON
echo "skipped: $1"
exit 77
