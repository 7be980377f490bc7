// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behaviour that is specific to the scheduler blaze, step by step on one thread that plays all members. The tests of
// the scheduler contract are in tests/conformance.
#include <teff/scheduler/blaze.hpp>

#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

template <class T, class Reclaimer = teff::epoch_reclaimer>
struct team {
    using scheduler = teff::blaze_scheduler<T, Reclaimer>;

    explicit team(const teff::scheduler_settings& settings)
        : idle(outside, settings.slots - 1), blaze(settings, idle) {}

    teff::event_count outside;
    teff::idle_tracker idle;
    scheduler blaze;
};

template <class Local, class T>
bool push(Local& local, T item) {
    return local.try_push(std::move(item)) || local.push_slow(item);
}

// Claims an item and moves it out; the item counts as running until ran_one().
template <class Local>
auto start_one(Local& local) {
    auto* item = local.claim();
    if (item == nullptr)
        item = local.refill();
    using value = std::decay_t<decltype(*item)>;
    if (item == nullptr)
        return std::optional<value>();
    std::optional<value> running(std::move(*item));
    local.release(item);
    return running;
}

template <class Local>
auto run_one(Local& local) {
    auto ran = start_one(local);
    if (ran)
        local.ran_one();
    return ran;
}

TEST(blaze, the_oldest_item_comes_first) {
    team<int> t({.slots = 1, .block_size = 2});
    auto local = t.blaze.enter(0, 0);
    for (int i = 0; i < 9; ++i)
        ASSERT_TRUE(push(local, i));
    for (int i = 0; i < 9; ++i)
        EXPECT_EQ(run_one(local), i);
    EXPECT_EQ(run_one(local), std::nullopt);
    EXPECT_FALSE(t.blaze.finished());
    local.retire();
    EXPECT_TRUE(t.blaze.finished());
}

TEST(blaze, max_queued_refuses_and_overflow_does_not) {
    team<int> t({.slots = 1, .block_size = 2, .max_queued = 4});
    auto local = t.blaze.enter(0, 0);
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(push(local, i));
    EXPECT_FALSE(push(local, 4));
    int item = 4;
    local.push_overflow(item);
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(run_one(local), i);
    EXPECT_TRUE(push(local, 5));
    local.drop_all();
}

TEST(blaze, a_thief_keeps_half_of_the_block_in_its_own_queue) {
    team<int> t({.slots = 2, .block_size = 8});
    auto owner = t.blaze.enter(0, 0);
    auto thief = t.blaze.enter(1, 1);
    for (int i = 0; i < 8; ++i)
        ASSERT_TRUE(push(owner, i));
    ASSERT_TRUE(thief.steal());
    EXPECT_EQ(run_one(thief), 3) << "the last of the loot is run from where it was";
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(run_one(thief), i);
    EXPECT_EQ(run_one(thief), std::nullopt);
    thief.retire();
    for (int i = 4; i < 8; ++i)
        EXPECT_EQ(run_one(owner), i);
    EXPECT_FALSE(t.blaze.finished());
    EXPECT_EQ(run_one(owner), std::nullopt);
    owner.retire();
    EXPECT_TRUE(t.blaze.finished());
}

TEST(blaze, a_thief_takes_one_item_if_told_to) {
    team<int> t({.slots = 2, .steals_one = true, .block_size = 8});
    auto owner = t.blaze.enter(0, 0);
    auto thief = t.blaze.enter(1, 1);
    for (int i = 0; i < 8; ++i)
        ASSERT_TRUE(push(owner, i));
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(thief.steal());
        EXPECT_EQ(run_one(thief), i);
        EXPECT_EQ(run_one(thief), std::nullopt) << "nothing was put into the thief's own queue";
        thief.retire();
    }
    for (int i = 4; i < 8; ++i)
        EXPECT_EQ(run_one(owner), i);
    EXPECT_EQ(run_one(owner), std::nullopt);
    owner.retire();
    EXPECT_TRUE(t.blaze.finished());
}

TEST(blaze, what_a_thief_keeps_can_be_stolen_again) {
    team<int> t({.slots = 3, .block_size = 8});
    auto owner = t.blaze.enter(0, 0);
    auto thief = t.blaze.enter(1, 1);
    auto second = t.blaze.enter(2, 2);
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(push(owner, i));
    ASSERT_TRUE(thief.steal());
    EXPECT_EQ(start_one(thief), 1);
    while (run_one(owner)) {
    }
    owner.retire();
    ASSERT_TRUE(second.steal());
    EXPECT_EQ(run_one(second), 0);
    EXPECT_EQ(run_one(second), std::nullopt);
    second.retire();
    EXPECT_FALSE(t.blaze.finished());
    thief.ran_one();
    EXPECT_EQ(run_one(thief), std::nullopt);
    thief.retire();
    EXPECT_TRUE(t.blaze.finished());
}

