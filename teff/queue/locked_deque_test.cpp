// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests which item the owner and a thief get, that the order survives when the ring wraps and grows, and that threads
// wait for each other. Other meetings of threads are tested in tests/model and tests/stress.
#include <teff/queue/locked_deque.hpp>

#include <teff/base/light_standard.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <thread>
#include <vector>

namespace {

using deque = teff::locked_deque<const int*, 4>;
using numbers = std::vector<int>;

static_assert(sizeof(deque) == 2 * teff::false_sharing_range && alignof(deque) == teff::false_sharing_range,
              "each queue has lines of its own, and so have its waiters");

class locked_deque_test : public ::testing::Test {
protected:
    locked_deque_test() : items_(1000) {
        for (std::size_t i = 0; i < items_.size(); ++i)
            items_[i] = static_cast<int>(i);
    }

    void push(int number) {
        ASSERT_TRUE(queue_.push(&items_[static_cast<std::size_t>(number)]));
        EXPECT_TRUE(queue_.may_have_items());
        EXPECT_EQ(queue_.check_invariants(), nullptr);
    }
    void push_all(std::initializer_list<int> wanted) {
        for (const int number : wanted)
            push(number);
    }
    void push_range(int begin, int end) {
        for (int number = begin; number < end; ++number)
            push(number);
    }
    // Returns -1 if there is no item.
    int pop() {
        const int* const taken = queue_.pop();
        EXPECT_EQ(queue_.check_invariants(), nullptr);
        return taken == nullptr ? -1 : *taken;
    }
    int take_oldest() {
        const auto attempt = queue_.try_take_oldest();
        EXPECT_FALSE(attempt.contended) << "nobody else is there";
        EXPECT_EQ(queue_.check_invariants(), nullptr);
        return attempt.item == nullptr ? -1 : *attempt.item;
    }
    template <class Take>
    static numbers all_by(Take&& take) {
        numbers result;
        for (int taken = take(); taken >= 0; taken = take())
            result.push_back(taken);
        return result;
    }
    numbers pop_all() {
        return all_by([this] { return pop(); });
    }
    numbers take_all_oldest() {
        return all_by([this] { return take_oldest(); });
    }

    std::vector<int> items_;
    deque queue_;
};

TEST_F(locked_deque_test, is_empty_at_first) {
    EXPECT_FALSE(queue_.may_have_items());
    EXPECT_EQ(queue_.check_invariants(), nullptr);
    EXPECT_EQ(pop(), -1);
    EXPECT_EQ(take_oldest(), -1);
    EXPECT_FALSE(queue_.may_have_items());
}

TEST_F(locked_deque_test, the_owner_gets_the_newest) {
    push_all({0, 1, 2});
    EXPECT_EQ(pop(), 2);
    push(3);
    EXPECT_EQ(pop_all(), (numbers{3, 1, 0}));
    EXPECT_FALSE(queue_.may_have_items());
}

TEST_F(locked_deque_test, a_thief_gets_the_oldest) {
    push_all({0, 1, 2});
    EXPECT_EQ(take_oldest(), 0);
    push(3);
    EXPECT_EQ(take_all_oldest(), (numbers{1, 2, 3}));
    EXPECT_FALSE(queue_.may_have_items());
}

TEST_F(locked_deque_test, several_keep_their_order) {
    push_all({0, 1, 2, 3, 4});
    numbers taken;
    const auto take = [&](const int* each) { taken.push_back(*each); };
    EXPECT_TRUE(queue_.try_take_oldest(3, take));
    EXPECT_EQ(taken, (numbers{0, 1, 2}));
    EXPECT_EQ(queue_.check_invariants(), nullptr);
    EXPECT_TRUE(queue_.try_take_oldest(100, take));
    EXPECT_EQ(taken, (numbers{0, 1, 2, 3, 4}));
    EXPECT_TRUE(queue_.try_take_oldest(1, take));
    EXPECT_EQ(taken.size(), 5U);
    // Into a ring that has wrapped around, with and without growth.
    push(5);
    for (const int count : {0, 2, 40}) {
        int next = 6;
        ASSERT_TRUE(queue_.push_all(static_cast<std::size_t>(count),
                                    [&] { return &items_[static_cast<std::size_t>(next++)]; }));
        EXPECT_EQ(queue_.check_invariants(), nullptr);
        EXPECT_EQ(next, 6 + count);
        for (int expected = next - 1; expected >= 6; --expected)
            EXPECT_EQ(pop(), expected);
    }
    EXPECT_EQ(pop_all(), numbers{5});
}

TEST_F(locked_deque_test, both_ends_meet_at_the_last_item) {
    push_all({0, 1, 2, 3});
    EXPECT_EQ(take_oldest(), 0);
    EXPECT_EQ(pop(), 3);
    EXPECT_EQ(take_oldest(), 1);
    EXPECT_TRUE(queue_.may_have_items());
    EXPECT_EQ(pop(), 2);
    EXPECT_FALSE(queue_.may_have_items());
    EXPECT_EQ(take_oldest(), -1);
    push(4);
    EXPECT_EQ(take_oldest(), 4);
    EXPECT_EQ(pop(), -1);
}

TEST_F(locked_deque_test, the_ring_goes_round) {
    push_all({0, 1, 2});
    for (int number = 3; number < 100; ++number) {
        push(number);
        EXPECT_EQ(take_oldest(), number - 3);
    }
    EXPECT_EQ(pop_all(), (numbers{99, 98, 97}));
}

// For each position of the head: the items that have wrapped around stay behind those before the array's end.
TEST_F(locked_deque_test, order_survives_growth_wherever_the_head_is) {
    for (int before = 0; before < 4; ++before) {
        SCOPED_TRACE(before);
        deque fresh;
        for (int i = 0; i < before; ++i) {
            ASSERT_TRUE(fresh.push(&items_[0]));
            ASSERT_EQ(fresh.try_take_oldest().item, &items_[0]);
        }
        for (std::size_t i = 0; i < 9; ++i)
            ASSERT_TRUE(fresh.push(&items_[i]));
        EXPECT_EQ(fresh.check_invariants(), nullptr);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(fresh.try_take_oldest().item, &items_[i]);
            EXPECT_EQ(fresh.pop(), &items_[8 - i]);
        }
        EXPECT_EQ(fresh.pop(), &items_[4]);
        EXPECT_FALSE(fresh.may_have_items());
    }
}

