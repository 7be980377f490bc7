// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives out the numbers, in blocks that belong to one thread.
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/tasks/task_number.hpp>

namespace teff::openmp {
namespace {

constexpr std::uint32_t numbers_per_block = 1024;

constinit atomic<std::uint32_t> blocks_taken{0};
constinit thread_local std::uint32_t next = 0;  // a multiple of numbers_per_block: the block is used up

}  // namespace

std::uint32_t new_task_number() noexcept {
    if (next % numbers_per_block == 0) {
        // relaxed: only the number matters.
        next = blocks_taken.fetch_add(1, std::memory_order_relaxed) * numbers_per_block & owned_word::largest_owner;
        // 0 is the owner of a free lock.
        if (next == 0)
            ++next;
    }
    return next++;
}

}  // namespace teff::openmp
