// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests xqueue and hand_over_cell step by step on one thread. Concurrent threads are tested in
// tests/stress/xqueue_stress.cpp, tests/model/xqueue_scenarios.cpp and tests/model/steal_request_scenarios.cpp.
#include <tests/conformance/tracked.hpp>

#include <teff/machine/placement.hpp>
#include <teff/queue/hand_over_cell.hpp>
#include <teff/queue/xqueue.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace {

using item_type = conformance::tracked<>;
using teff::xqueue;
using teff::xqueue_ring;

class xqueue_of_numbers : public testing::Test {
protected:
    static constexpr unsigned producers = 4;
    static constexpr std::size_t capacity = 4;

    void SetUp() override { ASSERT_TRUE(queue_.open(producers, capacity, 1)); }
    void TearDown() override { queue_.check_invariants(); }

    bool push(unsigned distance, int number) { return queue_.push(distance, number); }
    // Returns -1 if there is no item.
    int pop() {
        const int* const item = queue_.front();
        if (item == nullptr)
            return -1;
        const int number = *item;
        queue_.pop_front();
        return number;
    }
    std::vector<int> pop_all() {
        std::vector<int> all;
        for (int number = pop(); number != -1; number = pop())
            all.push_back(number);
        return all;
    }

    xqueue<int> queue_;
};

TEST(xqueue_closed, has_nothing_and_opens_once) {
    xqueue<int> queue;
    EXPECT_FALSE(queue.is_open());
    EXPECT_FALSE(queue.may_have_items());
    queue.check_invariants();
    EXPECT_TRUE(queue.open(2, 4, 1));
    EXPECT_TRUE(queue.is_open());
    EXPECT_TRUE(queue.push(1, 7));
    // The next member of a slot calls open() again.
    EXPECT_TRUE(queue.open(2, 4, 1));
    ASSERT_NE(queue.front(), nullptr);
    EXPECT_EQ(*queue.front(), 7);
}

TEST_F(xqueue_of_numbers, keeps_the_order_of_each_producer) {
    for (int i = 0; i < 3; ++i) {
        for (unsigned producer = 0; producer < producers; ++producer)
            ASSERT_TRUE(push(producer, static_cast<int>(producer) * 10 + i));
    }
    int next[producers] = {};
    const std::vector<int> all = pop_all();
    EXPECT_EQ(all.size(), 3 * producers);
    for (const int number : all)
        EXPECT_EQ(number % 10, next[number / 10]++) << number;
    EXPECT_FALSE(queue_.may_have_items());
}

TEST_F(xqueue_of_numbers, serves_its_own_queue_first) {
    push(2, 20);
    push(0, 1);
    push(3, 30);
    push(0, 2);
    EXPECT_EQ(pop(), 1);
    EXPECT_EQ(queue_.current(), 0U);
    EXPECT_EQ(pop(), 2);
    EXPECT_NE(pop(), -1);
    EXPECT_NE(pop(), -1);
    EXPECT_EQ(pop(), -1);
}

TEST_F(xqueue_of_numbers, then_the_one_that_was_pushed_to_last) {
    push(1, 10);
    push(3, 30);
    push(3, 31);
    push(2, 20);
    EXPECT_EQ(pop(), 20);
    EXPECT_EQ(queue_.current(), 2U);
    push(3, 32);
    EXPECT_EQ(pop(), 30);
    EXPECT_EQ(pop(), 31);
    EXPECT_EQ(pop(), 32);
    EXPECT_EQ(pop(), 10);
}

TEST_F(xqueue_of_numbers, serves_the_other_queues_round_robin) {
    for (unsigned producer = 1; producer < producers; ++producer) {
        push(producer, static_cast<int>(producer) * 10);
        push(producer, static_cast<int>(producer) * 10 + 1);
    }
    // Makes the hint lead to an empty queue.
    push(0, 0);
    ASSERT_EQ(pop(), 0);
    std::vector<unsigned> order;
    while (queue_.front() != nullptr) {
        order.push_back(queue_.current());
        queue_.pop_front();
    }
    EXPECT_EQ(order, (std::vector<unsigned>{1, 2, 3, 1, 2, 3}));
}