// Its move never throws, but the compiler must assume that it may.
struct cautious {
    explicit cautious(int its_value) : value(its_value) {}
    cautious(cautious&& other) noexcept(false) : value(other.value) {}
    int value;
};

TEST(blaze, a_thief_takes_one_item_where_moves_may_throw) {
    team<cautious> t({.slots = 2, .block_size = 8});
    auto owner = t.blaze.enter(0, 0);
    auto thief = t.blaze.enter(1, 1);
    for (int i = 0; i < 8; ++i)
        ASSERT_TRUE(push(owner, cautious(i)));
    ASSERT_TRUE(thief.steal());
    EXPECT_EQ(run_one(thief)->value, 0);
    EXPECT_FALSE(run_one(thief));
    thief.retire();
    EXPECT_EQ(run_one(owner)->value, 1);
    owner.drop_all();
}

// The next move throws if `throws` is set.
struct brittle {
    explicit brittle(int its_value) : value(its_value) {}
    brittle(brittle&& other) : value(other.value) {
        if (std::exchange(throws, false))
            throw std::runtime_error("move");
    }
    int value;
    static inline bool throws = false;
};

TEST(blaze, a_stolen_item_whose_move_throws_is_reported) {
    for (const bool cancelled : {false, true}) {
        team<brittle> t({.slots = 2});
        auto owner = t.blaze.enter(0, 0);
        auto thief = t.blaze.enter(1, 1);
        ASSERT_TRUE(push(owner, brittle(1)));
        ASSERT_TRUE(thief.steal());
        EXPECT_FALSE(run_one(owner));
        owner.retire();
        brittle* const item = thief.refill();
        ASSERT_NE(item, nullptr);
        brittle::throws = true;
        EXPECT_THROW(brittle(std::move(*item)), std::runtime_error);
        thief.release(item);
        EXPECT_FALSE(t.blaze.finished());
        if (cancelled)
            t.blaze.cancel();
        EXPECT_FALSE(run_one(thief));
        EXPECT_TRUE(t.blaze.finished());
    }
}

TEST(blaze, the_end_waits_for_a_stolen_item_whose_owner_has_left) {
    team<int> t({.slots = 2});
    auto owner = t.blaze.enter(0, 0);
    auto thief = t.blaze.enter(1, 1);
    ASSERT_TRUE(push(owner, 1));
    ASSERT_TRUE(thief.steal());
    EXPECT_EQ(start_one(thief), 1);
    EXPECT_EQ(run_one(owner), std::nullopt);
    owner.retire();
    t.blaze.leave(owner);
    EXPECT_FALSE(t.blaze.finished());
    EXPECT_TRUE(push(thief, 2));
    thief.ran_one();
    EXPECT_FALSE(t.blaze.finished());
    EXPECT_EQ(run_one(thief), 2);
    EXPECT_EQ(run_one(thief), std::nullopt);
    thief.retire();
    EXPECT_TRUE(t.blaze.finished());
}

TEST(blaze, a_stolen_item_without_children_leaves_its_thief_inactive) {
    team<int> t({.slots = 2});
    auto owner = t.blaze.enter(0, 0);
    auto thief = t.blaze.enter(1, 1);
    ASSERT_TRUE(push(owner, 1));
    ASSERT_TRUE(thief.steal());
    EXPECT_EQ(start_one(thief), 1);
    EXPECT_EQ(run_one(owner), std::nullopt);
    owner.retire();
    thief.ran_one();
    EXPECT_TRUE(t.blaze.finished()) << "the report ends it, before the thief has looked for more";
    EXPECT_EQ(run_one(thief), std::nullopt);
    thief.retire();
    EXPECT_TRUE(t.blaze.finished());
}

TEST(blaze, victims_far_below_the_average_are_left_alone) {
    team<int> t({.slots = 3, .block_size = 2});
    auto rich = t.blaze.enter(0, 0);
    auto poor = t.blaze.enter(1, 1);
    auto thief = t.blaze.enter(2, 2);
    for (int i = 0; i < 1000; ++i)
        ASSERT_TRUE(push(rich, 1));
    ASSERT_TRUE(push(poor, 2));
    // The thief's first samples may be of `poor`; then the average rises far above what `poor` holds.
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(thief.steal());
        while (run_one(thief)) {
        }
        thief.retire();
        if (i == 10) {
            ASSERT_TRUE(push(poor, 2));
        }
    }
    EXPECT_EQ(run_one(poor), 2);
    for (auto* member : {&rich, &poor})
        member->drop_all();
}

