#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_examples.sh BUILD_FOLDER EXAMPLES CXX
# Installs BUILD_FOLDER into a scratch prefix inside it, builds the examples against that as a user would, and checks
# what they print: with right arguments, and with wrong ones.
set -euo pipefail
build=$1 examples=$2 compiler=$3
scratch=$build/examples_test
rm -rf "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
# One of them is configured by itself.
cmake -S "$examples/heat" -B "$scratch/alone" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    >/dev/null
cmake -S "$examples" -B "$scratch/all" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror" >"$scratch/configured"
cmake --build "$scratch/all" -j "$(nproc)" >/dev/null
cd "$scratch"

status=0
# is WHAT EXPECTED ACTUAL
is() {
    if [ "$2" != "$3" ]; then
        printf -- '-- %s: expected\n%s\nbut got\n%s\n' "$1" "$2" "$3"
        status=1
    fi
}
# run EXAMPLE ARGUMENT...
run() {
    local name=$1
    shift
    "$scratch/all/$name/$name" "$@"
}
# refuses MESSAGE EXAMPLE ARGUMENT...: with exit status 2, the message on the standard error alone, and the usage.
refuses() {
    local message=$1 said code=0
    shift
    said=$(run "$@" 2>&1 >output </dev/null) || code=$?
    is "$* exits with" 2 "$code"
    is "$*" "$1: $message" "$(head -n 1 <<<"$said")"
    is "$* says how it is called" "usage: $1" "$(sed -n 2p <<<"$said" | cut -d ' ' -f 1-2)"
    is "$* prints" "" "$(cat output)"
}

for example in "$examples"/*/; do
    name=$(basename "$example")
    # Of these one needs a library of others.
    if [ "$name" = check_links ] && [ ! -x "$scratch/all/$name/$name" ]; then
        grep -q 'check_links is left out: it needs oneTBB' "$scratch/configured"
        continue
    fi
    # A library.
    [ "$name" != openmp_profile ] || continue
    is "$name --help" "usage: $name" "$(run "$name" --help | cut -d ' ' -f 1-2)"
done

# The number of points does not depend on the number of threads, nor on the scheduler.
for scheduler in demand xqueue_static sherwood; do
    is mandelbrot "small.ppm: 150 x 100 points, 3800 of them in the set" \
        "$(TEFF_NUM_THREADS=3 TEFF_SCHEDULER=$scheduler run mandelbrot 150 100 small.ppm)"
done
is "the picture's head" "P6 150 100 255" "$(head -n 3 small.ppm | tr '\n' ' ' | sed 's/ $//')"
is "the picture's size" $((15 + 150 * 100 * 3)) "$(stat -c %s small.ppm)"
refuses "WIDTH '0' is not a number from 1 to 20000" mandelbrot 0
refuses "HEIGHT '10x' is not a number from 1 to 20000" mandelbrot 10 10x
refuses "there is an argument too many: 'more'" mandelbrot 10 10 file more
is "a picture that cannot be written" "mandelbrot: missing/a.ppm: No such file or directory" \
    "$(run mandelbrot 10 10 missing/a.ppm 2>&1 && echo "exit status 0")"

is "sudoku with many solutions" "68902 solutions" "$(run sudoku)"
is "sudoku with one solution" "1 solution" \
    "$(run sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79)"
# Row 9 lacks 1, which column 9 has.
is "sudoku with none" "0 solutions" \
    "$(run sudoku ........1...............................................................23456789.)"
refuses "the board has 3 characters; it must have 81, row by row" sudoku 123
refuses "row 1, column 2: there is another 5 in the same row, column or box" sudoku "55$(printf '.%.0s' {1..79})"
refuses "row 9, column 9: 'x' is neither a digit nor '.' for an empty cell" sudoku "$(printf '.%.0s' {1..80})x"

mkdir -p tree/a/b/c tree/d
head -c 1000 /dev/zero >tree/a/one
head -c 200 /dev/zero >tree/a/b/c/two
head -c 30 /dev/zero >tree/d/three
head -c 4 /dev/zero >tree/four
ln -s ../a tree/d/link
is directory_sizes "$(printf '%14d  %s\n' 1200 a 30 d 4 four 1234 "in 4 files")" "$(run directory_sizes tree)"
is "a folder that is missing" "directory_sizes: missing: No such file or directory" \
    "$(run directory_sizes missing 2>&1 && echo "exit status 0")"
if [ "$(id -u)" -ne 0 ]; then
    chmod 000 tree/d
    is "a folder that cannot be read" "1 entries could not be read and are not in these sums" \
        "$(run directory_sizes tree | tail -n 1)"
    chmod 755 tree/d
fi

# Several blocks, the last one without a newline at its end.
{ seq 1 60000; printf 'the end 77'; } >text
is search_text "$(grep -nE '7+$' text)" "$(run search_text '7+$' text)"
is "the standard input" "$(grep -nE '^123' text)" "$(run search_text '^123' <text)"
is "no match" "exit status 1" "$(run search_text 'no such line' text || echo "exit status $?")"
refuses "the PATTERN is missing" search_text
is "a pattern that is wrong" "search_text: PATTERN '(' is not a regular expression" \
    "$(run search_text '(' text 2>&1 | sed -n '1s/expression:.*/expression/p')"
