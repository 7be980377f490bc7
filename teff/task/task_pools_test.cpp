// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a task of a given size gets, and where this memory is returned to.
#include <teff/task/task_pools.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using teff::task_descriptor;
using teff::task_pools;

constexpr std::size_t sizes[] = {0, 1, 8, 16, 40, 80, 200, 460, 470, 5000};
constexpr std::size_t alignments[] = {1, 8, 16, 64, 128, 4096};

TEST(task_pools, payloads_of_all_sizes_are_aligned_and_do_not_overlap) {
    task_pools pools;
    struct made {
        task_descriptor* header;
        std::size_t size, alignment;
    };
    std::vector<made> all;
    for (int round = 0; round < 3; ++round)
        for (const std::size_t size : sizes)
            for (const std::size_t alignment : alignments) {
                task_descriptor* const taken = pools.take(size, alignment);
                ASSERT_NE(taken, nullptr);
                void* const payload = taken->payload(alignment);
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(payload) % alignment, 0U) << size << ", " << alignment;
                std::memset(payload, static_cast<int>(all.size() % 256), size);
                all.push_back({taken, size, alignment});
            }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto* const bytes = static_cast<const unsigned char*>(all[i].header->payload(all[i].alignment));
        EXPECT_TRUE(std::all_of(bytes, bytes + all[i].size, [i](unsigned char byte) { return byte == i % 256; })) << i;
        EXPECT_EQ(all[i].header->state.load(std::memory_order_relaxed), 0U);
        task_pools::put_back(*all[i].header, all[i].size, all[i].alignment);
    }
    EXPECT_EQ(pools.pending(), 0U);
}

TEST(task_pools, what_the_owner_returns_is_used_next) {
    task_pools pools;
    task_descriptor* const first = pools.take(24, 8);
    EXPECT_EQ(pools.pending(), 1U);
    task_pools::finish(*first, &pools, 24, 8);
    EXPECT_EQ(pools.pending(), 0U);
    EXPECT_EQ(pools.take(24, 8), first);
    task_pools::put_back(*first, 24, 8);
}

TEST(task_pools, what_another_thread_ends_comes_back) {
    task_pools pools;
    task_pools others;
    task_descriptor* const own = others.take(24, 8);
    std::vector<task_descriptor*> taken;
    for (int i = 0; i < 100; ++i)
        taken.push_back(pools.take(24, 8));
    // Half are returned by a thread with pools of its own, half by a thread that has none.
    for (std::size_t i = 0; i < taken.size(); ++i)
        task_pools::finish(*taken[i], i % 2 == 0 ? &others : nullptr, 24, 8);
    EXPECT_EQ(pools.pending(), taken.size());
    EXPECT_EQ(others.pending(), 1U);
    for (int i = 0; i < 100; ++i)
        pools.gather_some();
    EXPECT_EQ(pools.pending(), 0U);
    task_descriptor* const again = pools.take(24, 8);
    EXPECT_NE(std::find(taken.begin(), taken.end(), again), taken.end());
    task_pools::put_back(*again, 24, 8);
    task_pools::put_back(*own, 24, 8);
}

TEST(task_pools, large_tasks_belong_to_no_pool) {
    task_pools pools;
    task_descriptor* const large = pools.take(5000, 8);
    EXPECT_EQ(large->owner, nullptr);
    EXPECT_EQ(pools.pending(), 0U);
    task_pools::finish(*large, nullptr, 5000, 8);
    task_descriptor* const aligned = pools.take(8, 4096);
    EXPECT_EQ(aligned->owner, nullptr);
    task_pools::finish(*aligned, &pools, 8, 4096);
}

}  // namespace
