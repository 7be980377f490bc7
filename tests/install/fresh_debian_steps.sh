#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: fresh_debian_steps.sh         inside the system that fresh_debian.sh has made
# The steps themselves. What is typed stands in the pages, and is taken from there.
set -euo pipefail
tree=/home/newcomer/teff
cd $tree

# block PAGE LANGUAGE NUMBER: a block of code of a page, the first one is 1.
block() {
    awk -v wanted="$2" -v number="$3" '
        /^```/ { take = !inside && substr($0, 4) == wanted && ++count == number; inside = !inside; next }
        take' "$1" | grep . || { echo "$1 has no block $3 of $2" >&2; exit 1; }
}
count_of_blocks() { grep -c "^\`\`\`$2\$" "$1"; }
# prints EXPECTED COMMAND...
prints() {
    local expected=$1 said
    shift
    said=$("$@")
    [ "$said" = "$expected" ] || { echo "$*: expected $expected, but got $said" >&2; exit 1; }
}
# What a program says of its output: the numbers in the comments at ends of lines.
expected_of() { sed -n 's|.*// \([0-9]\+\)$|\1|p' "$1"; }

as_root() {
    sudo() { "$@"; }
    apt-get -q update
    eval "$(block docs/installing.md sh 1)"
    useradd --shell /bin/bash newcomer
    chown -R newcomer: /home/newcomer
    exec runuser -u newcomer -- env -i HOME=/home/newcomer PATH="$PATH" LANG=C.UTF-8 "$BASH" /steps.sh
}

as_newcomer() {
    echo "-- README: installation, and the program"
    block README.md cpp 1 >first.cpp
    eval "$(block README.md sh 1)"
    prints "$(expected_of first.cpp)" ./first
    "$HOME/.local/bin/teff" info

    echo "-- the tutorial"
    mkdir "$HOME/tutorial"
    cd "$HOME/tutorial"
    local page=$tree/docs/tutorial.md number
    for number in $(seq "$(count_of_blocks "$page" cpp)"); do
        block "$page" cpp "$number" >area.cpp
        eval "$(block "$page" sh 1)"
        prints "$(expected_of area.cpp)" ./area
        [ "$number" -ne 1 ] || cp area serial
        # The times of the program of step 3.
        [ "$number" -ne 3 ] || eval "$(block "$page" sh 2)"
    done
    cd $tree

    echo "-- the examples"
    export CMAKE_PREFIX_PATH=$HOME/.local
    eval "$(block examples/README.md sh 1)"
    [ -s picture.ppm ]
    tests/examples/check_examples.sh $tree/build/install $tree/examples c++
    echo "all of README, tutorial and examples works on a fresh Debian $(cat /etc/debian_version)"
}

if [ "$(id -u)" -eq 0 ]; then as_root; else as_newcomer; fi
