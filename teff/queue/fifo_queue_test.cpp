// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that items keep their order over many segments, that segments are freed, and that a push that finds no memory
// loses nothing.
#include <teff/queue/fifo_queue.hpp>

#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/hazard.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t participants = 3;
constexpr std::size_t cells = 2;

struct item {
    int number = 0;
};
std::array<item, 1000> items;
item* make(int number) {
    items[static_cast<std::size_t>(number)].number = number;
    return &items[static_cast<std::size_t>(number)];
}

using numbers = std::vector<int>;

template <class Queue>
numbers pop_all(Queue& queue, std::size_t participant) {
    EXPECT_EQ(queue.check_invariants(), nullptr);
    numbers result;
    while (const item* const popped = queue.pop(participant))
        result.push_back(popped->number);
    EXPECT_FALSE(queue.may_have_items());
    EXPECT_EQ(queue.check_invariants(), nullptr);
    return result;
}

// Counts allocated segments; on demand, refuses memory or calls a function inside allocate().
template <class Reclaimer>
class observed : public Reclaimer {
public:
    using Reclaimer::Reclaimer;

    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept {
        if (interruption)
            std::exchange(interruption, nullptr)();
        if (refuses)
            return nullptr;
        most = std::max(most, ++live);
        return Reclaimer::allocate(participant, bytes, alignment);
    }
    void deallocate(std::size_t participant, void* memory, std::size_t bytes, std::size_t alignment) noexcept {
        --live;
        Reclaimer::deallocate(participant, memory, bytes, alignment);
    }

    bool refuses = false;
    std::function<void()> interruption;
    long live = 0, most = 0;
};

template <class Reclaimer>
class fifo_queue_test : public ::testing::Test {
protected:
    using queue_type = teff::fifo_queue<item*, Reclaimer, cells>;

    Reclaimer reclaimer_{participants};
    queue_type queue_{reclaimer_};
};

using reclaimers = ::testing::Types<teff::epoch_reclaimer, teff::arena_reclaimer, teff::hazard_reclaimer>;

struct reclaimer_names {
    template <class R>
    static std::string GetName(int) {
        return std::string(R::name);
    }
};

TYPED_TEST_SUITE(fifo_queue_test, reclaimers, reclaimer_names);

TYPED_TEST(fifo_queue_test, is_empty_at_first) {
    EXPECT_FALSE(this->queue_.may_have_items());
    EXPECT_EQ(this->queue_.pop(0), nullptr);
    EXPECT_EQ(this->queue_.check_invariants(), nullptr);
}

TYPED_TEST(fifo_queue_test, the_oldest_comes_first) {
    numbers expected;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(this->queue_.push(static_cast<std::size_t>(i) % participants, make(i)));
        expected.push_back(i);
    }
    EXPECT_TRUE(this->queue_.may_have_items());
    EXPECT_EQ(pop_all(this->queue_, 1), expected);
}

TYPED_TEST(fifo_queue_test, items_come_and_go) {
    int next = 0, oldest = 0;
    for (std::size_t round = 0; round < 300; ++round) {
        for (std::size_t n = 0; n <= round % 4; ++n)
            ASSERT_TRUE(this->queue_.push(round % participants, make(next++)));
        for (std::size_t n = 0; n <= (round + 1) % 4; ++n) {
            const item* const popped = this->queue_.pop(n % participants);
            ASSERT_EQ(popped == nullptr, oldest == next);
            if (popped != nullptr) {
                EXPECT_EQ(popped->number, oldest++);
            }
        }
        EXPECT_EQ(this->queue_.may_have_items(), oldest != next);
        EXPECT_EQ(this->queue_.check_invariants(), nullptr);
    }
}

TYPED_TEST(fifo_queue_test, queues_share_a_reclaimer_that_outlives_them) {
    for (int round = 0; round < 10; ++round) {
        teff::fifo_queue<item*, TypeParam, cells> other(this->reclaimer_);
        for (int i = 0; i < 20; ++i) {
            ASSERT_TRUE(this->queue_.push(0, make(i)));
            ASSERT_TRUE(other.push(0, make(20 + i)));
        }
        EXPECT_EQ(other.pop(1)->number, 20);
        EXPECT_EQ(this->queue_.pop(1)->number, 0);
        EXPECT_EQ(pop_all(this->queue_, 2).size(), 19U);
    }  // destroys `other` with items in it
}

