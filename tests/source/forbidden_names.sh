#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The floors below the front ends use teff::atomic for what threads share (so that a model checker can put its own type there)
# and neither the standard library's threads nor its streams and locales (they bring dynamic initialisers and a second
# runtime library into a preloaded object). Tests and their fixtures are free.
set -euo pipefail

floors=()
for floor in base machine reclaim queue depend task scheduler fiber options strand observe pool team; do
    [ -d "teff/$floor" ] && floors+=("teff/$floor")
done
names='std::(atomic *<|atomic_[a-z]+|j?thread\b|mutex\b|condition_variable|locale\b|c(out|err|in)\b)'
headers='# *include *<(thread|mutex|shared_mutex|condition_variable|future|iostream|[io]?fstream|sstream|locale|regex)>'

# Comments are cut off before the search: they may name what is forbidden.
status=0
while IFS= read -r file; do
    case $file in
        teff/base/atomic.hpp | teff/base/asymmetric_fence.hpp) continue ;;
    esac
    if hits=$(sed 's@//.*@@' "$file" | grep -nE "$names|$headers"); then
        sed "s@^@$file:@" <<<"$hits"
        status=1
    fi
done < <(find "${floors[@]}" \( -name '*.hpp' -o -name '*.cpp' \) ! -name '*_test.cpp' ! -name 'fixture_*' | sort)
exit $status
