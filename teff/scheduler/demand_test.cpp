// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behaviour that is specific to the scheduler `demand`: when items become visible, and how many. The tests of the
// scheduler contract are in tests/conformance.
#include <teff/scheduler/demand.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using team_of_int = teff::demand_scheduler<int>;
using cursor = team_of_int::local;

class demand : public testing::Test {
protected:
    void start(teff::scheduler_settings settings) {
        team_.emplace(settings, idle_);
        owner_.emplace(team_->enter(0, 0));
    }
    bool push(int value) { return owner_->try_push(value) || owner_->push_slow(value); }
    void push_many(int count) {
        for (int i = 0; i < count; ++i)
            ASSERT_TRUE(push(i));
    }
    static int take(cursor& self) {
        int* item = self.claim();
        if (item == nullptr)
            item = self.refill();
        if (item == nullptr)
            return -1;
        const int value = *item;
        self.release(item);
        self.ran_one();
        return value;
    }

    teff::event_count outside_;
    teff::idle_tracker idle_{outside_, 0};
    std::optional<team_of_int> team_;
    std::optional<cursor> owner_;
};

TEST_F(demand, alone_it_shows_nothing_and_runs_the_newest_first) {
    start({.slots = 1});
    push_many(500);
    team_->request();
    push_many(500);
    EXPECT_EQ(team_->queued_estimate(), 0U);
    EXPECT_FALSE(team_->has_visible_work());
    for (int round = 0; round < 2; ++round)
        for (int i = 500; i-- > 0;)
            ASSERT_EQ(take(*owner_), i);
    EXPECT_EQ(take(*owner_), -1);
}

TEST_F(demand, keeps_half_of_its_items_when_no_worker_is_idle) {
    start({.slots = 2});
    push_many(200);
    EXPECT_LE(team_->queued_estimate(), 100U);
}

TEST_F(demand, exposes_all_to_idle_workers) {
    start({.slots = 2});
    idle_.members().begin_search();
    push_many(1);
    EXPECT_EQ(team_->queued_estimate(), 1U);
    idle_.members().end_search();
}

TEST_F(demand, keeps_the_item_that_it_takes_next_from_idle_workers) {
    start({.slots = 2});
    idle_.members().begin_search();
    push_many(1);
    ASSERT_EQ(take(*owner_), 0);
    for (int value = 1; value < 4; ++value) {
        team_->request();
        EXPECT_FALSE(owner_->place(value));
        EXPECT_EQ(owner_->after_place_next(), nullptr);
        EXPECT_EQ(team_->queued_estimate(), 0U);
        EXPECT_EQ(take(*owner_), value);
    }
    // Older items are shown.
    idle_.members().end_search();
    push_many(1);
    idle_.members().begin_search();
    team_->request();
    EXPECT_FALSE(owner_->place(4));
    EXPECT_EQ(owner_->after_place_next(), nullptr);
    EXPECT_EQ(team_->queued_estimate(), 1U);
    EXPECT_EQ(take(*owner_), 4);
    EXPECT_EQ(take(*owner_), 0);
    idle_.members().end_search();
}

TEST_F(demand, a_claim_answers_a_request_but_keeps_what_it_runs_next) {
    start({.slots = 2});
    push_many(10);
    auto thief = team_->enter(1, 1);
    while (thief.steal())
        while (take(thief) != -1) {
        }
    idle_.members().begin_search();
    team_->request();
    EXPECT_EQ(take(*owner_), 9);
    EXPECT_GT(team_->queued_estimate(), 0U);
    EXPECT_TRUE(thief.steal());
    EXPECT_GE(take(thief), 0);
    idle_.members().end_search();
}

TEST_F(demand, a_thief_takes_its_share_of_the_oldest) {
    start({.slots = 3});
    for (int i = 0; i < 3; ++i)
        idle_.members().begin_search();
    push_many(1);
    for (int value = 100; value < 108; ++value)
        ASSERT_TRUE(push(value));
    auto thief = team_->enter(1, 1);
    ASSERT_TRUE(thief.steal());
    EXPECT_EQ(take(thief), 0);
    for (int i = 0; i < 3; ++i)
        idle_.members().end_search();
}

