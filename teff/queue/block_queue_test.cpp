// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests block_queue step by step on one thread, which acts as the owner and as the thieves in turn. Concurrent threads
// are tested in tests/stress/block_queue_stress.cpp.
#include <tests/each_reclaimer.hpp>

#include <teff/queue/block_queue.hpp>
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/chosen.hpp>
#include <teff/reclaim/epoch.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using teff::block_queue;
using teff::steal_outcome;

constexpr std::size_t owner = 0, thief = 1, participants = 3;

template <class Queue>
auto claim_value(Queue& queue) {
    auto* const item = queue.claim();
    using value = std::decay_t<decltype(*item)>;
    if (item == nullptr)
        return std::optional<value>();
    std::optional<value> taken(std::move(*item));
    queue.release(item);
    return taken;
}

template <class Queue>
auto steal_value(Queue& queue, std::size_t who = thief) {
    const auto won = queue.claim_steal(who, 1);
    using value = std::decay_t<decltype(*won.first)>;
    if (won.outcome != steal_outcome::won)
        return std::optional<value>();
    std::optional<value> taken(std::move(*won.first));
    queue.release_stolen(won);
    return taken;
}

class block_queue_test : public teff::testing::each_reclaimer {
protected:
    using int_queue = block_queue<int, teff::chosen_reclaimer>;
    teff::chosen_reclaimer reclaimer{GetParam(), participants, threshold};
};

INSTANTIATE_TEST_SUITE_P(, block_queue_test, teff::testing::reclaimers_by_name(), teff::testing::name_of_reclaimer());

TEST_P(block_queue_test, starts_empty) {
    int_queue queue(reclaimer, owner, 2);
    EXPECT_EQ(claim_value(queue), std::nullopt);
    EXPECT_EQ(queue.claim_steal(thief, 3).outcome, steal_outcome::empty);
    EXPECT_FALSE(queue.may_have_items());
    EXPECT_EQ(queue.estimate(), 0U);
    EXPECT_EQ(queue.pushed(), 0U);
    EXPECT_STREQ(queue.check_invariants(), nullptr);
}

TEST_P(block_queue_test, delivers_in_order_to_owner_and_thief) {
    for (const std::size_t capacity : {1U, 2U, 3U, 128U}) {
        int_queue queue(reclaimer, owner, capacity);
        for (int i = 0; i < 1000; ++i) {
            ASSERT_TRUE(queue.push(int{i}));
            ASSERT_STREQ(queue.check_invariants(), nullptr);
        }
        for (int i = 0; i < 1000; ++i) {
            ASSERT_TRUE(queue.may_have_items());
            ASSERT_EQ(i % 3 == 0 ? steal_value(queue) : claim_value(queue), i) << "capacity " << capacity;
            ASSERT_STREQ(queue.check_invariants(), nullptr);
        }
        EXPECT_EQ(claim_value(queue), std::nullopt);
        EXPECT_EQ(steal_value(queue), std::nullopt);
        EXPECT_FALSE(queue.may_have_items());
        EXPECT_EQ(queue.pushed(), 1000U);
        EXPECT_EQ(queue.claimed(), 666U);
    }
}

TEST_P(block_queue_test, every_mix_of_pushes_and_claims_keeps_the_order) {
    int_queue queue(reclaimer, owner, 2);
    int next_in = 0;
    int next_out = 0;
    for (unsigned pattern = 0; pattern < 4096; ++pattern) {
        for (unsigned bit = 0; bit < 12; ++bit) {
            if ((pattern >> bit & 1U) != 0) {
                ASSERT_TRUE(queue.push(int{next_in}));
                ++next_in;
                continue;
            }
            const auto taken = (bit & 1U) != 0 ? claim_value(queue) : steal_value(queue);
            ASSERT_EQ(taken, next_out < next_in ? std::optional<int>(next_out) : std::nullopt);
            next_out += taken ? 1 : 0;
        }
        ASSERT_STREQ(queue.check_invariants(), nullptr);
    }
}

TEST_P(block_queue_test, thieves_pass_over_what_the_owner_has_not_looked_at) {
    int_queue queue(reclaimer, owner, 2);
    for (int i = 0; i < 101; ++i)
        ASSERT_TRUE(queue.push(int{i}));
    for (int i = 0; i < 100; ++i)
        ASSERT_EQ(steal_value(queue, i % 2 == 0 ? 1 : 2), i);
    ASSERT_STREQ(queue.check_invariants(), nullptr);
    EXPECT_EQ(claim_value(queue), 100);
    EXPECT_EQ(claim_value(queue), std::nullopt);
}

TEST_P(block_queue_test, the_estimate_counts_blocks) {
    int_queue queue(reclaimer, owner, 4);
    ASSERT_TRUE(queue.push(0));
    EXPECT_EQ(queue.estimate(), 4U);
    for (int i = 1; i < 9; ++i)
        ASSERT_TRUE(queue.push(int{i}));
    EXPECT_EQ(queue.estimate(), 12U);
    for (int i = 0; i < 9; ++i)
        ASSERT_EQ(claim_value(queue), i);
    EXPECT_EQ(queue.estimate(), 4U);
}

