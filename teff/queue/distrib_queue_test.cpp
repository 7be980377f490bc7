// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who gets which node, and that a thief is not fooled by a node that came back while it looked.
#include <teff/queue/distrib_queue.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace {

// A link that lets the test act between a thief's look at it and the thief's swap of the head.
class link_with_interruption {
public:
    std::uint32_t load(std::memory_order order) const {
        const std::uint32_t seen = link_.load(order);
        if (interruption)
            std::exchange(interruption, nullptr)();
        return seen;
    }
    void store(std::uint32_t link, std::memory_order order) { link_.store(link, order); }

    mutable std::function<void()> interruption;

private:
    teff::atomic<std::uint32_t> link_{0};
};

struct node {
    std::uint32_t index = 0;
    link_with_interruption link;
};

struct pool {
    pool() {
        for (std::uint32_t i = 0; i < nodes.size(); ++i)
            nodes[i].index = i;
    }
    node& at(std::uint32_t index) noexcept { return nodes[index]; }

    std::array<node, 8> nodes;
};

using queue = teff::distrib_queue<node, pool>;

static_assert(sizeof(queue) == teff::false_sharing_range && alignof(queue) == teff::false_sharing_range,
              "each worker's queue has a line of its own");

class distrib_queue_test : public ::testing::Test {
protected:
    void push(queue& to, std::uint32_t index) { to.push(nodes_.at(index)); }
    void push_all(queue& to, std::initializer_list<std::uint32_t> indices) {
        for (const std::uint32_t index : indices)
            push(to, index);
    }
    static std::vector<std::uint32_t> pop_all(queue& from) {
        EXPECT_EQ(from.check_invariants(), nullptr);
        std::vector<std::uint32_t> result;
        while (const node* const popped = from.pop())
            result.push_back(popped->index);
        EXPECT_FALSE(from.may_have_items());
        EXPECT_EQ(from.check_invariants(), nullptr);
        return result;
    }

    pool nodes_;
    queue queue_{nodes_};
};

using indices = std::vector<std::uint32_t>;

TEST_F(distrib_queue_test, is_empty_at_first) {
    EXPECT_EQ(queue_.pop(), nullptr);
    EXPECT_FALSE(queue_.may_have_items());
    const auto attempt = queue_.try_pop();
    EXPECT_EQ(attempt.node, nullptr);
    EXPECT_FALSE(attempt.contended);
    EXPECT_EQ(queue_.check_invariants(), nullptr);
}

TEST_F(distrib_queue_test, the_newest_comes_first) {
    push_all(queue_, {0, 1, 2});
    EXPECT_TRUE(queue_.may_have_items());
    EXPECT_EQ(queue_.try_pop().node, &nodes_.at(2));
    push(queue_, 3);
    EXPECT_EQ(pop_all(queue_), (indices{3, 1, 0}));
}

TEST_F(distrib_queue_test, nodes_come_back_and_travel) {
    queue other(nodes_);
    for (int round = 0; round < 100; ++round) {
        push_all(queue_, {7, 0, 1});
        while (node* const popped = queue_.pop())
            other.push(*popped);
        EXPECT_EQ(pop_all(other), (indices{7, 0, 1}));
    }
}

TEST_F(distrib_queue_test, a_node_that_came_back_with_another_below_it_is_not_taken_for_the_old_one) {
    push_all(queue_, {0, 1});
    nodes_.at(1).link.interruption = [this] {
        EXPECT_EQ(queue_.pop(), &nodes_.at(1));
        EXPECT_EQ(queue_.pop(), &nodes_.at(0));
        push_all(queue_, {2, 1});
    };
    const auto attempt = queue_.try_pop();
    EXPECT_EQ(attempt.node, nullptr);
    EXPECT_TRUE(attempt.contended);
    EXPECT_EQ(pop_all(queue_), (indices{1, 2}));
}

TEST_F(distrib_queue_test, pop_starts_again_when_another_was_faster) {
    push_all(queue_, {0, 1});
    nodes_.at(1).link.interruption = [this] { EXPECT_EQ(queue_.pop(), &nodes_.at(1)); };
    EXPECT_EQ(queue_.pop(), &nodes_.at(0));
    push(queue_, 2);
    nodes_.at(2).link.interruption = [this] { EXPECT_EQ(queue_.pop(), &nodes_.at(2)); };
    EXPECT_EQ(queue_.pop(), nullptr);
}

TEST_F(distrib_queue_test, broken_invariants_are_named) {
    push_all(queue_, {0, 1, 2});
    nodes_.at(1).index = 5;
    EXPECT_STREQ(queue_.check_invariants(), "a node has the number under which it is found");
    nodes_.at(1).index = 1;
    // relaxed: one thread.
    nodes_.at(0).link.store(2, std::memory_order_relaxed);
    EXPECT_STREQ(queue_.check_invariants(), "the list of nodes ends");
}

}  // namespace
