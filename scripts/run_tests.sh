#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and tests the presets given as arguments, one after the other, also after a failure. A preset whose name ends
# in -long or -more tests the build of the preset without that ending. The benchmarks and some tests are built only for
# release-more and release-long, since they take half of the time. Each test runs REPEAT times (1), unless it fails
# before. The preset `aarch64` is left out, with a line that says why, where its programs cannot be built or started. The
# output ends with a line for each test that failed, `failed: PRESET: TEST`, the last that it printed, in lines that begin
# with `  | `, and the sum over all presets, `N passed, N failed`; a preset that does not build counts as one failure.
set -uo pipefail
cd "$(dirname "$0")/.."
presets=("$@")
passed=0 failed=0
names=()

finish() {
    [ ${#names[@]} -eq 0 ] || printf 'failed: %s\n' "${names[@]}"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
trap 'echo "teff: stopped before the end" >&2; failed=$((failed + 1)); finish' TERM INT

configuration() {
    local name=${1%-long}
    echo "${name%-more}"
}

# What runs the commands of a preset whose programs this machine does not start by itself.
starter() {
    [ "$1" != aarch64 ] || echo scripts/aarch64.sh
}

build() {
    local options=(-DTEFF_BUILD_TESTS="$2")
    case $1 in
        release) options+=(-DTEFF_BUILD_BENCH=OFF -DTEFF_MORE_TESTS=OFF) ;;
        release-more | release-long) options+=(-DTEFF_BUILD_BENCH=ON -DTEFF_MORE_TESTS=ON) ;;
        asan | tsan) options+=(-DTEFF_MORE_TESTS=OFF) ;;
        asan-long | tsan-long) options+=(-DTEFF_MORE_TESTS=ON) ;;
    esac
    echo "==> $1: building"
    $(starter "$1") cmake --preset "$(configuration "$1")" "${options[@]}" &&
        $(starter "$1") cmake --build --preset "$(configuration "$1")"
}

# last_output TEST LOG: the end of what a failed test printed, which in the log follows the line of its failure.
last_output() {
    awk -v test="$1" '
        /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / { inside = $4 == test && /\*\*\*/; next }
        /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ { inside = 0 }
        inside && NF { print "  | " $0 }
    ' "$2" | tail -n 20
}

# There runs one test more than there are processors, since some of them wait. ctest's closing line is "98% tests passed,
# 1 tests failed out of 50"; it lists what failed as "  12 - NAME (Failed)".
run() {
    local log line name repeat=${REPEAT:-1}
    # Emulated, a test takes several times as long, and shows no more interleavings than the other builds.
    [ "$1" != aarch64 ] || repeat=1
    log=build/$(configuration "$1")/ctest.log
    echo "==> $1: testing"
    $(starter "$1") ctest --preset "$1" --repeat "until-fail:$repeat" -j $(($(nproc) + 1)) | tee "$log"
    line=$(grep -E '[0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1)
    if [[ $line =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
        failed=$((failed + BASH_REMATCH[1]))
        passed=$((passed + BASH_REMATCH[2] - BASH_REMATCH[1]))
        while read -r name; do
            names+=("$1: $name"$'\n'"$(last_output "${name%% *}" "$log")")
        done < <(sed -n '/^The following tests FAILED:/,/^$/s/^[[:space:]]*[0-9]\+ - //p' "$log")
    else
        names+=("$1: no tests ran")
        failed=$((failed + 1))
    fi
}

possible=()
for preset in "${presets[@]}"; do
    # Exit status 77, after a line that says why: it cannot be done here.
    status=0
    $(starter "$preset") true || status=$?
    [ $status -eq 77 ] || possible+=("$preset")
done
presets=("${possible[@]}")
for preset in "${presets[@]}"; do
    # The second compiler's release build has runners only, which the tests of the first one use.
    tests=ON
    [ "$preset" = release-clang ] && tests=OFF
    if ! build "$preset" $tests; then
        names+=("$preset: does not build")
        failed=$((failed + 1))
    fi
done
for preset in "${presets[@]}"; do
    [ "$preset" = release-clang ] || run "$preset"
done
finish
