// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short loop, run again and again: what a runtime needs to begin a loop on its threads and to end it.
//
// An iteration takes about 7 to 13 ns: it raises its index to the eighth power modulo a prime, by divisions, of which a
// processor does one after the other, also of different iterations. It adds that to a sum of its own.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

extern const kernel_description parallel_for_description;

outcome run_parallel_for(const parameters& p);

}  // namespace bench

namespace bench::parallel_for {

// The loops, what they add to, and how often each runs.
struct input {
    std::vector<std::uint64_t> sums;     // one per iteration
    std::uint64_t loops;
    std::uint64_t prime;                 // not known to the compiler, which would multiply instead

    std::size_t iterations() const { return sums.size(); }
    void iterate(std::size_t index) {
        std::uint64_t power = index;
        for (unsigned squares = 0; squares < 3; ++squares) power = power * power % prime;
        sums[index] += power;
    }
};

input made(const parameters& p);

// Every iteration must have run in every loop.
outcome checked(const input& run, double seconds);

}  // namespace bench::parallel_for