TEST(fifo_queue_memory, is_what_the_items_and_the_reclaimer_need) {
    constexpr std::size_t threshold = 4;
    observed<teff::epoch_reclaimer> reclaimer(participants, threshold);
    {
        teff::fifo_queue<item*, observed<teff::epoch_reclaimer>, cells> queue(reclaimer);
        for (std::size_t round = 0; round < 300; ++round) {
            for (int i = 0; i < 10; ++i)
                ASSERT_TRUE(queue.push(0, make(i)));
            for (int i = 0; i < 10; ++i)
                EXPECT_EQ(queue.pop(round % participants)->number, i);
        }
        // Ten items can touch six segments.
        EXPECT_LE(reclaimer.most, static_cast<long>(6 + participants * 2 * threshold));
    }
    for (std::size_t i = 0; i < participants; ++i)
        reclaimer.flush(i);
    EXPECT_EQ(reclaimer.live, 0);
}

class fifo_queue_short_of_memory : public ::testing::Test {
protected:
    using reclaimer_type = observed<teff::epoch_reclaimer>;

    reclaimer_type reclaimer_{participants};
    teff::fifo_queue<item*, reclaimer_type, cells> queue_{reclaimer_};
};

TEST_F(fifo_queue_short_of_memory, a_push_is_refused_and_nothing_is_lost) {
    reclaimer_.refuses = true;
    EXPECT_FALSE(queue_.push(0, make(0)));
    EXPECT_FALSE(queue_.may_have_items());
    EXPECT_EQ(queue_.pop(0), nullptr);
    reclaimer_.refuses = false;
    EXPECT_TRUE(queue_.push(0, make(1)));
    reclaimer_.refuses = true;
    EXPECT_TRUE(queue_.push(0, make(2)));
    EXPECT_FALSE(queue_.push(0, make(3)));
    EXPECT_FALSE(queue_.push(1, make(4)));
    EXPECT_EQ(pop_all(queue_, 2), (numbers{1, 2}));
    EXPECT_FALSE(queue_.push(1, make(5)));
    reclaimer_.refuses = false;
    EXPECT_TRUE(queue_.push(0, make(6)));
    EXPECT_EQ(pop_all(queue_, 2), (numbers{6}));
}

// Another push takes the next position and adds the segment.
TEST_F(fifo_queue_short_of_memory, a_push_that_is_overtaken_is_queued_behind) {
    reclaimer_.interruption = [this] { EXPECT_TRUE(queue_.push(1, make(1))); };
    EXPECT_TRUE(queue_.push(0, make(2)));
    EXPECT_EQ(reclaimer_.live, 1);
    EXPECT_EQ(pop_all(queue_, 0), (numbers{1, 2}));
    reclaimer_.interruption = [this] {
        EXPECT_TRUE(queue_.push(1, make(3)));
        EXPECT_TRUE(queue_.push(1, make(4)));
        EXPECT_TRUE(queue_.push(1, make(5)));
    };
    EXPECT_TRUE(queue_.push(0, make(6)));
    EXPECT_EQ(pop_all(queue_, 0), (numbers{3, 4, 5, 6}));
}

TEST_F(fifo_queue_short_of_memory, a_refused_push_does_no_harm_to_one_that_overtook_it) {
    reclaimer_.interruption = [this] {
        EXPECT_TRUE(queue_.push(1, make(1)));
        reclaimer_.refuses = true;
    };
    EXPECT_FALSE(queue_.push(0, make(2)));
    EXPECT_TRUE(queue_.push(0, make(3)));
    EXPECT_EQ(pop_all(queue_, 0), (numbers{1, 3}));
}

// The refused push gives its position back, and the next push takes it.
TEST_F(fifo_queue_short_of_memory, a_pop_does_not_wait_for_a_push_that_will_be_refused) {
    reclaimer_.refuses = true;
    reclaimer_.interruption = [this] {
        EXPECT_TRUE(queue_.may_have_items()) << "it may succeed";
        EXPECT_EQ(queue_.pop(1), nullptr);
    };
    EXPECT_FALSE(queue_.push(0, make(0)));
    EXPECT_FALSE(queue_.may_have_items());
    reclaimer_.refuses = false;
    EXPECT_TRUE(queue_.push(0, make(1)));
    EXPECT_EQ(pop_all(queue_, 0), (numbers{1}));
}

}  // namespace
