#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: is_lean.sh FOLDER COMPILER [FLAG...]
# A program that includes reduce.hpp and calls reduce_tasks() has to compile one scheduler, `demand`, and no header of
# the C++ library that takes a compiler long and that the options of a call do not need. With a list of schedulers it
# compiles these.
set -euo pipefail
folder=$1
shift
mkdir -p "$folder"
cat >"$folder/lean.cpp" <<'END'
#include <teff/reduce.hpp>
struct count {
    template <class Pool> long operator()(Pool& pool, int n) const {
        if (n > 0) pool.enq(n - 1);
        return n;
    }
};
int main() { return teff::reduce_tasks({}, count{}, 10) == 55 ? 0 : 1; }
END
fail() { echo "$*" >&2; exit 1; }

# The classes of schedulers of which the object file has code.
compiled() { # FLAG...
    "$@" -O1 -c "$folder/lean.cpp" -o "$folder/lean.o"
    nm -C "$folder/lean.o" | grep -oE '(demand|blaze|xqueue)_scheduler<int|task_scheduler_for<int' | sort -u |
        tr '\n' ' '
}
only=$(compiled "$@")
[ "$only" = "demand_scheduler<int " ] || fail "a call without a list compiles: $only"
two=$(compiled "$@" '-DTEFF_SCHEDULERS=teff::scheduler_list<teff::demand,teff::blaze>')
[ "$two" = "blaze_scheduler<int demand_scheduler<int " ] || fail "a call with two schedulers compiles: $two"
all=$(compiled "$@" -DTEFF_SCHEDULERS=teff::every_scheduler)
[ "$(wc -w <<<"$all")" -eq 4 ] || fail "a call with all schedulers compiles: $all"

# Standard headers that slow every user's build. (<stop_token>, which the options need, has some others inside.)
headers() {
    "$@" -M "$folder/$name.cpp" | tr ' ' '\n' | grep -oE '/(algorithm|functional|memory|vector|map|regex)$' |
        sort -u || true
}
printf '#include <optional>\n#include <ranges>\n#include <stop_token>\n#include <string_view>\n' >"$folder/needed.cpp"
name=needed
needed=$(headers "$@")
name=lean
found=$(headers "$@")
more=$(comm -13 <(echo "$needed") <(echo "$found"))
[ -z "$more" ] || fail "reduce.hpp includes the slow headers" $more
# They add little to what is read.
lines() { "$@" -E -P "$folder/$name.cpp" | wc -l; }
of_lean=$(lines "$@")
name=needed
of_needed=$(lines "$@")
[ "$of_lean" -le $((of_needed + 8000)) ] || fail "reduce.hpp has $of_lean lines, the headers that it needs $of_needed"
