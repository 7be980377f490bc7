// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each batch that was put is taken once, and a full exchange refuses batches; one thread.
#include <teff/frontends/openmp/core/teams/spare_exchange.hpp>

#include <teff/frontends/openmp/core/tasks/task_memory.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace {

using namespace teff::openmp;

TEST(openmp_spare_exchange, gives_each_batch_once_and_refuses_when_full) {
    std::vector<deferred_task> batches(spare_exchange::slots + 1);
    spare_exchange between;
    EXPECT_EQ(between.take(), nullptr);
    for (unsigned each = 0; each != spare_exchange::slots; ++each) {
        EXPECT_FALSE(between.is_full());
        EXPECT_TRUE(between.put(batches[each]));
    }
    EXPECT_TRUE(between.is_full());
    EXPECT_FALSE(between.put(batches.back()));
    std::set<deferred_task*> taken;
    while (deferred_task* const each = between.take())
        EXPECT_TRUE(taken.insert(each).second);
    EXPECT_EQ(taken.size(), spare_exchange::slots);
    EXPECT_FALSE(taken.contains(&batches.back()));
}

// One thread ends the tasks that another one makes.
TEST(openmp_spare_exchange, blocks_beyond_a_threads_bound_go_to_its_team) {
    place& caller = this_place();
    constexpr unsigned kept = spare_blocks::most;
    std::vector<deferred_task*> all;
    for (unsigned each = 0; each != kept + 1; ++each)
        all.push_back(&make_task(caller, 0, alignof(deferred_task)));
    for (deferred_task* const each : all)
        free_task(caller, *each);
    EXPECT_EQ(own_spare_blocks.usual.count, kept + 1 - spare_exchange::batch);

    // The next tasks have the same blocks, those of the exchange last.
    std::set<deferred_task*> again;
    for (unsigned each = 0; each != kept + 1; ++each)
        again.insert(&make_task(caller, 0, alignof(deferred_task)));
    EXPECT_EQ(again, std::set<deferred_task*>(all.begin(), all.end()));
    EXPECT_EQ(own_spare_blocks.usual.count, 0U);
    for (deferred_task* const each : again)
        free_task(caller, *each);
    free_spare_blocks();
    free_exchanged_blocks(*caller.in);
    EXPECT_EQ(caller.in->spares.take(), nullptr);
}

}  // namespace
