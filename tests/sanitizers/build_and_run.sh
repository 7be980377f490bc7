#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: build_and_run.sh COMPILER TOOLS SOURCE_TREE LIBRARY_FOLDER SCRATCH SCHEDULER...
# Builds the user's program by this compiler with -fsanitize=TOOLS against the ordinary library, and runs it (run.sh).
set -euo pipefail
compiler=$1 tools=$2 tree=$3 libraries=$4 scratch=$5/$1_$2
shift 5
here=$tree/tests/sanitizers
command -v "$compiler" >/dev/null || { echo "skipped: there is no $compiler"; exit 77; }
mkdir -p "$scratch"
flags=(-O1 -g1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror "-fsanitize=$tools" "-I$tree/include" "-I$tree")
echo 'int main() { return 0; }' | "$compiler" -x c++ "-fsanitize=$tools" - -o "$scratch/try" 2>/dev/null ||
    { echo "skipped: $compiler cannot link programs with -fsanitize=$tools"; exit 77; }
"$compiler" -x c -std=c11 "${flags[@]}" -c "$here/user_program.c" -o "$scratch/c.o"
for source in user_program user_threads; do
    "$compiler" -std=c++20 "${flags[@]}" -c "$here/$source.cpp" -o "$scratch/$source.o"
done
"$compiler" "-fsanitize=$tools" "$scratch"/{c,user_program,user_threads}.o -L"$libraries" -Wl,-rpath,"$libraries" \
    -lteff $([ ! -e "$libraries/libteff-core.so" ] || echo -lteff-core) -o "$scratch/user_program"
exec "$here/run.sh" "$tools" "$scratch/user_program" "$@"
