// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's list of spare blocks (task_memory.hpp).
#pragma once

namespace teff::openmp {

struct deferred_task;

// Trivially destructible; the blocks are freed by the thread's end (region.cpp).
struct spare_blocks {
    static constexpr unsigned most = 64;
    deferred_task* first = nullptr;
    unsigned count = 0;
};

}  // namespace teff::openmp