TEST_F(xqueue_of_numbers, an_item_stays_until_it_is_popped) {
    push(1, 10);
    const int* const item = queue_.front();
    ASSERT_NE(item, nullptr);
    EXPECT_EQ(queue_.front(), item);
    EXPECT_TRUE(queue_.may_have_items());
    EXPECT_TRUE(queue_.may_have_items(1));
    EXPECT_FALSE(queue_.may_have_items(2));
    queue_.pop_front();
    EXPECT_FALSE(queue_.may_have_items());
}

TEST_F(xqueue_of_numbers, a_full_queue_refuses_and_the_others_do_not) {
    for (int i = 0; i < static_cast<int>(capacity); ++i)
        EXPECT_TRUE(push(2, i));
    EXPECT_FALSE(push(2, 99));
    EXPECT_TRUE(push(1, 50));
    EXPECT_EQ(pop(), 50);
    EXPECT_EQ(pop(), 0);
    EXPECT_TRUE(push(2, 4));
    EXPECT_EQ(pop_all(), (std::vector<int>{1, 2, 3, 4}));
}

TEST(xqueue_items, that_cannot_be_copied_and_are_left_behind_are_destroyed) {
    xqueue<std::unique_ptr<int>> queue;
    ASSERT_TRUE(queue.open(2, 4, 1));
    for (int i = 0; i < 4; ++i)
        EXPECT_TRUE(queue.push(1, std::make_unique<int>(i)));
    std::unique_ptr<int> refused = std::make_unique<int>(4);
    EXPECT_FALSE(queue.push(1, std::move(refused)));
    EXPECT_NE(refused, nullptr);
    EXPECT_EQ(**queue.front(), 0);
    queue.pop_front();
}

TEST(xqueue_items, a_move_that_throws_changes_nothing) {
    {
        xqueue<item_type> queue;
        ASSERT_TRUE(queue.open(2, 4, 1));
        item_type::moves.set(1);
        EXPECT_THROW(queue.push(1, item_type(1)), conformance::failure);
        EXPECT_FALSE(queue.may_have_items());
        EXPECT_TRUE(queue.push(1, item_type(2)));
        EXPECT_EQ(queue.front()->number(), 2U);
        queue.check_invariants();
    }
    item_type::expect_none_alive();
}

TEST(xqueue_memory, is_one_block_for_all_queues) {
    xqueue<int> queue;
    ASSERT_TRUE(queue.open(3, 64, 16));
    EXPECT_EQ(queue.memory().size(), 3 * xqueue<int>::bytes_per_queue(64));
}

// Two consumers' queues would share a page if they came from malloc, being this small.
TEST(xqueue_memory, is_on_pages_of_its_own_if_it_is_local) {
    const std::size_t page = teff::local_pages::page_size();
    std::set<std::uintptr_t> pages;
    std::vector<std::unique_ptr<xqueue<int>>> queues;
    for (unsigned consumer = 0; consumer < 4; ++consumer) {
        xqueue<int>& made = *queues.emplace_back(std::make_unique<xqueue<int>>());
        ASSERT_TRUE(made.open(2, 4, 1, true));
        ASSERT_LT(made.memory().size(), page);
        const auto first = reinterpret_cast<std::uintptr_t>(made.memory().data());
        EXPECT_EQ(first % page, 0U);
        EXPECT_TRUE(pages.insert(first / page).second);
        EXPECT_TRUE(made.push(1, 7));
        EXPECT_TRUE(made.open(2, 4, 1, true)) << "the next consumer";
        ASSERT_NE(made.front(), nullptr);
        EXPECT_EQ(*made.front(), 7);
        made.check_invariants();
    }
}