TEST_P(block_queue_test, a_bound_refuses_and_leaves_the_item) {
    block_queue<std::string, teff::chosen_reclaimer> queue(reclaimer, owner, 2);
    std::string item(40, 'x');
    for (int i = 0; i < 4; ++i) {
        std::string copy = item;
        ASSERT_TRUE(queue.push_within(copy, 4));
    }
    EXPECT_FALSE(queue.push_within(item, 4));
    EXPECT_EQ(item, std::string(40, 'x'));
    ASSERT_TRUE(claim_value(queue));
    ASSERT_TRUE(claim_value(queue));
    EXPECT_TRUE(queue.push_within(item, 4));
    EXPECT_STREQ(queue.check_invariants(), nullptr);
}

TEST_P(block_queue_test, an_armed_mark_fails_the_fast_paths_until_disarmed) {
    int_queue queue(reclaimer, owner, 2);
    ASSERT_TRUE(queue.push(1));
    EXPECT_FALSE(queue.is_armed());
    queue.arm();
    EXPECT_TRUE(queue.is_armed());
    int item = 2;
    EXPECT_FALSE(queue.try_push(std::move(item)));
    EXPECT_EQ(queue.claim(), nullptr);
    for (; item < 8; ++item) {
        int copy = item;
        ASSERT_TRUE(queue.push_within(copy, queue.unlimited));
        ASSERT_TRUE(queue.is_armed()) << "a new block must not answer the request";
    }
    EXPECT_EQ(steal_value(queue), 1);
    int* const claimed = queue.claim_next();
    ASSERT_NE(claimed, nullptr);
    EXPECT_EQ(*claimed, 2);
    queue.release(claimed);
    queue.disarm();
    EXPECT_TRUE(queue.try_push(std::move(item)));
    for (int i = 3; i <= 8; ++i)
        EXPECT_EQ(claim_value(queue), i);
}

TEST_P(block_queue_test, a_block_waits_for_the_last_move) {
    int_queue queue(reclaimer, owner, 2);
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(queue.push(int{i}));
    const auto held = queue.claim_steal(thief, 1);
    ASSERT_EQ(held.outcome, steal_outcome::won);
    // Every block is reused many times, except the block in which the thief still has to move its item out.
    for (int i = 4; i < 2000; ++i) {
        ASSERT_TRUE(queue.push(int{i}));
        ASSERT_EQ(claim_value(queue), i - 3);
        ASSERT_EQ(*held.first, 0);
    }
    queue.release_stolen(held);
    for (int i = 2000; i < 4000; ++i) {
        ASSERT_TRUE(queue.push(int{i}));
        ASSERT_EQ(claim_value(queue), i - 3);
    }
    EXPECT_STREQ(queue.check_invariants(), nullptr);
}

TEST_P(block_queue_test, a_thief_takes_at_most_half_of_a_block) {
    int_queue queue(reclaimer, owner, 8);
    for (int i = 0; i < 20; ++i)
        ASSERT_TRUE(queue.push(int{i}));
    int next = 0;
    for (const std::size_t expected : {3U, 3U, 1U, 1U, 4U, 2U, 1U, 1U, 2U, 1U, 1U}) {
        const auto won = queue.claim_steal(thief, 1, next < 3 ? 3 : queue.unlimited);
        ASSERT_EQ(won.outcome, steal_outcome::won);
        ASSERT_EQ(won.count, expected);
        for (std::size_t i = 0; i < won.count; ++i)
            ASSERT_EQ(won.first[i], next++);
        queue.release_stolen(won);
    }
    EXPECT_EQ(next, 20);
    EXPECT_EQ(queue.claim_steal(thief, 1, 8).outcome, steal_outcome::empty);
    EXPECT_STREQ(queue.check_invariants(), nullptr);
}

TEST_P(block_queue_test, the_destructor_destroys_what_is_left) {
    const auto counter = std::make_shared<int>(0);
    {
        block_queue<std::shared_ptr<int>, teff::chosen_reclaimer> queue(reclaimer, owner, 4);
        for (int i = 0; i < 100; ++i)
            ASSERT_TRUE(queue.push(std::shared_ptr<int>(counter)));
        for (int i = 0; i < 33; ++i)
            ASSERT_TRUE(i % 2 == 0 ? claim_value(queue) : steal_value(queue));
        EXPECT_EQ(counter.use_count(), 1 + 67);
    }
    EXPECT_EQ(counter.use_count(), 1);
}

TEST_P(block_queue_test, holds_move_only_items) {
    block_queue<std::unique_ptr<int>, teff::chosen_reclaimer> queue(reclaimer, owner, 2);
    for (int i = 0; i < 9; ++i)
        ASSERT_TRUE(queue.push(std::make_unique<int>(i)));
    for (int i = 0; i < 7; ++i) {
        const auto item = i % 2 == 0 ? claim_value(queue) : steal_value(queue);
        ASSERT_TRUE(item);
        EXPECT_EQ(**item, i);
    }
}

