// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Range, spread and repeatability of the generator. The seeds fix the sequences, so the tests are deterministic.
#include <teff/base/random.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>

namespace {

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