TEST_F(locked_deque_test, items_that_are_left_are_not_touched) {
    const int* const nowhere = reinterpret_cast<const int*>(std::uintptr_t{64});
    deque fresh;
    for (int i = 0; i < 100; ++i)
        ASSERT_TRUE(fresh.push(nowhere));
    EXPECT_EQ(fresh.check_invariants(), nullptr);
}

TEST_F(locked_deque_test, items_may_be_small_values) {
    struct pair {
        std::uint32_t first = 0, second = 0;
        bool operator==(const pair&) const = default;
    };
    teff::locked_deque<pair, 1> values;
    for (std::uint32_t i = 1; i <= 5; ++i)
        ASSERT_TRUE(values.push({i, 2 * i}));
    EXPECT_EQ(values.try_take_oldest().item, (pair{1, 2}));
    EXPECT_EQ(values.pop(), (pair{5, 10}));
}

// Compares long random sequences of all operations with std::deque.
TEST_F(locked_deque_test, does_what_the_standard_deque_does) {
    teff::random_generator random(1);
    std::deque<int> expected;
    int next = 0;
    for (int step = 0; step < 20'000; ++step) {
        // Phases of mostly pushes and of mostly pops alternate.
        const bool fills = step / 500 % 2 == 0;
        if (random.below(4) < (fills ? 3U : 1U)) {
            ASSERT_NO_FATAL_FAILURE(push(next));
            expected.push_back(next);
            next = (next + 1) % 1000;
        } else if (random.below(2) == 0) {
            ASSERT_EQ(pop(), expected.empty() ? -1 : expected.back());
            if (!expected.empty())
                expected.pop_back();
        } else {
            ASSERT_EQ(take_oldest(), expected.empty() ? -1 : expected.front());
            if (!expected.empty())
                expected.pop_front();
        }
        ASSERT_EQ(queue_.may_have_items(), !expected.empty());
    }
}

// Threads that meet at the lock wait in line. Each pop is behind a push of the same thread, so it finds an item.
TEST_F(locked_deque_test, threads_wait_for_each_other) {
    constexpr int thread_count = 4, rounds = 20'000;
    std::atomic<std::int64_t> sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < thread_count; ++i) {
        threads.emplace_back([&, i] {
            std::int64_t taken = 0;
            for (int round = 0; round < rounds; ++round) {
                EXPECT_TRUE(queue_.push(&items_[static_cast<std::size_t>(i)]));
                const int* const item = queue_.pop();
                ASSERT_NE(item, nullptr);
                taken += *item + 1;
            }
            sum += taken;
        });
    }
    for (std::thread& each : threads)
        each.join();
    EXPECT_EQ(sum, std::int64_t{rounds} * (1 + 2 + 3 + 4));
    EXPECT_EQ(queue_.check_invariants(), nullptr);
    EXPECT_FALSE(queue_.may_have_items());
}

}  // namespace
