// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the sorting kernels: random numbers, and the check that the result is in order and has the same
// elements.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

std::vector<std::uint32_t> random_elements(std::uint64_t seed, std::size_t count);

// Does not depend on the order: a sum of the elements, each hashed first so that two errors do not cancel out.
std::uint64_t checksum_of(const std::vector<std::uint32_t>& elements);

// The elements must be in order and have this checksum.
outcome sorted_outcome(double seconds, std::uint64_t tasks, const std::vector<std::uint32_t>& elements,
                       std::uint64_t checksum);

}  // namespace bench
