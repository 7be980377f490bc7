// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// consumer_token, member_registry and work_advertisement, step by step on one thread; the interleavings are in
// tests/model/membership_scenarios.cpp.
#include <teff/scheduler/dealing_team.hpp>
#include <teff/scheduler/member_registry.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace {

constexpr auto everybody = [](unsigned) { return true; };

TEST(consumer_token, has_one_holder_at_a_time) {
    teff::consumer_token token;
    EXPECT_TRUE(token.is_vacant());
    EXPECT_TRUE(token.try_visit());
    EXPECT_FALSE(token.is_vacant());
    EXPECT_FALSE(token.is_attended());
    EXPECT_FALSE(token.try_visit());
    token.end_visit();
    token.enter();
    EXPECT_TRUE(token.is_attended());
    EXPECT_FALSE(token.is_vacant());
    EXPECT_FALSE(token.try_visit());
    token.leave();
    EXPECT_TRUE(token.try_visit());
    token.end_visit();
    EXPECT_TRUE(token.is_vacant());
}

class member_registry : public testing::Test {
protected:
    member_registry() { mine_.make_room(all_); }
    void enter(unsigned slot) {
        all_[slot].enter();
        all_.admit(slot);
    }
    std::vector<unsigned> next(unsigned count, bool and_vacant = false) {
        std::vector<unsigned> order;
        while (count-- != 0)
            order.push_back(mine_.next(all_, and_vacant, everybody));
        return order;
    }
    std::set<unsigned> round(unsigned size, bool and_vacant = false) {
        const std::vector<unsigned> order = next(size, and_vacant);
        return {order.begin(), order.end()};
    }

    teff::member_registry all_{5};
    teff::member_registry::round_robin mine_;
};

TEST_F(member_registry, has_no_members_at_first) {
    EXPECT_EQ(all_.used(), 0U);
    constexpr unsigned nobody = teff::member_registry::round_robin::nobody;
    EXPECT_EQ(next(2), (std::vector<unsigned>{nobody, nobody}));
}

TEST_F(member_registry, visits_the_joined_members_round_robin) {
    for (const unsigned slot : {3U, 0U, 1U})
        enter(slot);
    EXPECT_EQ(all_.used(), 4U);
    EXPECT_EQ(round(3), (std::set<unsigned>{0, 1, 3}));
    const std::vector<unsigned> order = next(6);
    EXPECT_EQ(std::vector(order.begin(), order.begin() + 3), std::vector(order.begin() + 3, order.end()));
}

TEST_F(member_registry, follows_members_that_join_and_leave) {
    enter(0);
    enter(1);
    EXPECT_EQ(round(2), (std::set<unsigned>{0, 1}));
    enter(4);
    EXPECT_EQ(round(3), (std::set<unsigned>{0, 1, 4}));
    all_.leave(1);
    EXPECT_EQ(round(4), (std::set<unsigned>{0, 4}));
    all_.leave(0);
    EXPECT_EQ(next(3), (std::vector<unsigned>{4, 4, 4}));
    enter(1);
    EXPECT_EQ(round(4), (std::set<unsigned>{1, 4}));
}

TEST_F(member_registry, visits_vacant_slots_on_request) {
    for (const unsigned slot : {0U, 1U, 2U, 3U})
        enter(slot);
    all_.leave(0);
    all_.leave(2);
    EXPECT_EQ(round(4, true), (std::set<unsigned>{0, 1, 2, 3}));
    EXPECT_EQ(round(4), (std::set<unsigned>{1, 3}));
    // A slot that is visited is not attended.
    ASSERT_TRUE(all_[2].try_visit());
    EXPECT_EQ(round(4), (std::set<unsigned>{1, 3}));
    EXPECT_EQ(round(4, true), (std::set<unsigned>{0, 1, 2, 3}));
    all_[2].end_visit();
}

TEST_F(member_registry, lists_slots_that_are_expected) {
    all_.expect(3);
    enter(0);
    EXPECT_EQ(all_.used(), 3U);
    EXPECT_EQ(next(2), (std::vector<unsigned>{0, 0}));
    EXPECT_EQ(round(3, true), (std::set<unsigned>{0, 1, 2}));
}

TEST_F(member_registry, leaves_out_members_out_of_reach) {
    for (const unsigned slot : {0U, 1U, 2U, 3U})
        enter(slot);
    all_.leave(1);
    const auto odd = [](unsigned slot) { return slot % 2 == 1; };
    EXPECT_EQ(mine_.next(all_, false, odd), 3U);
    EXPECT_EQ(mine_.next(all_, false, odd), 3U);
    EXPECT_EQ(mine_.next(all_, true, odd), 1U);
    EXPECT_EQ(mine_.next(all_, true, odd), 3U);
}

TEST(work_advertisement, is_set_from_advertise_to_withdraw) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    teff::work_advertisement advertisement;
    EXPECT_FALSE(advertisement.is_set());
    advertisement.advertise(idle);
    advertisement.advertise(idle);
    EXPECT_TRUE(advertisement.is_set());
    advertisement.withdraw();
    EXPECT_FALSE(advertisement.is_set());
    advertisement.withdraw();
    EXPECT_FALSE(advertisement.is_set());
}

// Sleeps in these tests have this time-out. A thread that was notified before it sleeps does not sleep at all.
constexpr std::int64_t no_time_ns = 1;

TEST(work_advertisement, calls_a_sleeper_inside_or_outside) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    teff::work_advertisement advertisement;
    for (teff::event_count* const where : {&outside, &idle.members()}) {
        where->begin_search();
        const std::uint32_t ticket = where->prepare_sleep();
        advertisement.advertise(idle);
        EXPECT_TRUE(where->sleep(ticket, no_time_ns));
        where->end_search();
    }
}

TEST(work_advertisement, wakes_none_while_a_member_searches) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    teff::work_advertisement advertisement;
    outside.begin_search();
    outside.begin_search();
    const std::uint32_t ticket = outside.prepare_sleep();
    advertisement.advertise(idle);
    EXPECT_TRUE(advertisement.is_set());
    EXPECT_FALSE(outside.sleep(ticket, no_time_ns));
}

}  // namespace