is "a text that is missing" "search_text: missing: No such file or directory" "$(run search_text x missing 2>&1 || true)"

# It compares some of the results with those of a search through all points.
is nearest_neighbours "20000 points, 20000 queries, sum of the squared distances: 10738961186878" \
    "$(run nearest_neighbours 20000 20000)"
is "one point" "1 points, 1 queries" "$(run nearest_neighbours 1 1 | cut -d , -f 1-2)"

# It compares the result with that of the serial loops.
is heat "mean temperature after 100 steps: 8.849902" "$(TEFF_NUM_THREADS=3 run heat 50 100 7 | tail -n 1)"
is "heat without a step" "mean temperature after 0 steps: 0.000000" "$(run heat 3 0 3 | tail -n 1)"
refuses "STRIPS '11' is not a number from 1 to 10" heat 10 1 11

# A ring of 50 pages, of which each also links to its square; what is in code, elsewhere or in the page is no link.
if [ -x "$scratch/all/check_links/check_links" ]; then
    mkdir -p pages/html
    for page in {0..49}; do
        printf '[next](%s.md) and [square](./%s.md#place)\n' $(((page + 1) % 50)) $((page * page % 50)) >pages/$page.md
    done
    printf '[x](nothing.md) `[&](int) {}`\n```\n[x](code.md)\n```\n[a](#here) [b](https://x.org/y.md) [c](html/a.html)\n' >>pages/7.md
    echo '<a href="../7.md">seven</a><img src="picture.svg"><a href="../8.md?x=1">eight</a>' >pages/html/a.html
    for threads in 1 2 3 8; do
        is "check_links on $threads threads" \
            $'pages/7.md: nothing.md\npages/html/a.html: picture.svg\n51 pages, 105 links, 2 of them broken' \
            "$(TEFF_NUM_THREADS=$threads run check_links pages/3.md || true)"
    done
    echo "no link" >alone.md
    is "check_links without a link" "1 pages, 0 links, 0 of them broken" "$(run check_links alone.md)"
    refuses "the PAGE is missing" check_links
    is "check_links of a missing page" $'check_links: none.md: it cannot be read\nexit status 1' \
        "$(run check_links none.md 2>&1 || echo "exit status $?")"
fi

# The same request several times, so that some coroutines may have to wait for the result of another one.
requests=$'primes 200000\nfib 20\nprimes 200000\ncollatz 20000\nprimes 200000\nfib\nfib 46\nhello'
answers=$'1: primes 200000 = 17984\n2: fib 20 = 6765\n3: primes 200000 = 17984\n4: collatz 20000 = 278
5: primes 200000 = 17984\n6: error: a request is `primes N`, `collatz N` or `fib N`: fib
7: error: the number must be from 0 to 45: fib 46\n8: error: a request is `primes N`, `collatz N` or `fib N`: hello'
for repetition in {1..20}; do
    is "computation_server, run $repetition" "$answers" \
        "$(TEFF_NUM_THREADS=3 run computation_server <<<"$requests" 2>counts | sort)"
    is "the number of computations" "8 requests, 3 computations" "$(cat counts)"
done
# The profile of a program with three regions, in which ten tasks and four critical sections are executed.
runtime=$(find "$scratch/prefix" -name libomp.so.5)
program=$examples/../tests/openmp/tools/watched_program.c
if [ -n "$runtime" ] && "$compiler" -fopenmp -x c "$program" -o watched 2>/dev/null; then
    is "the watched program" 49 "$(LD_LIBRARY_PATH=$(dirname "$runtime") \
        OMP_TOOL_LIBRARIES=$(find "$scratch/all/openmp_profile" -name 'libopenmp_profile.so') ./watched 2>profile)"
    # count CONSTRUCT: in all rows of this name.
    count() {
        awk -v name="$1" 'index($0, name " ") == 1 { sum += $(split(name, words, " ") + 1) } END { print sum + 0 }' profile
    }
    is "the profile's regions" 3 "$(count parallel)"
    is "the profile's tasks" 10 "$(count task)"
    is "the profile's critical sections" 4 "$(count 'wait: critical')"
fi
exit $status
