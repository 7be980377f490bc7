// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behaviour that is specific to the scheduler `demand`: when items become visible, and how many. The tests of the
// scheduler contract are in tests/conformance.
#include <teff/scheduler/demand.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace {

using scheduler = teff::demand_scheduler<int>;
using cursor = scheduler::local;

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
    std::optional<scheduler> team_;
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

TEST_F(demand, what_is_pushed_privately_is_shown_at_once_with_others) {
    start({.slots = 2, .private_items = 300});
    idle_.members().begin_search();
    for (int value = 0; value < 300; ++value)
        ASSERT_TRUE(owner_->push_private(value));
    int value = 300;
    EXPECT_FALSE(owner_->push_private(value));
    EXPECT_EQ(team_->queued_estimate(), 0U);
    owner_->show();
    EXPECT_EQ(owner_->visible(), teff::shared_part<int>::capacity);
    auto thief = team_->enter(1, 1);
    ASSERT_TRUE(thief.steal());
    EXPECT_LT(take(thief), static_cast<int>(teff::shared_part<int>::capacity));
    idle_.members().end_search();
}

// Also after the array has been reallocated, and before the next show().
TEST_F(demand, what_is_pushed_privately_is_the_owners_next) {
    start({.slots = 2});
    push_many(1);
    ASSERT_EQ(take(*owner_), 0);
    for (int value = 0; value < 5000; ++value)
        ASSERT_TRUE(owner_->push_private(value));
    for (int value = 5000; value-- > 0;)
        ASSERT_EQ(take(*owner_), value);
    EXPECT_EQ(take(*owner_), -1);
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
