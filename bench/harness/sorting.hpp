// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels that sort have in common: random numbers, and the check that they are in order and still the same.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

std::vector<std::uint32_t> random_elements(std::uint64_t seed, std::size_t count);

// Whatever the order: a sum, of numbers that are mixed first, so that two errors do not make up for each other.
std::uint64_t checksum_of(const std::vector<std::uint32_t>& elements);

// The elements must be in order, and have this checksum.
outcome sorted_outcome(double seconds, std::uint64_t tasks, const std::vector<std::uint32_t>& elements,
                       std::uint64_t checksum);

}  // namespace bench