// The same 64 items are few beside one rich victim, but not if most victims have none.
TEST(blaze, victims_without_items_count_in_the_average) {
    constexpr unsigned empty = 12;
    for (const unsigned last : {2U, 2U + empty}) {
        team<int> t({.slots = last + 1, .visits_in_turn = true, .steals_one = true, .block_size = 2});
        auto thief = t.blaze.enter(0, 0);
        auto rich = t.blaze.enter(1, 1);
        auto poor = t.blaze.enter(last, last);
        for (int i = 0; i < 1000; ++i)
            ASSERT_TRUE(push(rich, 1));
        for (int i = 0; i < 64; ++i)
            ASSERT_TRUE(push(poor, 2));
        EXPECT_EQ(run_one(thief), std::nullopt);
        thief.retire();
        int from_poor = 0;
        for (int i = 0; i < 100; ++i) {
            ASSERT_TRUE(thief.steal());
            from_poor += i >= 50 && run_one(thief) == 2 ? 1 : 0;
            while (run_one(thief)) {
            }
            thief.retire();
        }
        if (last == 2)
            EXPECT_EQ(from_poor, 0);
        else
            EXPECT_EQ(from_poor, 25);
        for (auto* member : {&rich, &poor})
            member->drop_all();
    }
}

// Thieves and the owner take from one queue until a thief has lost an attempt. Whether one ever does is chance, so this
// gives up after a while.
TEST(blaze, attempts_that_other_threads_win_are_counted) {
    constexpr unsigned thieves = 3;
    team<int> t({.slots = thieves + 1, .steals_one = true});
    auto owner = t.blaze.enter(0, 0);
    ASSERT_TRUE(push(owner, 1));
    std::atomic<bool> is_counted{false};
    std::vector<std::thread> threads;
    for (unsigned slot = 1; slot <= thieves; ++slot) {
        threads.emplace_back([&, slot] {
            auto thief = t.blaze.enter(slot, slot);
            while (!is_counted) {
                if (!thief.steal())
                    std::this_thread::yield();
                while (run_one(thief)) {
                }
                thief.retire();
                is_counted = is_counted || thief.counted().steals_contended != 0;
            }
            t.blaze.leave(thief);
        });
    }
    constexpr int most_rounds = 200'000;
    int round = 0;
    for (; !is_counted && round < most_rounds; ++round) {
        for (int i = 0; i < 100; ++i)
            push(owner, i);
        while (run_one(owner)) {
        }
    }
    is_counted = true;
    for (std::thread& each : threads)
        each.join();
    EXPECT_EQ(owner.counted().steals_contended, 0U) << "only a thief's attempts count";
    owner.drop_all();
    if (round == most_rounds)
        GTEST_SKIP() << "no attempt was lost";
}

// A reclaimer that has no more memory after `blocks_left` blocks. The count is static: use it for one scheduler at a
// time.
struct refuses_one_allocation : teff::arena_reclaimer {
    using arena_reclaimer::arena_reclaimer;
    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept {
        return blocks_left-- == 0 ? nullptr : arena_reclaimer::allocate(participant, bytes, alignment);
    }
    static inline std::size_t blocks_left = 0;
};

TEST(blaze, without_memory_a_push_is_refused_and_overflow_throws) {
    refuses_one_allocation::blocks_left = 0;
    team<int, refuses_one_allocation> t({.slots = 1, .block_size = 2});
    auto local = t.blaze.enter(0, 0);
    EXPECT_FALSE(push(local, 1));
    refuses_one_allocation::blocks_left = 0;
    int item = 1;
    EXPECT_THROW(local.push_overflow(item), std::bad_alloc);
    EXPECT_EQ(run_one(local), std::nullopt);
    local.retire();
    EXPECT_TRUE(t.blaze.finished());
}

TEST(blaze, without_memory_a_thief_runs_its_loot_from_the_victims_block) {
    for (std::size_t blocks = 0; blocks <= 2; ++blocks) {
        refuses_one_allocation::blocks_left = 8;
        team<int, refuses_one_allocation> t({.slots = 2, .block_size = 16});
        auto owner = t.blaze.enter(0, 0);
        auto thief = t.blaze.enter(1, 1);
        for (int i = 0; i < 16; ++i)
            ASSERT_TRUE(push(owner, i));
        refuses_one_allocation::blocks_left = blocks;
        std::vector<bool> seen(16, false);
        ASSERT_TRUE(thief.steal());
        for (auto ran = run_one(thief); ran; ran = run_one(thief)) {
            ASSERT_FALSE(seen[static_cast<std::size_t>(*ran)]);
            seen[static_cast<std::size_t>(*ran)] = true;
        }
        thief.retire();
        for (auto ran = run_one(owner); ran; ran = run_one(owner)) {
            ASSERT_FALSE(seen[static_cast<std::size_t>(*ran)]);
            seen[static_cast<std::size_t>(*ran)] = true;
        }
        EXPECT_FALSE(t.blaze.finished());
        owner.retire();
        EXPECT_TRUE(t.blaze.finished());
        EXPECT_EQ(seen, std::vector<bool>(16, true));
    }
}

}  // namespace
