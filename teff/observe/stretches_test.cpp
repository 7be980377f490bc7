// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of stretches.hpp: what is kept, what becomes part of another stretch, and that the sums stay exact.
#include <teff/observe/stretches.hpp>

#include <gtest/gtest.h>

#include <random>

namespace teff {
namespace {

using small = stretches<8>;

TEST(stretches, a_stretch_ends_where_the_next_begins) {
    small done(100);
    EXPECT_EQ(done.now(), activity::outside);
    done.begin(110, activity::work);
    done.begin(150, activity::work);
    done.begin(180, activity::search);
    ASSERT_EQ(done.size(), 3U);
    EXPECT_EQ(done[0].begin_ns, 100);
    EXPECT_EQ(done[1].begin_ns, 110);
    EXPECT_EQ(done[1].what, activity::work);
    EXPECT_EQ(done[2].begin_ns, 180);
    EXPECT_EQ(done.now(), activity::search);
    EXPECT_EQ(done.sum(activity::outside, 200), 10);
    EXPECT_EQ(done.sum(activity::work, 200), 70);
    EXPECT_EQ(done.sum(activity::search, 200), 20);
    EXPECT_EQ(done.sum(activity::search, 170), 0);
    EXPECT_EQ(done.sum(activity::sleep, 200), 0);
    EXPECT_EQ(done.merged(), 0U);
}

TEST(stretches, a_restart_keeps_what_is_done_now) {
    small done(0);
    done.begin(10, activity::work);
    done.begin(20, activity::sleep);
    done.restart(50);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].begin_ns, 50);
    EXPECT_EQ(done.now(), activity::sleep);
    EXPECT_EQ(done.sum(activity::work, 60), 0);
    EXPECT_EQ(done.sum(activity::sleep, 60), 10);
}

TEST(stretches, short_ones_go_when_the_memory_is_full) {
    small done(0);
    std::int64_t now = 0;
    // Long work between short searches.
    for (int i = 0; i < 20; ++i) {
        done.begin(now += 10, activity::work);
        done.begin(now += 5000, activity::search);
    }
    done.begin(now += 10, activity::work);
    EXPECT_LE(done.size(), 8U);
    EXPECT_EQ(done.merged_below_ns(), 1000);
    // All that was too short to be kept was a search, so one long stretch of work remains.
    ASSERT_EQ(done.size(), 2U);
    EXPECT_EQ(done[1].what, activity::work);
    EXPECT_EQ(done[1].begin_ns, 10);
    EXPECT_EQ(done.merged(), 20U);
    EXPECT_EQ(done.sum(activity::work, now + 7), 20 * 5000 + 7);
    EXPECT_EQ(done.sum(activity::search, now + 7), 20 * 10);
}

TEST(stretches, keep_the_outline_of_a_long_run) {
    small done(0);
    std::int64_t now = 0;
    done.begin(now, activity::work);
    for (int i = 0; i < 1000; ++i) {
        done.begin(now += 900, activity::search);
        done.begin(now += 900, activity::work);
    }
    const std::int64_t slept_from = now += 900;
    done.begin(now, activity::sleep);
    done.begin(now += 100'000, activity::work);
    bool found = false;
    for (std::size_t place = 0; place + 1 < done.size(); ++place)
        found = found || (done[place].what == activity::sleep && done[place].begin_ns == slept_from &&
                          done[place + 1].begin_ns == now);
    EXPECT_TRUE(found);
}

TEST(stretches, sums_are_exact_and_neighbours_differ) {
    std::mt19937 random(7);
    for (int run = 0; run < 200; ++run) {
        small done(0);
        std::array<std::int64_t, activity_count> expected{};
        auto what = activity::outside;
        std::int64_t now = 0;
        for (int i = 0; i < 300; ++i) {
            const std::int64_t length = random() % (random() % 2 == 0 ? 100 : 30'000);
            expected[static_cast<std::size_t>(what)] += length;
            now += length;
            what = static_cast<activity>(random() % activity_count);
            done.begin(now, what);
            ASSERT_EQ(done.now(), what);
            ASSERT_LE(done.size(), 8U);
            for (std::size_t place = 0; place + 1 < done.size(); ++place) {
                ASSERT_NE(done[place].what, done[place + 1].what);
                ASSERT_LE(done[place].begin_ns, done[place + 1].begin_ns);
            }
        }
        for (std::size_t each = 0; each < activity_count; ++each)
            ASSERT_EQ(done.sum(static_cast<activity>(each), now), expected[each]) << each;
    }
}

}  // namespace
}  // namespace teff
