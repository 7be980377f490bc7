// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance suite of the concept `reclaimer`; every reclaimer passes all of it.
//
// Most cases run on one thread, which acts as owner and thief in turn, so that each step of the contract can be
// checked. The last case has concurrent readers, which check that no block is disposed of while they hold it.
#include <tests/each_reclaimer.hpp>

#include <teff/reclaim/chosen.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t participant_0 = 0;

constexpr std::uint64_t alive = 0x600D, dead = 0xDEAD;

struct node : teff::reclaimable {
    teff::atomic<std::uint64_t> state{alive};
    std::size_t* disposed = nullptr;  // counts the calls of dispose()
};

void count_disposal(teff::reclaimable* block) noexcept {
    auto* const disposed = static_cast<node*>(block);
    // relaxed: in these tests the owner disposes of blocks on its own thread.
    disposed->state.store(dead, std::memory_order_relaxed);
    ++*disposed->disposed;
}

class reclaimer_test : public teff::testing::each_reclaimer {
protected:
    static constexpr std::size_t participants = 4;
    const bool frees_early = GetParam() == "epoch" || GetParam() == "hazard";
    const bool disposes = GetParam() != "gc";

    node* make(std::size_t& counter) {
        void* const memory = reclaimer.allocate(participant_0, sizeof(node), alignof(node));
        auto* const made = ::new (memory) node;
        made->dispose = &count_disposal;
        made->disposed = &counter;
        nodes.push_back(made);
        return made;
    }

    // Publishes a new node in `source` and retires the old one, as an owner does.
    void replace() {
        // relaxed: the owner wrote it.
        node* const before = source.load(std::memory_order_relaxed);
        node* const after = make(disposed);
        reclaimer.anchor(participant_0, after);
        // release: publishes the node; partner: the acquire in protect().
        source.store(after, std::memory_order_release);
        if (before != nullptr)
            reclaimer.retire(participant_0, *before);
    }
    void replace_often() {
        for (int i = 0; i < 200; ++i)
            replace();
    }

    void TearDown() override {
        for (std::size_t i = 0; i < participants; ++i)
            reclaimer.flush(i);
        // The collector may have freed the nodes that were retired.
        for (std::size_t i = 0; disposes && i < nodes.size(); ++i)
            reclaimer.deallocate(participant_0, nodes[i], sizeof(node), alignof(node));
    }

    teff::chosen_reclaimer reclaimer{GetParam(), participants, threshold};
    std::size_t disposed = 0;        // nodes of replace()
    std::size_t others_disposed = 0;  // nodes of make()
    teff::atomic<node*> source{nullptr};
    std::vector<node*> nodes;
};

INSTANTIATE_TEST_SUITE_P(, reclaimer_test, teff::testing::reclaimers_by_name(), teff::testing::name_of_reclaimer());

TEST(chosen_reclaimer, is_invalid_without_a_name_that_it_knows) {
    EXPECT_FALSE(teff::chosen_reclaimer("unknown", 1, 16).valid());
}

TEST_P(reclaimer_test, starts_valid_and_empty) {
    EXPECT_TRUE(reclaimer.valid());
    for (std::size_t i = 0; i < participants; ++i)
        EXPECT_EQ(reclaimer.pending(i), 0U);
}

TEST_P(reclaimer_test, is_invalid_instead_of_aborting_when_there_is_no_memory) {
    EXPECT_FALSE(teff::chosen_reclaimer(GetParam(), std::numeric_limits<std::size_t>::max() / 2, threshold).valid());
}

TEST_P(reclaimer_test, allocates_aligned_memory) {
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        void* const memory = reclaimer.allocate(participant_0, 300, alignment);
        ASSERT_NE(memory, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
        reclaimer.deallocate(participant_0, memory, 300, alignment);
    }
}

TEST_P(reclaimer_test, keeps_what_a_thief_looks_at) {
    replace();
    for (std::size_t thief = 1; thief < participants; ++thief) {
        reclaimer.enter(thief);
        node* const seen = reclaimer.protect(thief, source);
        replace_often();
        EXPECT_EQ(seen->state.load(std::memory_order_relaxed), alive);
        reclaimer.leave(thief);
    }
}

TEST_P(reclaimer_test, keeps_what_a_thief_looks_at_on_its_second_visit) {
    replace();
    reclaimer.enter(1);
    reclaimer.leave(1);
    replace_often();
    reclaimer.enter(1);
    node* const seen = reclaimer.protect(1, source);
    replace_often();
    EXPECT_EQ(seen->state.load(std::memory_order_relaxed), alive);
    reclaimer.leave(1);
}

TEST_P(reclaimer_test, disposes_while_no_thread_reads) {
    replace_often();
    if (frees_early) {
        EXPECT_GT(disposed, 100U);
    } else {
        EXPECT_EQ(disposed, 0U);
    }
}

