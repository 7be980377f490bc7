#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# two_runtimes.sh FOLDER RUNTIME TOOL
# Programs and libraries in one process of which one calls Teff and the other one the compiler's own runtime: both work,
# and one line says so. There is no line where all calls go to Teff, whatever is loaded.
set -euo pipefail
folder=$1 runtime=$2 tool=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(dirname "$runtime")
silence=KMP_DUPLICATE_LIB_OK=true

# said LINES VARIABLE=VALUE... -- PROGRAM WORD...: both work, and stderr has so many lines about two runtimes, and no
# others. The last such line is in $work/said.
said() {
    local lines=$1 variables=()
    shift
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    shift
    local case="${variables[*]} $*"
    env -u LD_PRELOAD -u LD_LIBRARY_PATH -u KMP_DUPLICATE_LIB_OK -u KMP_WARNINGS -u OMP_TOOL_LIBRARIES \
        "${variables[@]}" timeout 60 "$@" >"$work/out" 2>"$work/errors" ||
        { echo "fails: $case"; cat "$work/out" "$work/errors"; exit 1; }
    grep -qx "both work" "$work/out"
    [[ $case != *OMP_TOOL_LIBRARIES* ]] || grep -qx "a tool watches" "$work/out"
    grep -v "is active in process" "$work/errors" >"$work/said" || true
    if [ "$(wc -l <"$work/said")" -ne "$lines" ] ||
        [ "$(grep -c '^teff: OpenMP: two runtimes are in use: ' "$work/said")" -ne "$lines" ]; then
        echo "instead of $lines lines about two runtimes: $case"
        cat "$work/errors"
        exit 1
    fi
}
# named CALLER RUNTIME: the last line says that this file calls that other runtime, maybe by the name of a link.
named() {
    local runtime
    runtime=$(sed -n "s@.*in use: $1 calls \(.*\), and other code.*@\1@p" "$work/said")
    [ -n "$runtime" ] && [ "$(realpath "$runtime")" = "$2" ] ||
        { echo "$1 and $2 are not named:"; cat "$work/said"; exit 1; }
}

for own in gcc clang; do
    program=$folder/two_runtimes_$own
    for other in gcc clang; do
        theirs=$(cat "$folder/runtime_of_$other")
        library=$folder/two_runtimes_other_$other.so

        # The program on Teff, the library on its compiler's runtime. In the first case the functions are found before
        # the first region, in the others at their first call, which comes later: the end of the process says it.
        said 1 LD_LIBRARY_PATH="$here" -- "$program" "$library" first now deep
        named "$library" "$theirs"
        said 1 LD_LIBRARY_PATH="$here" -- "$program" "$library" first deep
        said 1 LD_LIBRARY_PATH="$here" -- "$program" "$library" deep
        said 1 LD_LIBRARY_PATH="$here" -- "$program" "$library" deep fork
        [ "$(grep -cx "both work" "$work/out")" -eq 2 ]
        for variable in KMP_DUPLICATE_LIB_OK=true KMP_WARNINGS=false; do
            said 0 "$variable" LD_LIBRARY_PATH="$here" -- "$program" "$library" first now deep
            said 0 "$variable" LD_LIBRARY_PATH="$here" -- "$program" "$library" deep
        done

        # The program on its compiler's runtime, the library on Teff.
        said 1 -- "$program" "$folder/two_runtimes_teff_$other.so" deep
        named "the program" "$(cat "$folder/runtime_of_$own")"
        said 1 -- "$program" "$folder/two_runtimes_teff_$other.so" first now deep
        said 0 $silence -- "$program" "$folder/two_runtimes_teff_$other.so" first now deep

        # The other runtime is loaded, but all calls go to Teff, whose functions come first; and with a tool.
        said 0 LD_LIBRARY_PATH="$here" LD_PRELOAD="$runtime" -- "$program" "$library"
        said 0 LD_LIBRARY_PATH="$here" LD_PRELOAD="$runtime" OMP_TOOL_LIBRARIES="$tool" -- "$program" "$library" first
        # With the runtime for tools a conflict is one, too, and Teff's other object is none.
        said 1 LD_LIBRARY_PATH="$here" OMP_TOOL_LIBRARIES="$tool" -- "$program" "$library" first now deep
        named "$library" "$theirs"
        said 0 LD_LIBRARY_PATH="$here" OMP_TOOL_LIBRARIES="$tool" TEFF_OPENMP_VERBOSE=on \
            -- "$program" "$folder/two_runtimes_teff_$other.so"

        # Teff under two names.
        said 0 LD_LIBRARY_PATH="$here" -- "$program" "$folder/two_runtimes_teff_$other.so" now deep
    done
done
