// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attendance, roster and invitation, step by step on one thread; the interleavings are in
// tests/model/membership_scenarios.cpp.
#include <teff/scheduler/invitation.hpp>
#include <teff/scheduler/roster.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace {

constexpr auto everybody = [](unsigned) { return true; };

TEST(attendance, has_one_holder_at_a_time) {
    teff::attendance seat;
    EXPECT_TRUE(seat.is_vacant());
    EXPECT_TRUE(seat.try_visit());
    EXPECT_FALSE(seat.is_vacant());
    EXPECT_FALSE(seat.is_attended());
    EXPECT_FALSE(seat.try_visit());
    seat.end_visit();
    seat.enter();
    EXPECT_TRUE(seat.is_attended());
    EXPECT_FALSE(seat.is_vacant());
    EXPECT_FALSE(seat.try_visit());
    seat.leave();
    EXPECT_TRUE(seat.try_visit());
    seat.end_visit();
    EXPECT_TRUE(seat.is_vacant());
}

class roster : public testing::Test {
protected:
    roster() { mine_.make_room(all_); }
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

    teff::roster all_{5};
    teff::roster::turns mine_;
};

TEST_F(roster, nobody_is_there_at_first) {
    EXPECT_EQ(all_.used(), 0U);
    EXPECT_EQ(next(2), (std::vector<unsigned>{teff::roster::turns::nobody, teff::roster::turns::nobody}));
}

TEST_F(roster, goes_round_those_that_are_there) {
    for (const unsigned slot : {3U, 0U, 1U})
        enter(slot);
    EXPECT_EQ(all_.used(), 4U);
    EXPECT_EQ(round(3), (std::set<unsigned>{0, 1, 3}));
    const std::vector<unsigned> order = next(6);
    EXPECT_EQ(std::vector(order.begin(), order.begin() + 3), std::vector(order.begin() + 3, order.end()));
}

TEST_F(roster, follows_who_comes_and_goes) {
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

TEST_F(roster, goes_round_vacant_slots_on_request) {
    for (const unsigned slot : {0U, 1U, 2U, 3U})
        enter(slot);
    all_.leave(0);
    all_.leave(2);
    EXPECT_EQ(round(4, true), (std::set<unsigned>{0, 1, 2, 3}));
    EXPECT_EQ(round(4), (std::set<unsigned>{1, 3}));
    // A visitor is no member.
    ASSERT_TRUE(all_[2].try_visit());
    EXPECT_EQ(round(4), (std::set<unsigned>{1, 3}));
    EXPECT_EQ(round(4, true), (std::set<unsigned>{0, 1, 2, 3}));
    all_[2].end_visit();
}

TEST_F(roster, lists_slots_that_are_expected) {
    all_.expect(3);
    enter(0);
    EXPECT_EQ(all_.used(), 3U);
    EXPECT_EQ(next(2), (std::vector<unsigned>{0, 0}));
    EXPECT_EQ(round(3, true), (std::set<unsigned>{0, 1, 2}));
}

TEST_F(roster, leaves_out_whom_a_member_does_not_reach) {
    for (const unsigned slot : {0U, 1U, 2U, 3U})
        enter(slot);
    all_.leave(1);
    const auto odd = [](unsigned slot) { return slot % 2 == 1; };
    EXPECT_EQ(mine_.next(all_, false, odd), 3U);
    EXPECT_EQ(mine_.next(all_, false, odd), 3U);
    EXPECT_EQ(mine_.next(all_, true, odd), 1U);
    EXPECT_EQ(mine_.next(all_, true, odd), 3U);
}

TEST(invitation, is_open_from_the_first_that_extends_to_the_first_that_accepts) {
    teff::crowd outside;
    teff::hunger idle(outside, 1);
    teff::invitation open_door;
    EXPECT_FALSE(open_door.is_open());
    open_door.extend(idle);
    open_door.extend(idle);
    EXPECT_TRUE(open_door.is_open());
    open_door.accept();
    EXPECT_FALSE(open_door.is_open());
    open_door.accept();
    EXPECT_FALSE(open_door.is_open());
}

// Who was called before it sleeps does not sleep.
constexpr std::int64_t no_time_ns = 1;

TEST(invitation, calls_a_sleeper_inside_or_outside) {
    teff::crowd outside;
    teff::hunger idle(outside, 1);
    teff::invitation open_door;
    for (teff::crowd* const where : {&outside, &idle.inside()}) {
        where->begin_search();
        const std::uint32_t ticket = where->prepare_sleep();
        open_door.extend(idle);
        EXPECT_TRUE(where->sleep(ticket, no_time_ns));
        where->end_search();
    }
}

TEST(invitation, calls_nobody_while_somebody_searches) {
    teff::crowd outside;
    teff::hunger idle(outside, 1);
    teff::invitation open_door;
    outside.begin_search();
    outside.begin_search();
    const std::uint32_t ticket = outside.prepare_sleep();
    open_door.extend(idle);
    EXPECT_TRUE(open_door.is_open());
    EXPECT_FALSE(outside.sleep(ticket, no_time_ns));
}

}  // namespace
