// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The partitioners of the oneTBB specification, as the last argument of loops, reductions and scans (a std::stop_token
// may follow). The algorithms always divide on demand, when a worker is idle, and balance the load by themselves:
//
//   simple_partitioner     the body gets parts that are not divisible: for a blocked_range, parts of half its grainsize
//                          up to the grainsize. A thread may run several parts before another can get the next.
//   auto_partitioner       no effect
//   static_partitioner     no effect: parts are not bound to threads
//   affinity_partitioner   no effect: nothing is remembered from one loop to the next
#pragma once

#include <teff/blocked_range.hpp>

#include <concepts>
#include <functional>

namespace teff {

// The body gets parts that are not divisible.
struct simple_partitioner {};
// No effect.
struct auto_partitioner {};
// No effect.
struct static_partitioner {};
// No effect.
struct affinity_partitioner {};

// One of the four above.
template <class T>
concept partitioner = std::same_as<T, simple_partitioner> || std::same_as<T, auto_partitioner> ||
                      std::same_as<T, static_partitioner> || std::same_as<T, affinity_partitioner>;

namespace algorithm {

// Calls f for a part as it is or, with a simple_partitioner, for the indivisible parts of it.
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