TEST_P(block_queue_test, holds_over_aligned_items) {
    struct alignas(256) wide {
        int value;
    };
    block_queue<wide, teff::chosen_reclaimer> queue(reclaimer, owner, 3);
    for (int i = 0; i < 20; ++i)
        ASSERT_TRUE(queue.push(wide{i}));
    for (int i = 0; i < 20; ++i) {
        wide* const item = queue.claim();
        ASSERT_NE(item, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(item) % 256, 0U);
        EXPECT_EQ(item->value, i);
        queue.release(item);
    }
}

// An item whose move throws on demand; counts the objects that exist.
class brittle {
public:
    explicit brittle(int number) : number_(number) { ++alive; }
    brittle(brittle&& other) : number_(other.number_) {
        if (throws)
            throw std::runtime_error("move");
        ++alive;
    }
    ~brittle() { --alive; }
    int number() const { return number_; }

    static inline bool throws = false;
    static inline int alive = 0;

private:
    int number_;
};

TEST_P(block_queue_test, a_throwing_move_adds_or_takes_nothing_else) {
    {
        block_queue<brittle, teff::chosen_reclaimer> queue(reclaimer, owner, 2);
        for (int i = 0; i < 5; ++i) {
            brittle item(i);
            brittle::throws = true;
            EXPECT_THROW(queue.push(std::move(item)), std::runtime_error);
            brittle::throws = false;
            ASSERT_TRUE(queue.push(std::move(item)));
            ASSERT_STREQ(queue.check_invariants(), nullptr);
        }
        // The thief's move throws: only its item is lost, and its block can be reused after the release.
        const auto won = queue.claim_steal(thief, 1);
        ASSERT_EQ(won.outcome, steal_outcome::won);
        brittle::throws = true;
        EXPECT_THROW(brittle(std::move(*won.first)), std::runtime_error);
        brittle::throws = false;
        queue.release_stolen(won);
        for (int i = 1; i < 5; ++i) {
            brittle* const item = queue.claim();
            ASSERT_NE(item, nullptr);
            EXPECT_EQ(item->number(), i);
            queue.release(item);
        }
        EXPECT_EQ(brittle::alive, 0);
        ASSERT_TRUE(queue.push(brittle(9)));
    }
    EXPECT_EQ(brittle::alive, 0);
}

// An arena that grants `blocks_left` allocations, refuses the next one, and grants all later ones.
class refuses_one_allocation : public teff::arena_reclaimer {
public:
    using arena_reclaimer::arena_reclaimer;
    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept {
        return blocks_left-- == 0 ? nullptr : arena_reclaimer::allocate(participant, bytes, alignment);
    }
    std::size_t blocks_left = 0;
};

TEST(block_queue_memory, push_without_memory_leaves_item_and_queue) {
    for (std::size_t blocks = 0; blocks < 5; ++blocks) {
        refuses_one_allocation reclaimer(participants);
        block_queue<std::string, refuses_one_allocation> queue(reclaimer, owner, 2);
        reclaimer.blocks_left = blocks;
        for (std::size_t i = 0; i < 2 * blocks; ++i)
            ASSERT_TRUE(queue.push(std::to_string(i)));
        std::string item = "refused";
        EXPECT_FALSE(queue.push(std::move(item)));
        EXPECT_EQ(item, "refused");
        EXPECT_STREQ(queue.check_invariants(), nullptr);
        EXPECT_TRUE(queue.push(std::move(item)));
        for (std::size_t i = 0; i < 2 * blocks; ++i)
            EXPECT_EQ(i % 2 == 0 ? claim_value(queue) : steal_value(queue), std::to_string(i));
        EXPECT_EQ(claim_value(queue), "refused");
    }
}

TEST(block_queue_memory, a_block_too_large_for_a_size_is_refused) {
    teff::arena_reclaimer reclaimer(participants);
    block_queue<std::uint64_t, teff::arena_reclaimer> queue(reclaimer, owner, SIZE_MAX / 8);
    EXPECT_FALSE(queue.push(1));
}

// Counts the allocated blocks. Blocks are reused, so alternating pushes and thefts need a bounded number of them.
class counting : public teff::epoch_reclaimer {
public:
    using epoch_reclaimer::epoch_reclaimer;
    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept {
        ++blocks;
        return epoch_reclaimer::allocate(participant, bytes, alignment);
    }
    std::size_t blocks = 0;
};

TEST(block_queue_memory, one_producer_with_thieves_needs_a_bounded_number_of_blocks) {
    counting reclaimer(participants);
    block_queue<int, counting> queue(reclaimer, owner, 2);
    for (int i = 0; i < 100'000; ++i) {
        ASSERT_TRUE(queue.push(int{i}));
        ASSERT_EQ(steal_value(queue), i);
    }
    EXPECT_LT(reclaimer.blocks, 60U);
}

}  // namespace
