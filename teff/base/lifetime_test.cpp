// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lives of runs of objects, also if a constructor throws in the middle; bounds of numbers.
#include <teff/base/bounds.hpp>
#include <teff/base/lifetime.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>

namespace {

struct counted_life {
    static inline int alive = 0, made = 0, fails_at = -1;
    counted_life() {
        if (made == fails_at)
            throw std::runtime_error("made");
        ++made;
        ++alive;
    }
    ~counted_life() { --alive; }
    counted_life* operator&() = delete;
};

TEST(lifetime, of_a_run) {
    alignas(counted_life) std::byte memory[10 * sizeof(counted_life)];
    auto* const first = reinterpret_cast<counted_life*>(memory);
    counted_life::made = 0;
    teff::begin_lives(first, 10);
    EXPECT_EQ(counted_life::alive, 10);
    EXPECT_EQ(teff::address_of(*first), first);
    teff::end_life(first);
    teff::end_lives(first + 1, first + 10);
    EXPECT_EQ(counted_life::alive, 0);
}

TEST(lifetime, a_run_that_fails_in_the_middle_leaves_nothing) {
    alignas(counted_life) std::byte memory[10 * sizeof(counted_life)];
    counted_life::made = 0;
    counted_life::fails_at = 5;
    EXPECT_THROW(teff::begin_lives(reinterpret_cast<counted_life*>(memory), 10), std::runtime_error);
    EXPECT_EQ(counted_life::made, 5);
    EXPECT_EQ(counted_life::alive, 0);
}

TEST(bounds, of_numbers) {
    static_assert(teff::smaller(2, 3) == 2 && teff::larger(2, 3) == 3);
    static_assert(teff::within(5, 1, 3) == 3 && teff::within(0, 1, 3) == 1 && teff::within(2, 1, 3) == 2);
}

}  // namespace
