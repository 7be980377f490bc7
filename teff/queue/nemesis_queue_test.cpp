// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the order of nodes, and that a popped node can be reused at once. (The model checker's scenarios cover a
// producer that is between its two steps.)
#include <teff/queue/nemesis_queue.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct node {
    teff::atomic<node*> next{nullptr};
    std::size_t number = 0;
    unsigned lives = 0;
};
using queue = teff::nemesis_queue<node>;

std::vector<node> numbered(std::size_t count) {
    std::vector<node> made(count);
    for (std::size_t i = 0; i < count; ++i)
        made[i].number = i;
    return made;
}

TEST(nemesis_queue, starts_empty) {
    queue shared;
    shared.check_invariants();
    EXPECT_FALSE(shared.may_have_items());
    EXPECT_EQ(shared.pop(), nullptr);
    EXPECT_EQ(shared.pop(), nullptr);
    shared.check_invariants();
}

TEST(nemesis_queue, is_first_in_first_out) {
    queue shared;
    std::vector<node> nodes = numbered(10);
    std::size_t in = 0, out = 0;
    // Fewer and fewer nodes per round, so that nodes are taken through the head, the shadow head and the tail.
    for (const std::size_t pushes : {4U, 3U, 2U, 1U}) {
        for (std::size_t i = 0; i < pushes; ++i) {
            shared.push(nodes[in++]);
            EXPECT_TRUE(shared.may_have_items());
            shared.check_invariants();
        }
        for (std::size_t i = 0; i < pushes; ++i) {
            EXPECT_TRUE(shared.may_have_items());
            EXPECT_EQ(shared.pop(), &nodes[out++]);
            shared.check_invariants();
        }
        EXPECT_FALSE(shared.may_have_items());
        EXPECT_EQ(shared.pop(), nullptr);
    }
}

TEST(nemesis_queue, takes_more_while_it_is_being_emptied) {
    queue shared;
    std::vector<node> nodes = numbered(100);
    std::size_t in = 0, out = 0;
    for (; in < 3; ++in)
        shared.push(nodes[in]);
    while (in < nodes.size()) {
        ASSERT_EQ(shared.pop(), &nodes[out++]);
        shared.push(nodes[in++]);
        shared.check_invariants();
    }
    while (out < in)
        ASSERT_EQ(shared.pop(), &nodes[out++]);
    EXPECT_FALSE(shared.may_have_items());
}

TEST(nemesis_queue, a_popped_node_goes_to_any_queue_at_once) {
    queue one, other;
    std::vector<node> nodes = numbered(2);
    one.push(nodes[0]);
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(one.pop(), &nodes[0]);
        one.push(nodes[0]);
        one.check_invariants();
    }
    one.push(nodes[1]);
    other.push(*one.pop());
    one.check_invariants();
    other.push(*one.pop());
    EXPECT_EQ(other.pop(), &nodes[0]);
    EXPECT_EQ(other.pop(), &nodes[1]);
    EXPECT_FALSE(one.may_have_items() || other.may_have_items());
}

TEST(nemesis_queue, leaves_nodes_alone_at_its_end) {
    std::vector<node> nodes = numbered(2);
    {
        queue shared;
        shared.push(nodes[0]);
        shared.push(nodes[1]);
    }
    queue another;
    another.push(nodes[1]);
    another.push(nodes[0]);
    EXPECT_EQ(another.pop(), &nodes[1]);
    EXPECT_EQ(another.pop(), &nodes[0]);
}

// All threads push and take turns as the consumer. A thread pushes a popped node again until the node has been popped
// `lives` times.
TEST(nemesis_queue, gives_each_life_of_a_node_to_one_consumer) {
    constexpr std::size_t threads = 3, per_thread = 8;
    constexpr unsigned lives = 2'000;
    queue shared;
    std::mutex turn;
    std::vector<node> nodes = numbered(threads * per_thread);
    std::atomic<std::size_t> alive{nodes.size()};
    std::vector<std::thread> all;
    for (std::size_t self = 0; self < threads; ++self)
        all.emplace_back([&, self] {
            for (std::size_t i = 0; i < per_thread; ++i)
                shared.push(nodes[self * per_thread + i]);
            while (alive.load() != 0) {
                node* popped = nullptr;
                {
                    const std::lock_guard lock(turn);
                    popped = shared.pop();
                }
                if (popped == nullptr)
                    std::this_thread::yield();
                else if (++popped->lives == lives)
                    alive.fetch_sub(1);
                else
                    shared.push(*popped);
            }
        });
    for (std::thread& each : all)
        each.join();
    shared.check_invariants();
    EXPECT_FALSE(shared.may_have_items());
    for (const node& each : nodes)
        EXPECT_EQ(each.lives, lives);
}

}  // namespace