TEST_F(demand, refuses_at_its_bound_and_takes_more_only_as_an_overflow) {
    start({.slots = 1, .private_items = 5});
    push_many(5);
    int value = 5;
    EXPECT_FALSE(push(value));
    owner_->push_overflow(value);
    value = 6;
    EXPECT_FALSE(push(value));
    owner_->push_overflow(value);
    for (int i = 7; i-- > 0;)
        EXPECT_EQ(take(*owner_), i);
    EXPECT_TRUE(push(0));
}

// A push that is refused has taken nothing from the caller.
TEST_F(demand, a_refused_item_stays_with_the_caller) {
    using moved = std::unique_ptr<int>;
    teff::demand_scheduler<moved> team({.slots = 1, .private_items = 2}, idle_);
    auto owner = team.enter(0, 0);
    for (int value = 0; value < 2; ++value)
        ASSERT_TRUE(owner.try_push(std::make_unique<int>(value)));
    moved refused = std::make_unique<int>(2);
    EXPECT_FALSE(owner.try_push(std::move(refused)));
    ASSERT_NE(refused, nullptr);
    EXPECT_EQ(*refused, 2);
    EXPECT_FALSE(owner.push_slow(refused));
    ASSERT_NE(refused, nullptr);
    EXPECT_FALSE(owner.place(std::move(refused)));
    moved* const claimed = owner.after_place();
    ASSERT_NE(claimed, nullptr);
    EXPECT_EQ(**claimed, 2);
    owner.release(claimed);
    owner.drop_all();
}

// The owner of the items does nothing meanwhile.
TEST_F(demand, a_thief_that_gets_no_answer_uses_force) {
    if (!teff::heavy_fence())
        GTEST_SKIP() << "the kernel does not allow membarrier";
    start({.slots = 2});
    push_many(10);
    auto thief = team_->enter(1, 1);
    std::vector<bool> taken(10);
    while (std::count(taken.begin(), taken.end(), true) != 10) {
        if (!thief.steal())
            continue;
        for (int value = take(thief); value != -1; value = take(thief)) {
            EXPECT_FALSE(taken[static_cast<std::size_t>(value)]);
            taken[static_cast<std::size_t>(value)] = true;
        }
        thief.retire();
    }
    EXPECT_EQ(take(*owner_), -1);
}

TEST_F(demand, a_member_that_is_about_to_sleep_sees_hidden_items) {
    if (!teff::heavy_fence())
        GTEST_SKIP() << "the kernel does not allow membarrier";
    start({.slots = 2});
    EXPECT_FALSE(team_->has_work_for(1));
    push_many(3);
    auto thief = team_->enter(1, 1);
    while (team_->has_visible_work() && thief.steal()) {
        while (take(thief) != -1) {
        }
        thief.retire();
    }
    EXPECT_GT(team_->hidden_estimate(), 0U);
    EXPECT_TRUE(team_->has_work_for(1));
}

TEST_F(demand, with_nothing_to_show_a_request_waits_for_the_next_push) {
    start({.slots = 2});
    push_many(10);
    while (take(*owner_) != -1) {
    }
    idle_.members().begin_search();
    team_->request();
    owner_->show();
    EXPECT_TRUE(owner_->show_all());
    EXPECT_EQ(team_->queued_estimate(), 0U);
    push_many(1);
    EXPECT_EQ(team_->queued_estimate(), 1U);
    idle_.members().end_search();
}

TEST_F(demand, takes_its_own_visible_items_back_before_it_retires) {
    start({.slots = 2});
    push_many(50);
    ASSERT_GT(team_->queued_estimate(), 0U);
    int taken = 0;
    while (take(*owner_) != -1)
        ++taken;
    EXPECT_EQ(taken, 50);
    EXPECT_FALSE(team_->finished());
    owner_->retire();
    EXPECT_TRUE(team_->finished());
}

TEST_F(demand, the_end_calls_a_sleeping_member) {
    start({.slots = 2});
    idle_.members().begin_search();
    const std::uint32_t ticket = idle_.members().prepare_sleep();
    EXPECT_EQ(take(*owner_), -1);
    owner_->retire();
    EXPECT_TRUE(idle_.members().sleep(ticket));
}

}  // namespace
