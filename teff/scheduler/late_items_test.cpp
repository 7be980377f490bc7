// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// late_items, step by step on one thread; the interleavings are in tests/model/late_items_scenarios.cpp.
#include <teff/scheduler/late_items.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using set = teff::late_items::set;
using visits = std::vector<std::pair<unsigned, set>>;

class late_items : public testing::Test {
protected:
    explicit late_items(unsigned slots = 3) : registry_(slots), late_(slots) { registry_.expect(slots); }
    void enter(unsigned slot) {
        registry_[slot].enter();
        registry_.admit(slot);
        late_.forget(slot);
    }
    void leave(unsigned slot, set queues) {
        registry_.leave(slot);
        late_.mark_left(slot, queues);
    }
    // Visits all marked slots, and leaves no items there.
    visits visit_all() {
        visits seen;
        EXPECT_FALSE(late_.visit(registry_, [&](unsigned slot, set& queues) {
            EXPECT_FALSE(registry_[slot].try_visit()) << "the visitor has the token";
            seen.emplace_back(slot, std::exchange(queues, 0));
            return false;
        }));
        return seen;
    }

    teff::member_registry registry_;
    teff::late_items late_;
};

TEST_F(late_items, are_nowhere_at_first) {
    EXPECT_FALSE(late_.any());
    EXPECT_EQ(visit_all(), visits{});
}

TEST_F(late_items, are_visited_once_where_they_are_marked) {
    late_.mark(2, 0b100);
    late_.mark(0, 0b1);
    late_.mark(2, 0b1000);
    EXPECT_TRUE(late_.any());
    EXPECT_TRUE(late_.has_marks(2));
    EXPECT_FALSE(late_.has_marks(1));
    EXPECT_EQ(visit_all(), (visits{{0, 0b1}, {2, 0b1100}}));
    EXPECT_FALSE(late_.any());
    EXPECT_EQ(visit_all(), visits{});
    EXPECT_TRUE(registry_[2].is_vacant()) << "the visit has ended";
}

TEST_F(late_items, stay_marked_where_the_visitor_leaves_some) {
    late_.mark(0, 0b11);
    late_.mark(1, 0b1);
    EXPECT_TRUE(late_.visit(registry_, [](unsigned slot, set& queues) {
        EXPECT_EQ(slot, 0U);
        queues &= ~set{1};
        return true;
    }));
    EXPECT_TRUE(late_.any());
    EXPECT_EQ(visit_all(), (visits{{0, 0b10}, {1, 0b1}}));
}

TEST_F(late_items, stay_marked_after_an_exception) {
    late_.mark(0, 0b1);
    late_.mark(1, 0b1);
    EXPECT_THROW(late_.visit(registry_, [](unsigned, set&) -> bool { throw std::runtime_error("a move"); }),
                 std::runtime_error);
    EXPECT_TRUE(registry_[0].is_vacant());
    EXPECT_EQ(visit_all(), (visits{{0, 0b1}, {1, 0b1}}));
}

TEST_F(late_items, of_an_attended_slot_are_its_members_until_it_leaves) {
    enter(1);
    late_.mark(1, 0b10);
    EXPECT_EQ(visit_all(), visits{});
    EXPECT_FALSE(late_.any());
    leave(1, 0b1);
    EXPECT_EQ(visit_all(), (visits{{1, 0b11}}));
    enter(1);
    leave(1, 0);
    EXPECT_FALSE(late_.any());
}

TEST_F(late_items, are_forgotten_by_a_member_that_enters) {
    late_.mark(1, 0b10);
    enter(1);
    EXPECT_FALSE(late_.any());
    leave(1, 0);
    EXPECT_FALSE(late_.any());
}

TEST_F(late_items, stay_marked_while_another_visitor_is_there) {
    late_.mark(1, 0b1);
    ASSERT_TRUE(registry_[1].try_visit());
    EXPECT_EQ(visit_all(), visits{});
    EXPECT_TRUE(late_.any());
    registry_[1].end_visit();
    EXPECT_EQ(visit_all(), (visits{{1, 0b1}}));
}

class late_items_of_many_slots : public late_items {
protected:
    late_items_of_many_slots() : late_items(2 * teff::late_items::set_size + 2) {}
};

TEST_F(late_items_of_many_slots, are_found_where_slots_share_a_mark) {
    constexpr unsigned size = teff::late_items::set_size;
    for (const unsigned slot : {1U, 1 + size, 1 + 2 * size, size - 1}) {
        late_.mark(slot, teff::late_items::only(size + 3));
        EXPECT_EQ(visit_all(), (visits{{slot, set{1} << 3}}));
        EXPECT_FALSE(late_.any());
    }
    late_.mark(1, 0b1);
    late_.mark(1 + 2 * size, 0b1);
    EXPECT_TRUE(late_.visit(registry_, [](unsigned, set& queues) {
        queues = 0;
        return true;
    }));
    EXPECT_EQ(visit_all(), (visits{{1 + 2 * size, 0b1}}));
    // A member that enters does not take out the mark that its slot shares.
    late_.mark(1 + size, 0b1);
    enter(1);
    EXPECT_EQ(visit_all(), (visits{{1 + size, 0b1}}));
}

}  // namespace
