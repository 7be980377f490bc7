// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short loop, run again and again: the cost of starting a loop on a runtime's threads and of ending it.
//
// An iteration takes about 7 to 13 ns: it raises its index to the eighth power modulo a prime, and adds the result to
// a sum of its own. The divisions dominate, and a processor executes them one after the other even across iterations.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::parallel_for {

// One sum per iteration, and the number of times that the loop runs.
struct input {
    std::vector<std::uint64_t> sums;     // one per iteration
    std::uint64_t loops;
    std::uint64_t prime;                 // unknown to the compiler, which would replace the divisions

    std::size_t iterations() const { return sums.size(); }
    void iterate(std::size_t index) {
        std::uint64_t power = index;
        for (unsigned squares = 0; squares < 3; ++squares) power = power * power % prime;
        sums[index] += power;
    }
};

input made(const parameters& p);

// Checks that every iteration ran in every loop.
outcome checked(const input& run, double seconds);

}  // namespace bench::parallel_for
