// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exclusion, nesting and its owners, sleeping and waking, with more threads than CPUs too.
#include <teff/frontends/openmp/core/synchronization/lock.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using teff::openmp::lock;
using teff::openmp::lock_scope;
using teff::openmp::nest_lock;

template <class Body>
void on_threads(unsigned threads, Body body) {
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i)
        all.emplace_back([&body, i] { body(i); });
    for (std::thread& each : all)
        each.join();
}

TEST(openmp_lock, is_held_by_one_at_a_time_and_free_afterwards) {
    lock one;
    ASSERT_TRUE(one.try_acquire());
    EXPECT_FALSE(one.try_acquire());
    EXPECT_TRUE(one.release());
    EXPECT_TRUE(one.try_acquire());
}

TEST(openmp_lock, notices_that_a_free_one_is_released) {
    lock one;
    EXPECT_FALSE(one.release());
    nest_lock nested;
    EXPECT_FALSE(nested.release());
    EXPECT_EQ(nested.try_acquire(7), 1U);
    EXPECT_TRUE(nested.release());
    EXPECT_FALSE(nested.release());
}

// The counter is not atomic: without exclusion, increments are lost.
TEST(openmp_lock, excludes_threads) {
    for (const unsigned threads : {2U, 16U}) {
        constexpr unsigned rounds = 20'000;
        lock one;
        unsigned long counter = 0;
        on_threads(threads, [&](unsigned) {
            for (unsigned round = 0; round < rounds; ++round) {
                const lock_scope held(one);
                ++counter;
            }
        });
        EXPECT_EQ(counter, 1UL * threads * rounds);
    }
}

// The owner keeps the lock until another thread has announced in the word that it sleeps. Each sleeper must be woken.
TEST(openmp_lock, wakes_the_threads_that_sleep_on_it) {
    constexpr unsigned threads = 4, rounds = 200;
    lock one;
    const auto has_sleepers = [&one] {
        std::uint32_t word;
        __atomic_load(reinterpret_cast<std::uint32_t*>(&one), &word, __ATOMIC_RELAXED);
        return word > nest_lock::largest_owner;
    };
    std::atomic<unsigned> left{threads * rounds};
    on_threads(threads, [&](unsigned) {
        for (unsigned round = 0; round < rounds; ++round) {
            const lock_scope held(one);
            // At the end only one thread may be left, which then never sleeps.
            if (--left >= rounds)
                while (!has_sleepers())
                    std::this_thread::yield();
        }
    });
    EXPECT_EQ(left.load(), 0U);
    EXPECT_TRUE(one.try_acquire());
}

TEST(openmp_nest_lock, counts_the_acquisitions_of_its_owner) {
    nest_lock nested;
    EXPECT_EQ(nested.try_acquire(5), 1U);
    nested.acquire(5);
    EXPECT_EQ(nested.try_acquire(5), 3U);
    EXPECT_EQ(nested.try_acquire(6), 0U);
    EXPECT_TRUE(nested.release());
    EXPECT_TRUE(nested.release());
    EXPECT_EQ(nested.try_acquire(6), 0U);
    EXPECT_TRUE(nested.release());
    EXPECT_EQ(nested.try_acquire(6), 1U);
}

TEST(openmp_nest_lock, excludes_owners_at_every_depth) {
    constexpr unsigned threads = 8, rounds = 2'000, depth = 3;
    nest_lock nested;
    unsigned long counter = 0;
    on_threads(threads, [&](unsigned number) {
        const std::uint32_t owner = nest_lock::largest_owner - number;
        for (unsigned round = 0; round < rounds; ++round) {
            for (unsigned level = 0; level < depth; ++level) {
                nested.acquire(owner);
                ++counter;
            }
            for (unsigned level = 0; level < depth; ++level) {
                ++counter;
                EXPECT_TRUE(nested.release());
            }
        }
    });
    EXPECT_EQ(counter, 2UL * threads * rounds * depth);
    EXPECT_EQ(nested.try_acquire(1), 1U);
}

// As compilers use the memory: zeroed memory is a free critical section, and an unset lock owns no memory.
TEST(openmp_lock, lives_in_the_memory_of_a_critical_section) {
    alignas(8) static std::byte of_clang[32];
    static void* of_gcc;
    for (void* memory : {static_cast<void*>(of_clang), static_cast<void*>(&of_gcc)}) {
        lock& critical = teff::openmp::critical_in(memory);
        EXPECT_TRUE(critical.try_acquire());
        EXPECT_FALSE(critical.try_acquire());
        EXPECT_TRUE(critical.release());
    }
    EXPECT_EQ(of_gcc, nullptr);
}

TEST(openmp_lock, those_of_the_process_are_two) {
    const lock_scope critical(teff::openmp::unnamed_critical);
    EXPECT_FALSE(teff::openmp::unnamed_critical.try_acquire());
    EXPECT_TRUE(teff::openmp::atomic_lock.try_acquire());
    EXPECT_TRUE(teff::openmp::atomic_lock.release());
}

}  // namespace
