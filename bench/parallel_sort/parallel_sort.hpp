// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts random numbers with the sort that a runtime provides: std::sort, this library's and oneTBB's parallel_sort,
// and the sort of GCC's parallel mode, which uses OpenMP.
#pragma once

#include <bench/harness/sorting.hpp>

#include <cstdint>
#include <vector>

namespace bench::parallel_sort {

// As many elements as p asks for.
std::vector<std::uint32_t> generated(const parameters& p);

// Measures sort(elements) and checks its result.
template <class Sort> outcome measured(const parameters& p, const Sort& sort) {
    std::vector<std::uint32_t> elements = generated(p);
    const std::uint64_t checksum = checksum_of(elements);
    const double seconds = time_seconds([&] { sort(elements); });
    return sorted_outcome(seconds, elements.size(), elements, checksum);
}

}  // namespace bench::parallel_sort
