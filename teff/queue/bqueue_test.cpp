// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests bqueue step by step on one thread, which acts as the producer and as the consumer in turn. Concurrent threads
// are tested in tests/stress/bqueue_stress.cpp and tests/model/bqueue_scenarios.cpp.
#include <tests/conformance/tracked.hpp>

#include <teff/queue/bqueue.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using teff::bqueue;

// Queues of numbers below 1000, stored as values or through pointers: *front() is a number in both cases.
template <class T>
class bqueue_of_numbers : public testing::Test {
protected:
    static constexpr int numbers = 1000;

    bool push(bqueue<T>& queue, int number) {
        if constexpr (std::is_pointer_v<T>)
            return queue.try_push(&targets_[static_cast<std::size_t>(number)]);
        else
            return queue.try_push(number);
    }
    static std::optional<int> pop(bqueue<T>& queue) {
        const auto item = queue.front();
        if (item == nullptr)
            return std::nullopt;
        EXPECT_EQ(item, queue.front());
        const int number = *item;
        queue.pop_front();
        return number;
    }

private:
    static std::array<int, numbers> all_numbers() {
        std::array<int, numbers> all;
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    const std::array<int, numbers> targets_ = all_numbers();
};

using number_types = testing::Types<int, const int*>;
struct number_type_names {
    template <class T>
    static std::string GetName(int) {
        return std::is_pointer_v<T> ? "pointers" : "values";
    }
};
TYPED_TEST_SUITE(bqueue_of_numbers, number_types, number_type_names);

TYPED_TEST(bqueue_of_numbers, refuses_and_is_empty_while_closed) {
    bqueue<TypeParam> queue;
    EXPECT_EQ(queue.capacity(), 0U);
    EXPECT_FALSE(this->push(queue, 1));
    EXPECT_EQ(this->pop(queue), std::nullopt);
    EXPECT_FALSE(queue.may_have_items());
    queue.check_invariants();
    EXPECT_TRUE(queue.open(2, 1));
    EXPECT_TRUE(this->push(queue, 1));
}

// Calls use(queue) with a new queue for each small capacity and batch.
template <class T, class Use>
void with_each_shape(Use&& use) {
    for (std::size_t capacity = 2; capacity <= 32; capacity *= 2) {
        for (std::size_t batch = 1; batch <= capacity / 2; batch *= 2) {
            SCOPED_TRACE("capacity " + std::to_string(capacity) + ", batch " + std::to_string(batch));
            bqueue<T> queue;
            ASSERT_TRUE(queue.open(capacity, batch));
            ASSERT_EQ(queue.capacity(), capacity);
            use(queue);
            queue.check_invariants();
            if (testing::Test::HasFailure())
                return;
        }
    }
}

TYPED_TEST(bqueue_of_numbers, holds_as_many_as_its_capacity_and_delivers_in_order) {
    with_each_shape<TypeParam>([this](bqueue<TypeParam>& queue) {
        const int capacity = static_cast<int>(queue.capacity());
        for (int round = 0; round < 10; ++round) {
            // Makes each round begin at another position in the ring.
            ASSERT_TRUE(this->push(queue, 999));
            ASSERT_EQ(this->pop(queue), 999);
            for (int i = 0; i < capacity; ++i)
                ASSERT_TRUE(this->push(queue, i));
            queue.check_invariants();
            ASSERT_FALSE(this->push(queue, capacity));
            for (int i = 0; i < capacity; ++i) {
                ASSERT_TRUE(queue.may_have_items());
                ASSERT_EQ(this->pop(queue), i);
            }
            ASSERT_FALSE(queue.may_have_items());
            ASSERT_EQ(this->pop(queue), std::nullopt);
            queue.check_invariants();
        }
    });
}

// A partial batch can be used: an item can be popped as soon as it is pushed, and a freed slot can be filled at once.
TYPED_TEST(bqueue_of_numbers, every_mix_of_pushes_and_pops_keeps_the_order) {
    with_each_shape<TypeParam>([this](bqueue<TypeParam>& queue) {
        int pushed = 0, popped = 0;
        for (unsigned pattern = 0; pattern < 1024; ++pattern) {
            for (unsigned bit = 0; bit < 10; ++bit) {
                const bool full = pushed - popped == static_cast<int>(queue.capacity());
                if ((pattern >> bit & 1U) != 0) {
                    ASSERT_EQ(this->push(queue, pushed % 1000), !full);
                    pushed += full ? 0 : 1;
                } else {
                    ASSERT_EQ(this->pop(queue), popped < pushed ? std::optional<int>(popped % 1000) : std::nullopt);
                    popped += popped < pushed ? 1 : 0;
                }
                ASSERT_EQ(queue.may_have_items(), popped < pushed);
            }
            queue.check_invariants();
        }
    });
}

TYPED_TEST(bqueue_of_numbers, says_how_much_memory_it_takes) {
    using queue = bqueue<TypeParam>;
    EXPECT_EQ(queue::bytes(2), sizeof(queue) + teff::false_sharing_range);
    EXPECT_EQ(queue::bytes(1024), sizeof(queue) + 1024 * 8);
}

TEST(bqueue, moves_copies_and_converts_what_it_is_given) {
    bqueue<std::string> queue;
    ASSERT_TRUE(queue.open(4, 2));
    const std::string kept(40, 'k');
    std::string moved(40, 'm');
    EXPECT_TRUE(queue.try_push(kept));
    EXPECT_TRUE(queue.try_push(std::move(moved)));
    EXPECT_TRUE(queue.try_push("converted"));
    for (const std::string& expected : {kept, std::string(40, 'm'), std::string("converted")}) {
        ASSERT_NE(queue.front(), nullptr);
        EXPECT_EQ(std::string(std::move(*queue.front())), expected);
        queue.pop_front();
    }
    EXPECT_EQ(kept, std::string(40, 'k'));
}

TEST(bqueue, leaves_what_it_refuses) {
    bqueue<std::unique_ptr<int>> queue;
    auto item = std::make_unique<int>(1);
    EXPECT_FALSE(queue.try_push(std::move(item)));
    EXPECT_NE(item, nullptr);
    ASSERT_TRUE(queue.open(2, 1));
    EXPECT_TRUE(queue.try_push(std::make_unique<int>(2)));
    EXPECT_TRUE(queue.try_push(std::make_unique<int>(3)));
    EXPECT_FALSE(queue.try_push(std::move(item)));
    ASSERT_NE(item, nullptr);
    EXPECT_EQ(*item, 1);
}

TEST(bqueue, the_destructor_destroys_what_is_left) {
    using item = conformance::tracked<>;
    for (int popped = 0; popped < 8; ++popped) {
        bqueue<item> queue;
        ASSERT_TRUE(queue.open(8, 4));
        for (int i = 0; i < 8; ++i)
            ASSERT_TRUE(queue.try_push(item(0)));
        for (int i = 0; i < popped; ++i) {
            ASSERT_NE(queue.front(), nullptr);
            queue.pop_front();
        }
        // Some of these items wrap around the end of the ring.
        for (int i = 0; i < popped / 2; ++i)
            ASSERT_TRUE(queue.try_push(item(0)));
        EXPECT_EQ(item::alive, 8 - popped + popped / 2);
    }
    item::expect_none_alive();
}

TEST(bqueue, pop_front_destroys_the_item) {
    const auto counter = std::make_shared<int>(0);
    bqueue<std::shared_ptr<int>> queue;
    ASSERT_TRUE(queue.open(4, 2));
    ASSERT_TRUE(queue.try_push(counter));
    EXPECT_EQ(counter.use_count(), 2);
    ASSERT_NE(queue.front(), nullptr);
    queue.pop_front();
    EXPECT_EQ(counter.use_count(), 1);
}

// At every position in the ring, including the first: a throwing move leaves the queue unchanged, and the next push of
// the item succeeds.
TEST(bqueue, a_throwing_move_changes_nothing) {
    using item = conformance::tracked<>;
    {
        bqueue<item> queue;
        ASSERT_TRUE(queue.open(4, 2));
        for (std::uint32_t i = 0; i < 20; ++i) {
            item pushed(i);
            item::moves.set(1);
            EXPECT_THROW(queue.try_push(std::move(pushed)), conformance::failure);
            item::moves.set(0);
            queue.check_invariants();
            EXPECT_FALSE(queue.may_have_items());
            EXPECT_EQ(queue.front(), nullptr);
            ASSERT_TRUE(queue.try_push(std::move(pushed)));
            ASSERT_NE(queue.front(), nullptr);
            EXPECT_EQ(queue.front()->number(), i);
            item::moves.set(1);
            EXPECT_THROW(item(std::move(*queue.front())), conformance::failure);
            item::moves.set(0);
            EXPECT_EQ(queue.front()->number(), i);
            queue.pop_front();
            queue.check_invariants();
        }
    }
    item::expect_none_alive();
}

template <class Item>
void keeps_in_place() {
    {
        bqueue<Item> queue;
        ASSERT_TRUE(queue.open(8, 2));
        for (std::uint32_t i = 0; i < 30; ++i) {
            ASSERT_TRUE(queue.try_push(Item(i)));
            ASSERT_TRUE(queue.try_push(Item(i + 1)));
            for (std::uint32_t j = 0; j < 2; ++j) {
                ASSERT_NE(queue.front(), nullptr);
                EXPECT_EQ(queue.front()->number(), i + j);
                queue.pop_front();
            }
        }
    }
    Item::expect_none_alive();
}

TEST(bqueue, keeps_over_aligned_items) { keeps_in_place<conformance::tracked<256>>(); }

TEST(bqueue, keeps_big_items) { keeps_in_place<conformance::tracked<8, 5000>>(); }

TEST(bqueue, opens_with_the_largest_capacity) {
    bqueue<char> queue;
    constexpr std::size_t most = bqueue<char>::max_capacity;
    ASSERT_TRUE(queue.open(most, most / 2));
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(queue.try_push('x'));
    ASSERT_NE(queue.front(), nullptr);
    queue.pop_front();
    queue.check_invariants();
}

#if !defined(NDEBUG)
TEST(bqueue_death, stops_at_what_it_does_not_allow) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    const auto open = [](std::size_t capacity, std::size_t batch) {
        bqueue<int> queue;
        return queue.open(capacity, batch);
    };
    EXPECT_DEATH(open(3, 1), "capacity");
    EXPECT_DEATH(open(bqueue<int>::max_capacity * 2, 1), "capacity");
    EXPECT_DEATH(open(8, 8), "batch");
    bqueue<int> values;
    ASSERT_TRUE(values.open(2, 1));
    EXPECT_DEATH(values.pop_front(), "without front");
    bqueue<int*> pointers;
    ASSERT_TRUE(pointers.open(2, 1));
    EXPECT_DEATH(pointers.try_push(nullptr), "null pointer");
}
#endif

}  // namespace
