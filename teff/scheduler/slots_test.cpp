// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Construction, alignment, and the count of the slots that were ever used.
#include <teff/scheduler/slots.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct alignas(256) record {
    static inline int alive = 0;
    record() { ++alive; }
    ~record() { --alive; }
    int value = 7;
};

TEST(slots, are_constructed_aligned_and_destroyed) {
    {
        teff::slots<record> all(5);
        EXPECT_EQ(all.size(), 5U);
        EXPECT_EQ(record::alive, 5);
        for (unsigned i = 0; i < all.size(); ++i) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&all[i]) % 256, 0U);
            EXPECT_EQ(all[i].value, 7);
        }
        all[3].value = 8;
        EXPECT_EQ(std::as_const(all)[3].value, 8);
    }
    EXPECT_EQ(record::alive, 0);
}

TEST(slots, used_is_one_more_than_the_highest_that_ever_was) {
    teff::slots<int> all(10);
    EXPECT_EQ(all.used(), 0U);
    all.use(2);
    EXPECT_EQ(all.used(), 3U);
    all.use(0);
    EXPECT_EQ(all.used(), 3U);
    all.use(9);
    EXPECT_EQ(all.used(), 10U);
}

TEST(slots, threads_may_use_slots_at_once) {
    constexpr unsigned count = 8;
    for (int round = 0; round < 50; ++round) {
        teff::slots<int> all(count);
        std::vector<std::thread> threads;
        for (unsigned slot = 0; slot < count; ++slot)
            threads.emplace_back([&all, slot] {
                all.use(slot);
                EXPECT_GT(all.used(), slot);
            });
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(all.used(), count);
    }
}

}  // namespace
