#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a program compiles for one public header stays small: at most so many headers of Teff for each of these. Forks,
# groups and loops need no part of the pool, and of the teams only their functions' declarations.
set -euo pipefail
status=0
while read -r header most; do
    found=$("${CXX:-c++}" -std=c++20 -Iinclude -I. -MM -x c++ "include/teff/$header.hpp" | grep -oE '[a-z_/]+[.]hpp' | sort -u)
    count=$(wc -l <<<"$found")
    if [ "$count" -gt "$most" ]; then
        echo "include/teff/$header.hpp needs $count headers of Teff, and $most are the most that were meant:"
        echo "$found"
        status=1
    fi
done <<'END'
fork_join 28
task_group 34
spawn 36
parallel_reduce 42
parallel_for 50
dataflow 50
coroutine 40
END
exit $status
