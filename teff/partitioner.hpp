// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The partitioners of the oneTBB specification, as a last argument of loops, reductions and scans (a std::stop_token
// may follow). The algorithms divide when somebody is hungry and balance by themselves, whichever is given:
//
//   simple_partitioner     the body gets parts that are not divisible: of a blocked_range those of half its grainsize
//                          to all of it. Several may be run in a row before somebody else can get the next.
//   auto_partitioner       no effect
//   static_partitioner     no effect: parts belong to no thread
//   affinity_partitioner   no effect: nothing is remembered from loop to loop
#pragma once

#include <teff/blocked_range.hpp>

#include <concepts>
#include <functional>

namespace teff {

struct simple_partitioner {};
struct auto_partitioner {};
struct static_partitioner {};
struct affinity_partitioner {};

template <class T>
concept partitioner = std::same_as<T, simple_partitioner> || std::same_as<T, auto_partitioner> ||
                      std::same_as<T, static_partitioner> || std::same_as<T, affinity_partitioner>;

namespace algorithm {

// Calls f for a part as it is, or for what a simple_partitioner makes of it.
template <partitioner Partitioner, class Range, class F>
void call_by(const Range& part, F&& f) {
    if constexpr (std::same_as<Partitioner, simple_partitioner>) {
        if (part.is_divisible()) {
            Range first(part);
            const Range second(first, split{});
            call_by<Partitioner>(first, f);
            return call_by<Partitioner>(second, f);
        }
    }
    std::invoke(f, part);
}

}  // namespace algorithm

}  // namespace teff