TEST_P(reclaimer_test, disposes_again_after_a_slow_thief_has_left) {
    replace();
    reclaimer.enter(2);
    reclaimer.protect(2, source);
    replace_often();
    reclaimer.leave(2);
    const std::size_t before = disposed;
    replace_often();
    if (frees_early) {
        EXPECT_GT(disposed, before + 200U);
    }
}

TEST_P(reclaimer_test, disposes_while_thieves_come_and_go) {
    replace();
    reclaimer.enter(1);
    for (int i = 0; i < 500; ++i) {
        const std::size_t next = 1 + static_cast<std::size_t>(i + 1) % 3;
        reclaimer.enter(next);
        reclaimer.protect(next, source);
        reclaimer.leave(1 + static_cast<std::size_t>(i) % 3);
        replace();
    }
    reclaimer.leave(1 + 500 % 3);
    if (frees_early) {
        EXPECT_GT(disposed, 400U);
    }
}

TEST_P(reclaimer_test, flush_disposes_of_the_rest) {
    replace_often();
    reclaimer.flush(participant_0);
    EXPECT_EQ(reclaimer.pending(participant_0), 0U);
    EXPECT_EQ(disposed, disposes ? 199U : 0U);
}

TEST_P(reclaimer_test, counts_what_is_pending) {
    replace_often();
    EXPECT_EQ(reclaimer.pending(participant_0), disposes ? 199U - disposed : 0U);
    EXPECT_EQ(reclaimer.pending(1), 0U);
}

TEST_P(reclaimer_test, keeps_owners_apart) {
    node* const other = make(others_disposed);
    reclaimer.retire(3, *other);
    replace_often();
    EXPECT_EQ(others_disposed, 0U);
    reclaimer.flush(3);
    EXPECT_EQ(others_disposed, disposes ? 1U : 0U);
}

// Disposed nodes return to the owner, which publishes them again with another number. So a reader that sees two
// different numbers in one node holds a node that was disposed of.
struct recycled : teff::reclaimable {
    teff::plain<std::uint64_t> first, second;
    std::vector<recycled*>* pool = nullptr;
};

void recycle(teff::reclaimable* block) noexcept {
    auto* const used = static_cast<recycled*>(block);
    used->pool->push_back(used);
}

recycled* number_node(teff::chosen_reclaimer& reclaimer, std::vector<recycled*>& pool, std::vector<recycled*>& made,
                      std::uint64_t number) {
    if (pool.empty()) {
        made.push_back(::new (reclaimer.allocate(participant_0, sizeof(recycled), alignof(recycled))) recycled);
        made.back()->dispose = &recycle;
        made.back()->pool = &pool;
        pool.push_back(made.back());
    }
    recycled* const node = pool.back();
    pool.pop_back();
    node->first.write(number);
    node->second.write(number);
    return node;
}

TEST_P(reclaimer_test, readers_never_see_a_node_reused) {
    constexpr std::uint64_t rounds = 300'000;
    std::vector<recycled*> made;
    std::vector<recycled*> pool;
    pool.reserve(rounds + 1);
    made.reserve(rounds + 1);
    teff::atomic<recycled*> shared{number_node(reclaimer, pool, made, 0)};
    reclaimer.anchor(participant_0, made.front());
    teff::atomic<bool> stop{false};
    teff::atomic<std::uint64_t> wrong{0};

    const auto read = [&](std::size_t me) {
        std::uint64_t last = 0;
        // relaxed: a reader may see the flag late.
        while (!stop.load(std::memory_order_relaxed)) {
            const teff::scoped_participation inside(reclaimer, me);
            const recycled* const node = reclaimer.protect(me, shared);
            const std::uint64_t first = node->first.read();
            if (first != node->second.read() || first < last)
                // relaxed: it is read only after the join.
                wrong.fetch_add(1, std::memory_order_relaxed);
            last = first;
        }
    };
    std::thread one(read, 1);
    std::thread two(read, 2);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
        // relaxed: the owner wrote it.
        recycled* const before = shared.load(std::memory_order_relaxed);
        recycled* const after = number_node(reclaimer, pool, made, round);
        reclaimer.anchor(participant_0, after);
        // release: publishes the numbers; partner: the acquire in protect().
        shared.store(after, std::memory_order_release);
        reclaimer.retire(participant_0, *before);
    }
    // relaxed: the readers see it eventually, which is enough.
    stop.store(true, std::memory_order_relaxed);
    one.join();
    two.join();
    // relaxed: the readers have been joined.
    EXPECT_EQ(wrong.load(std::memory_order_relaxed), 0U);
    reclaimer.flush(participant_0);
    if (disposes) {
        for (recycled* node : made)
            reclaimer.deallocate(participant_0, node, sizeof(recycled), alignof(recycled));
    }
}

}  // namespace
