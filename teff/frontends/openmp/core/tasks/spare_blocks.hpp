// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's lists of spare blocks (task_memory.hpp). (Apart, since own_spare_blocks.hpp and its replacement in the
// model checker both need it.)
#pragma once

#include <bit>
#include <cstddef>

namespace teff::openmp {

struct deferred_task;

// Last in, first out. The functions of a list are in task_memory.hpp, since they use the task's record.
struct spare_list {
    deferred_task* first = nullptr;
    unsigned count = 0;
};

// Trivially destructible: the blocks are freed when the thread ends (regions/places.cpp).
struct spare_blocks {
    static constexpr unsigned most = 64;
    spare_list usual;

    // Larger blocks: a list for each size, which is a power of two.
    static constexpr std::size_t smallest_large = 512, largest = 8192;
    static constexpr unsigned most_large = 16;
    spare_list large[std::bit_width(largest / smallest_large)];
};

}  // namespace teff::openmp
