// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of ended tasks of any size is used again, and a thread keeps a bounded number of blocks.
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

using namespace teff::openmp;

// A task whose data is written, so that a sanitizer notices a block that is too small.
deferred_task& make_filled(place& caller, std::size_t size) {
    deferred_task& made = make_task(caller, size, alignof(deferred_task));
    std::memset(data_of(made, alignof(deferred_task)), 1, size);
    return made;
}

TEST(openmp_task_memory, a_block_is_used_again) {
    place& caller = this_place();
    for (std::size_t size = 0; size + sizeof(deferred_task) <= spare_blocks::largest; size += 120) {
        SCOPED_TRACE(size);
        deferred_task& first = make_filled(caller, size);
        free_task(caller, first);
        deferred_task& second = make_filled(caller, size);
        EXPECT_EQ(&first, &second);
        EXPECT_EQ(second.flags, 0U);
        free_task(caller, second);
    }
    free_spare_blocks();
}

TEST(openmp_task_memory, a_larger_task_does_not_get_a_smaller_block) {
    place& caller = this_place();
    for (std::size_t size = 16; size < 2 * spare_blocks::largest; size *= 2)
        free_task(caller, make_filled(caller, size));
    for (std::size_t size = 16; size < 2 * spare_blocks::largest; size += 1)
        free_task(caller, make_filled(caller, size));
    free_spare_blocks();
}

TEST(openmp_task_memory, a_thread_keeps_a_bounded_number_of_large_blocks) {
    place& caller = this_place();
    std::vector<deferred_task*> all;
    for (unsigned i = 0; i != 2 * spare_blocks::most_large; ++i)
        all.push_back(&make_filled(caller, 1000));
    for (deferred_task* const each : all)
        free_task(caller, *each);
    unsigned kept = 0;
    for (const spare_list& each : own_spare_blocks.large)
        kept += each.count;
    EXPECT_EQ(kept, spare_blocks::most_large);
    free_spare_blocks();
    for (const spare_list& each : own_spare_blocks.large)
        EXPECT_EQ(each.first, nullptr);
}

}  // namespace
