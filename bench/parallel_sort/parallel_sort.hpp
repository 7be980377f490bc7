// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort that comes with a runtime, of random numbers: std::sort, this library's and oneTBB's parallel_sort, and the
// sort of GCC's parallel mode, which is written in OpenMP.
#pragma once

#include <bench/harness/sorting.hpp>

#include <cstdint>
#include <vector>

namespace bench {

extern const kernel_description parallel_sort_description;

outcome run_parallel_sort(const parameters& p);

}  // namespace bench

namespace bench::parallel_sort {

// As many as p asks for.
std::vector<std::uint32_t> generated(const parameters& p);

// Sorts them by sort(elements), and checks that.
template <class Sort> outcome measured(const parameters& p, const Sort& sort) {
    std::vector<std::uint32_t> elements = generated(p);
    const std::uint64_t checksum = checksum_of(elements);
    const double seconds = time_seconds([&] { sort(elements); });
    return sorted_outcome(seconds, elements.size(), elements, checksum);
}

}  // namespace bench::parallel_sort
