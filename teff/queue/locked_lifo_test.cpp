// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the newest node is taken first, and that chains keep their order when they move from one queue to another.
#include <teff/queue/locked_lifo.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace {

struct node {
    teff::atomic<node*> next{nullptr};
    int number = 0;
};

using queue = teff::locked_lifo<node>;
using chain = teff::node_chain<node>;
using numbers = std::vector<int>;

class locked_lifo_test : public ::testing::Test {
protected:
    locked_lifo_test() {
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            nodes_[i].number = static_cast<int>(i);
    }

    void push_all(std::initializer_list<std::size_t> indices) {
        for (const std::size_t index : indices)
            queue_.push(nodes_[index]);
        EXPECT_EQ(queue_.check_invariants(), nullptr);
    }
    static numbers pop_all(queue& from) {
        numbers result;
        while (const node* const popped = from.pop()) {
            result.push_back(popped->number);
            EXPECT_EQ(from.check_invariants(), nullptr);
        }
        EXPECT_FALSE(from.may_have_items());
        return result;
    }
    static numbers take_all(chain& from) {
        numbers result;
        while (const node* const taken = from.take_first())
            result.push_back(taken->number);
        EXPECT_EQ(from.count, 0U);
        EXPECT_EQ(from.last, nullptr);
        return result;
    }

    std::array<node, 8> nodes_;
    queue queue_;
};

TEST_F(locked_lifo_test, is_empty_at_first) {
    EXPECT_FALSE(queue_.may_have_items());
    EXPECT_EQ(queue_.pop(), nullptr);
    EXPECT_EQ(queue_.take(3).count, 0U);
    EXPECT_EQ(queue_.check_invariants(), nullptr);
}

TEST_F(locked_lifo_test, the_newest_comes_first) {
    push_all({0, 1, 2});
    EXPECT_TRUE(queue_.may_have_items());
    EXPECT_EQ(queue_.pop(), &nodes_[2]);
    push_all({3});
    EXPECT_EQ(pop_all(queue_), (numbers{3, 1, 0}));
}

TEST_F(locked_lifo_test, a_thief_takes_the_newest) {
    push_all({0, 1, 2, 3, 4});
    chain taken = queue_.take(3);
    EXPECT_EQ(taken.count, 3U);
    EXPECT_EQ(taken.last, &nodes_[2]);
    EXPECT_EQ(take_all(taken), (numbers{4, 3, 2}));
    EXPECT_EQ(queue_.check_invariants(), nullptr);
    EXPECT_EQ(queue_.take(0).count, 0U);
    taken = queue_.take(100);
    EXPECT_EQ(taken.count, 2U);
    EXPECT_FALSE(queue_.may_have_items());
    EXPECT_EQ(take_all(taken), (numbers{1, 0}));
}

TEST_F(locked_lifo_test, a_chain_keeps_its_order) {
    push_all({0, 1, 2, 3});
    queue other;
    other.push(nodes_[7]);
    chain taken = queue_.take(3);
    EXPECT_EQ(taken.take_first(), &nodes_[3]);
    other.push(taken);
    EXPECT_EQ(other.check_invariants(), nullptr);
    EXPECT_EQ(pop_all(other), (numbers{2, 1, 7}));
    other.push(queue_.take(5));
    EXPECT_EQ(pop_all(other), (numbers{0}));
}

TEST_F(locked_lifo_test, an_empty_chain_changes_nothing) {
    push_all({5});
    queue_.push(chain());
    EXPECT_EQ(queue_.check_invariants(), nullptr);
    EXPECT_EQ(pop_all(queue_), (numbers{5}));
}

TEST_F(locked_lifo_test, broken_invariants_are_named) {
    push_all({0, 1});
    // relaxed, both: one thread.
    nodes_[0].next.store(&nodes_[1], std::memory_order_relaxed);
    EXPECT_STREQ(queue_.check_invariants(), "the list is as long as the count says, and ends");
    nodes_[1].next.store(nullptr, std::memory_order_relaxed);
    EXPECT_STREQ(queue_.check_invariants(), "the list is as long as the count says");
}

}  // namespace
