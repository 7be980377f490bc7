// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads pass batches to each other. None is lost or has two owners, and its contents come with it.
#include <teff/frontends/openmp/core/teams/spare_exchange.hpp>

#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <tests/stress/operations.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace teff::openmp;

TEST(openmp_spare_exchange, passes_each_batch_to_one_thread) {
    constexpr unsigned threads = 4, of_each = 8;
    std::vector<deferred_task> batches(threads * of_each);
    std::vector<unsigned> passes(batches.size());  // by the owner, so that a second one is a race
    spare_exchange between;
    std::vector<std::vector<deferred_task*>> ends(threads);
    const auto index_of = [&](const deferred_task* batch) { return static_cast<std::size_t>(batch - batches.data()); };
    stress::on_threads(threads, [&](unsigned number) {
        std::vector<deferred_task*>& mine = ends[number];
        for (unsigned each = 0; each != of_each; ++each)
            mine.push_back(&batches[number * of_each + each]);
        for (std::uint64_t round = 0; round != stress::operations() / 10; ++round) {
            // More puts than takes at first, then the other way round, so that it is full and empty at times.
            if (!mine.empty() && round % 3 != (round / 1000) % 2 + 1) {
                ++passes[index_of(mine.back())];
                if (between.put(*mine.back()))
                    mine.pop_back();
            } else if (deferred_task* const taken = between.take()) {
                ++passes[index_of(taken)];
                mine.push_back(taken);
            }
        }
    });
    std::vector<unsigned> owners(batches.size());
    for (const auto& of_thread : ends)
        for (const deferred_task* const each : of_thread)
            ++owners[index_of(each)];
    while (const deferred_task* const each = between.take())
        ++owners[index_of(each)];
    for (const unsigned count : owners)
        EXPECT_EQ(count, 1U);
}

}  // namespace