TEST(xqueue_memory, suits_items_that_are_aligned_to_more_than_a_line) {
    struct alignas(512) wide {
        int number;
    };
    struct alignas(16384) wider {
        int number;
    };
    const auto check = [](auto made) {
        using type = decltype(made);
        for (const bool local : {false, true}) {
            xqueue<type> queue;
            ASSERT_TRUE(queue.open(3, 4, 1, local));
            for (int number = 0; number < 4; ++number)
                EXPECT_TRUE(queue.push(2, type{number}));
            for (int number = 0; number < 4; ++number) {
                const type* const item = queue.front();
                ASSERT_NE(item, nullptr);
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(item) % alignof(type), 0U);
                EXPECT_EQ(item->number, number);
                queue.pop_front();
            }
        }
    };
    check(wide{});
    check(wider{});
}

TEST(xqueue_ring, numbers_the_producers_of_each_consumer_from_near_to_far) {
    for (const unsigned workers : {1U, 2U, 3U, 4U, 7U, 8U, 101U, 4096U}) {
        SCOPED_TRACE(workers);
        const xqueue_ring ring(workers, 1, std::size_t{workers} * workers);
        EXPECT_EQ(ring.reach(), workers);
        for (const unsigned consumer : {0U, workers / 2, workers - 1}) {
            std::set<unsigned> seen;
            for (unsigned distance = 0; distance < workers; ++distance) {
                const unsigned producer = ring.producer_at(consumer, distance);
                ASSERT_LT(producer, workers);
                ASSERT_EQ(ring.distance(producer, consumer), distance);
                seen.insert(producer);
                const unsigned up = producer >= consumer ? producer - consumer : producer + workers - consumer;
                ASSERT_EQ(std::min(up, workers - up), (distance + 1) / 2);
            }
            EXPECT_EQ(seen.size(), workers);
        }
    }
}

TEST(xqueue_ring, bounds_the_memory_but_reaches_both_neighbours) {
    constexpr std::size_t bytes = 1000, memory = 64U << 20;
    for (const unsigned workers : {1U, 2U, 3U, 100U, 259U, 1000U, 4096U}) {
        SCOPED_TRACE(workers);
        const xqueue_ring ring(workers, bytes, memory);
        EXPECT_LE(std::size_t{workers} * ring.reach() * bytes, memory);
        EXPECT_EQ(ring.reach() == workers, workers <= 259);
        const xqueue_ring narrow(workers, memory, memory);
        EXPECT_EQ(narrow.reach(), std::min(workers, 3U));
        EXPECT_TRUE(narrow.reaches(0, 0) && narrow.reaches(0, 1 % workers) && narrow.reaches(0, workers - 1));
        // A producer pushes to as many consumers as there are producers from which a consumer takes.
        unsigned consumers = 0;
        for (unsigned consumer = 0; consumer < workers; ++consumer)
            consumers += ring.reaches(0, consumer) ? 1 : 0;
        EXPECT_EQ(consumers, ring.reach());
    }
}

TEST(hand_over_cell, holds_one_item_until_it_is_cleared) {
    {
        teff::hand_over_cell<item_type> cell;
        EXPECT_FALSE(cell.is_full());
        EXPECT_EQ(cell.get(), nullptr);
        for (std::uint32_t number = 1; number < 4; ++number) {
            cell.put(item_type(number));
            EXPECT_TRUE(cell.is_full());
            ASSERT_NE(cell.get(), nullptr);
            EXPECT_EQ(cell.get()->number(), number);
            cell.clear();
            EXPECT_FALSE(cell.is_full());
        }
        item_type::expect_none_alive();
        // The destructor destroys this one.
        cell.put(item_type(4));
    }
    item_type::expect_none_alive();
}

TEST(hand_over_cell, stays_empty_when_a_move_throws) {
    teff::hand_over_cell<item_type> cell;
    item_type::moves.set(1);
    EXPECT_THROW(cell.put(item_type(1)), conformance::failure);
    EXPECT_FALSE(cell.is_full());
    item_type::expect_none_alive();
}

}  // namespace
