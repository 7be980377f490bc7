// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the order of the lanes and within a lane, and that refused nodes stay where they are. Concurrent threads are
// tested in tests/model and tests/stress.
#include <teff/queue/priority_lanes.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace {

struct node {
    teff::atomic<node*> next{nullptr};
    std::uint32_t priority = 0;
    int number = 0;
};

using lanes = teff::priority_lanes<node>;
using numbers = std::vector<int>;

constexpr int none = -1;

class priority_lanes_test : public ::testing::Test {
protected:
    priority_lanes_test() : nodes_(20) {}

    void put(int number, std::uint32_t priority = 0) {
        node& added = nodes_[static_cast<std::size_t>(number)];
        added.number = number;
        added.priority = priority;
        lanes_.put(added);
        EXPECT_EQ(lanes_.check_invariants(), nullptr);
    }
    void put_all(std::initializer_list<int> wanted, std::uint32_t priority = 0) {
        for (const int number : wanted)
            put(number, priority);
    }
    template <class Accepts>
    int take_if(Accepts&& accepts, std::uint64_t among = lanes::all_lanes) {
        const bool is_there = lanes_.has(among, accepts);
        const node* const taken = lanes_.take(among, accepts);
        EXPECT_EQ(taken != nullptr, is_there);
        EXPECT_EQ(lanes_.check_invariants(), nullptr);
        return taken == nullptr ? none : taken->number;
    }
    int take(std::uint64_t among = lanes::all_lanes) {
        return take_if([](const node&) { return true; }, among);
    }
    int take_number(int number) {
        return take_if([number](const node& offered) { return offered.number == number; });
    }
    numbers take_all() {
        numbers result;
        for (int taken = take(); taken != none; taken = take())
            result.push_back(taken);
        return result;
    }

    std::vector<node> nodes_;
    lanes lanes_;
};

TEST_F(priority_lanes_test, empty_lanes_have_nothing) {
    EXPECT_EQ(lanes_.lanes_in_use(), 0U);
    EXPECT_EQ(take(), none);
    EXPECT_EQ(lanes_.check_invariants(), nullptr);
}

TEST_F(priority_lanes_test, a_lane_is_first_in_first_out) {
    put_all({3, 1, 2});
    EXPECT_EQ(take_all(), (numbers{3, 1, 2}));
    put_all({2, 3});
    EXPECT_EQ(take(), 2);
    put_all({1, 2});
    EXPECT_EQ(take_all(), (numbers{3, 1, 2}));
}

TEST_F(priority_lanes_test, higher_lanes_go_first) {
    put(0, 0);
    put(1, 5);
    put(2, 1);
    put(3, 5);
    put(4, 62);
    EXPECT_EQ(take_all(), (numbers{4, 1, 3, 2, 0}));
}

TEST_F(priority_lanes_test, what_is_above_the_last_lane_is_in_it) {
    put(0, 1'000'000);
    put(1, lanes::lane_count - 1);
    put(2, lanes::lane_count);
    put(3, lanes::lane_count - 2);
    EXPECT_EQ(take_all(), (numbers{0, 1, 2, 3}));
}

TEST_F(priority_lanes_test, each_lane_in_use_has_a_bit) {
    put(0, 0);
    put(1, 3);
    put(2, 3);
    put(3, 4'000'000'000);
    EXPECT_EQ(lanes_.lanes_in_use(), std::uint64_t{1} << 63 | 16 | 2);
    EXPECT_EQ(take(), 3);
    EXPECT_EQ(take(), 1);
    EXPECT_EQ(lanes_.lanes_in_use(), 18U);
    EXPECT_EQ(take(), 2);
    EXPECT_EQ(lanes_.lanes_in_use(), 2U);
    EXPECT_EQ(take(), 0);
    EXPECT_EQ(lanes_.lanes_in_use(), 0U);
}

TEST_F(priority_lanes_test, other_lists_have_a_bit_that_is_no_lane) {
    lanes_.add_others();
    EXPECT_EQ(lanes_.lanes_in_use(), lanes::others);
    EXPECT_EQ(take(), none);
    put(0, 7);
    EXPECT_EQ(lanes_.lanes_in_use() & lanes::others, lanes::others);
    EXPECT_EQ(take(), 0);
    EXPECT_EQ(lanes_.lanes_in_use(), lanes::others);
    EXPECT_EQ(lanes_.check_invariants(), nullptr);
}

TEST_F(priority_lanes_test, a_taker_chooses_among_lanes) {
    put(0, 0);
    put(1, 2);
    EXPECT_EQ(take(lanes::all_lanes & ~lanes::urgent_lanes), 0);
    put(0, 0);
    EXPECT_EQ(take(lanes::urgent_lanes), 1);
    EXPECT_EQ(take(lanes::urgent_lanes), none);
    EXPECT_EQ(take(), 0);
}

TEST_F(priority_lanes_test, refused_nodes_keep_their_order) {
    for (const int gone : {0, 1, 2, 3}) {
        SCOPED_TRACE(gone);
        put_all({0, 1, 2, 3});
        EXPECT_EQ(take_number(gone), gone);
        put(4);
        numbers left = {0, 1, 2, 3, 4};
        left.erase(left.begin() + gone);
        EXPECT_EQ(take_all(), left);
    }
}

TEST_F(priority_lanes_test, a_refused_lane_leads_to_the_next) {
    put_all({0, 2}, 1);
    put_all({4, 1}, 0);
    const auto is_odd = [](const node& offered) { return offered.number % 2 != 0; };
    EXPECT_EQ(take_if(is_odd), 1);
    EXPECT_EQ(take_if(is_odd), none);
    EXPECT_EQ(take_all(), (numbers{0, 2, 4}));
}

TEST_F(priority_lanes_test, all_but_one_are_taken_out_of_the_middle) {
    put_all({0, 1, 2, 3, 4});
    for (const int gone : {2, 4, 1, 3})
        EXPECT_EQ(take_number(gone), gone);
    EXPECT_EQ(take_number(2), none);
    EXPECT_EQ(take_all(), (numbers{0}));
}

TEST_F(priority_lanes_test, takers_see_nodes_in_order_and_none_after_their_own) {
    put_all({0, 1}, 0);
    put_all({2, 3}, 7);
    numbers seen;
    EXPECT_EQ(lanes_.take(lanes::all_lanes,
                          [&](const node& offered) {
                              seen.push_back(offered.number);
                              return offered.number == 0;
                          }),
              &nodes_[0]);
    EXPECT_EQ(seen, (numbers{2, 3, 0}));
    EXPECT_EQ(take_all(), (numbers{2, 3, 1}));
}

TEST_F(priority_lanes_test, a_node_in_a_wrong_lane_is_found) {
    put(0, 1);
    nodes_[0].priority = 2;
    EXPECT_STREQ(lanes_.check_invariants(), "a node is in the lane of its priority");
}

}  // namespace
