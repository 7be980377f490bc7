// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lives of runs of objects, also if a constructor throws in the middle; bounds of numbers; the generator's numbers and
// their spread.
#include <teff/base/light_standard.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
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

using teff::random_generator;

TEST(random, one_seed_gives_one_sequence) {
    random_generator one(7), same(7), other(8);
    bool differs = false;
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t value = one.next();
        EXPECT_EQ(value, same.next());
        differs = differs || value != other.next();
    }
    EXPECT_TRUE(differs);
}

TEST(random, no_seed_stands_still) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        random_generator generator(seed);
        std::set<std::uint64_t> values;
        for (int i = 0; i < 1000; ++i)
            values.insert(generator.next());
        EXPECT_EQ(values.size(), 1000U) << "seed " << seed;
    }
}

TEST(random, stays_below_the_bound_and_reaches_all_of_it) {
    for (const std::uint32_t bound : {1U, 2U, 3U, 7U, 64U}) {
        random_generator generator(bound);
        std::set<std::uint32_t> values;
        for (int i = 0; i < 2000; ++i) {
            const std::uint32_t value = generator.below(bound);
            ASSERT_LT(value, bound);
            values.insert(value);
        }
        EXPECT_EQ(values.size(), bound);
    }
    random_generator generator(1);
    for (int i = 0; i < 1000; ++i)
        ASSERT_LT(generator.below(0xFFFFFFFFU), 0xFFFFFFFFU);
}

// Workers with neighbouring numbers have neighbouring seeds: their first victims must be spread out.
TEST(random, neighbouring_seeds_start_differently) {
    constexpr std::uint32_t bound = 8;
    std::array<int, bound> first{};
    for (std::uint64_t seed = 1; seed <= 800; ++seed)
        ++first[random_generator(seed).below(bound)];
    for (const int each : first) {
        EXPECT_GT(each, 40);
        EXPECT_LT(each, 240);
    }
}

}  // namespace
