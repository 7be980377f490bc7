// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where payloads lie, when the pool gathers and when it grows, and how large it becomes. These tests use one thread;
// tests with several threads are in tests/model and tests/stress.
// Which memory a task of a given size gets, and where this memory is returned to.
#include <teff/task/descriptor_pool.hpp>

#include <teff/base/light_standard.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace {

using teff::descriptor_pool;
using teff::task_descriptor;

class descriptor_pool_test : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(pool.open(sizeof(int), alignof(int))); }
    void TearDown() override { pool.check_invariants(); }

    task_descriptor& take() {
        task_descriptor* const taken = pool.take();
        EXPECT_NE(taken, nullptr);
        return *taken;
    }
    std::vector<task_descriptor*> take_many(std::size_t count) {
        std::vector<task_descriptor*> taken;
        while (taken.size() < count)
            taken.push_back(&take());
        return taken;
    }

    descriptor_pool pool;
};

TEST(descriptor_pool, payloads_are_aligned_and_do_not_overlap) {
    for (const std::size_t alignment : {1U, 8U, 64U, 256U, 4096U})
        for (const std::size_t size : {1U, 16U, 40U, 1000U}) {
            SCOPED_TRACE(testing::Message() << size << " bytes, aligned to " << alignment);
            descriptor_pool pool;
            EXPECT_FALSE(pool.is_open());
            ASSERT_TRUE(pool.open(size, alignment));
            EXPECT_TRUE(pool.is_open());
            constexpr std::size_t count = 3 * descriptor_pool::first_size;
            for (std::size_t i = 0; i < count; ++i) {
                task_descriptor* const made = pool.take();
                ASSERT_NE(made, nullptr);
                void* const payload = made->payload(alignment);
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(payload) % alignment, 0U);
                std::memset(payload, 0xFF, size);
            }
            EXPECT_EQ(pool.pending(), count);
            // The payloads have overwritten no descriptor.
            pool.check_invariants();
        }
}

TEST_F(descriptor_pool_test, no_descriptor_is_given_away_twice) {
    std::set<task_descriptor*> distinct;
    for (task_descriptor* const each : take_many(40 * descriptor_pool::first_size)) {
        EXPECT_EQ(each->owner, &pool);
        distinct.insert(each);
    }
    EXPECT_EQ(distinct.size(), 40 * descriptor_pool::first_size);
    EXPECT_EQ(pool.pending(), distinct.size());
}

TEST_F(descriptor_pool_test, what_the_owner_itself_returns_is_used_next) {
    task_descriptor& one = take();
    task_descriptor& two = take();
    EXPECT_EQ(pool.pending(), 2U);
    pool.put_back(one);
    EXPECT_EQ(&take(), &one);
    pool.put_back(two);
    pool.put_back(one);
    EXPECT_EQ(pool.pending(), 0U);
    for (int i = 0; i < 10'000; ++i)
        pool.put_back(take());
    EXPECT_EQ(pool.size(), descriptor_pool::first_size);
}

TEST_F(descriptor_pool_test, what_others_end_comes_back_when_it_is_looked_for) {
    const auto taken = take_many(3);
    descriptor_pool::finish(*taken[0]);
    descriptor_pool::finish(*taken[2]);
    EXPECT_EQ(pool.pending(), 3U);
    pool.gather();
    EXPECT_EQ(pool.pending(), 1U);
    pool.gather();
    EXPECT_EQ(pool.pending(), 1U) << "a descriptor came back twice";
    descriptor_pool::finish(*taken[1]);
    pool.gather_some();
    EXPECT_EQ(pool.pending(), 0U);
    pool.gather_some();
    pool.gather();
}

TEST_F(descriptor_pool_test, a_full_pool_gathers_before_it_grows) {
    const auto taken = take_many(descriptor_pool::first_size);
    descriptor_pool::finish(*taken[5]);
    EXPECT_EQ(&take(), taken[5]);
    EXPECT_EQ(pool.size(), descriptor_pool::first_size);
    // No descriptor has been returned: the pool doubles its size, and gathers again when it is used up again.
    static_cast<void>(take());
    EXPECT_EQ(pool.size(), 2 * descriptor_pool::first_size);
    for (task_descriptor* const each : taken)
        descriptor_pool::finish(*each);
    static_cast<void>(take_many(2 * descriptor_pool::first_size - 2));
    EXPECT_EQ(pool.size(), 2 * descriptor_pool::first_size);
}

// Each call looks at the same number of descriptors; repeated calls look at all of them.
TEST_F(descriptor_pool_test, some_are_looked_at_in_turn) {
    const auto taken = take_many(1000);
    for (task_descriptor* const each : taken)
        descriptor_pool::finish(*each);
    pool.gather_some();
    const std::size_t looked_at = 1000 - pool.pending();
    EXPECT_GE(looked_at, 1U);
    EXPECT_LE(looked_at, 16U);
    pool.gather();

    const auto more = take_many(1000);
    for (std::size_t which : {0U, 499U, 500U, 999U})
        descriptor_pool::finish(*more[which]);
    for (std::size_t looks = 0; looks < 1000; looks += looked_at)
        pool.gather_some();
    EXPECT_EQ(pool.pending(), 996U);
    pool.check_invariants();
}

// Tasks end in random order, on the owner or on another thread, while their number goes up and down. The pool stays
// below four times the largest number in use, whenever descriptors are returned.
TEST_F(descriptor_pool_test, the_pool_is_not_much_larger_than_what_was_in_use) {
    teff::random_generator random(1);
    std::vector<task_descriptor*> in_use;
    std::size_t most = 0;
    for (std::size_t round = 0; round < 200; ++round) {
        const std::size_t goal = random.below(random.below(4) == 0 ? 3000 : 100);
        for (std::size_t step = 0; step < 1000; ++step) {
            if (in_use.size() <= goal)
                in_use.push_back(&take());
            most = std::max(most, in_use.size());
            if (in_use.size() > goal || random.below(2) == 0) {
                const std::size_t which = random.below(static_cast<std::uint32_t>(in_use.size()));
                if (random.below(4) == 0)
                    pool.put_back(*in_use[which]);
                else
                    descriptor_pool::finish(*in_use[which]);
                in_use[which] = in_use.back();
                in_use.pop_back();
            }
            ASSERT_LT(pool.size(), std::max<std::size_t>(4 * most, descriptor_pool::first_size + 1));
        }
    }
}

// More than half of the descriptors stay in use, so the next walk is postponed and the pool grows. This is the worst
// case for its size.
TEST_F(descriptor_pool_test, the_worst_case_stays_below_four_times) {
    std::vector<task_descriptor*> in_use;
    for (int doublings = 0; doublings < 8; ++doublings) {
        const std::size_t before = pool.size();
        while (in_use.size() <= before / 2)
            in_use.push_back(&take());
        pool.gather();
        while (pool.size() == before)
            descriptor_pool::finish(take());
        EXPECT_EQ(pool.size(), 2 * before);
        EXPECT_LT(pool.size(), 4 * in_use.size());
    }
}

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
