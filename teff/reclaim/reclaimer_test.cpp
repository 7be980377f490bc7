// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance suite of the concept `reclaimer`: every member passes all of it.
//
// One-threaded cases play owner and thief in turn, so that each step of the contract can be looked at; the last case
// has real readers that look for blocks that were disposed while they held them.
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/gc.hpp>
#include <teff/reclaim/hazard.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t owner = 0;

constexpr std::uint64_t alive = 0x600D, dead = 0xDEAD;

struct node : teff::reclaimable {
    teff::atomic<std::uint64_t> state{alive};
    std::size_t* disposed = nullptr;  // counts what dispose() was called for
};

void count_disposal(teff::reclaimable* block) noexcept {
    auto* const disposed = static_cast<node*>(block);
    // relaxed: in these tests the owner disposes on its own thread.
    disposed->state.store(dead, std::memory_order_relaxed);
    ++*disposed->disposed;
}

template <class R>
class reclaimer_test : public ::testing::Test {
protected:
    static constexpr std::size_t participants = 4;
    static constexpr bool frees_early = R::name == "epoch" || R::name == "hazard";
    static constexpr bool disposes = R::name != "gc";

    node* make(std::size_t& counter) {
        void* const memory = reclaimer.allocate(owner, sizeof(node), alignof(node));
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
        reclaimer.anchor(owner, after);
        // release: publishes the node; partner: the acquire in protect().
        source.store(after, std::memory_order_release);
        if (before != nullptr)
            reclaimer.retire(owner, *before);
    }
    void replace_often() {
        for (int i = 0; i < 200; ++i)
            replace();
    }

    void TearDown() override {
        for (std::size_t i = 0; i < participants; ++i)
            reclaimer.flush(i);
        // What the collector was told to forget may be gone already.
        for (std::size_t i = 0; disposes && i < nodes.size(); ++i)
            reclaimer.deallocate(owner, nodes[i], sizeof(node), alignof(node));
    }

    R reclaimer{participants};
    std::size_t disposed = 0;        // nodes of replace()
    std::size_t others_disposed = 0;  // nodes of make()
    teff::atomic<node*> source{nullptr};
    std::vector<node*> nodes;
};

using reclaimers = ::testing::Types<teff::epoch_reclaimer, teff::arena_reclaimer, teff::hazard_reclaimer
#if defined(TEFF_WITH_GC)
                                    ,
                                    teff::gc_reclaimer
#endif
                                    >;

struct reclaimer_names {
    template <class R>
    static std::string GetName(int) {
        return std::string(R::name);
    }
};

TYPED_TEST_SUITE(reclaimer_test, reclaimers, reclaimer_names);

TYPED_TEST(reclaimer_test, starts_valid_and_empty) {
    EXPECT_TRUE(this->reclaimer.valid());
    for (std::size_t i = 0; i < this->participants; ++i)
        EXPECT_EQ(this->reclaimer.pending(i), 0U);
}

TYPED_TEST(reclaimer_test, is_invalid_instead_of_aborting_when_there_is_no_memory) {
    EXPECT_FALSE(TypeParam(std::numeric_limits<std::size_t>::max() / 2).valid());
}

TYPED_TEST(reclaimer_test, allocates_aligned_memory) {
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        void* const memory = this->reclaimer.allocate(owner, 300, alignment);
        ASSERT_NE(memory, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
        this->reclaimer.deallocate(owner, memory, 300, alignment);
    }
}

TYPED_TEST(reclaimer_test, keeps_what_a_thief_looks_at) {
    this->replace();
    for (std::size_t thief = 1; thief < this->participants; ++thief) {
        this->reclaimer.enter(thief);
        node* const seen = this->reclaimer.protect(thief, this->source);
        this->replace_often();
        EXPECT_EQ(seen->state.load(std::memory_order_relaxed), alive);
        this->reclaimer.leave(thief);
    }
}

TYPED_TEST(reclaimer_test, keeps_what_a_thief_looks_at_on_its_second_visit) {
    this->replace();
    this->reclaimer.enter(1);
    this->reclaimer.leave(1);
    this->replace_often();
    this->reclaimer.enter(1);
    node* const seen = this->reclaimer.protect(1, this->source);
    this->replace_often();
    EXPECT_EQ(seen->state.load(std::memory_order_relaxed), alive);
    this->reclaimer.leave(1);
}

TYPED_TEST(reclaimer_test, disposes_while_nobody_looks) {
    this->replace_often();
    if (this->frees_early) {
        EXPECT_GT(this->disposed, 100U);
    } else {
        EXPECT_EQ(this->disposed, 0U);
    }
}

TYPED_TEST(reclaimer_test, disposes_again_after_a_slow_thief_has_left) {
    this->replace();
    this->reclaimer.enter(2);
    this->reclaimer.protect(2, this->source);
    this->replace_often();
    this->reclaimer.leave(2);
    const std::size_t before = this->disposed;
    this->replace_often();
    if (this->frees_early) {
        EXPECT_GT(this->disposed, before + 200U);
    }
}

TYPED_TEST(reclaimer_test, disposes_while_thieves_come_and_go) {
    this->replace();
    this->reclaimer.enter(1);
    for (int i = 0; i < 500; ++i) {
        const std::size_t next = 1 + static_cast<std::size_t>(i + 1) % 3;
        this->reclaimer.enter(next);
        this->reclaimer.protect(next, this->source);
        this->reclaimer.leave(1 + static_cast<std::size_t>(i) % 3);
        this->replace();
    }
    this->reclaimer.leave(1 + 500 % 3);
    if (this->frees_early) {
        EXPECT_GT(this->disposed, 400U);
    }
}

TYPED_TEST(reclaimer_test, flush_disposes_of_the_rest) {
    this->replace_often();
    this->reclaimer.flush(owner);
    EXPECT_EQ(this->reclaimer.pending(owner), 0U);
    EXPECT_EQ(this->disposed, this->disposes ? 199U : 0U);
}

TYPED_TEST(reclaimer_test, counts_what_is_pending) {
    this->replace_often();
    EXPECT_EQ(this->reclaimer.pending(owner), this->disposes ? 199U - this->disposed : 0U);
    EXPECT_EQ(this->reclaimer.pending(1), 0U);
}

TYPED_TEST(reclaimer_test, keeps_owners_apart) {
    node* const other = this->make(this->others_disposed);
    this->reclaimer.retire(3, *other);
    this->replace_often();
    EXPECT_EQ(this->others_disposed, 0U);
    this->reclaimer.flush(3);
    EXPECT_EQ(this->others_disposed, this->disposes ? 1U : 0U);
}

// Disposed nodes go back to the owner, which publishes them again with another number: a reader that sees two numbers
// in one node held a node that was disposed.
struct recycled : teff::reclaimable {
    teff::plain<std::uint64_t> first, second;
    std::vector<recycled*>* pool = nullptr;
};

void recycle(teff::reclaimable* block) noexcept {
    auto* const used = static_cast<recycled*>(block);
    used->pool->push_back(used);
}

template <class R>
recycled* number_node(R& reclaimer, std::vector<recycled*>& pool, std::vector<recycled*>& made, std::uint64_t number) {
    if (pool.empty()) {
        made.push_back(::new (reclaimer.allocate(owner, sizeof(recycled), alignof(recycled))) recycled);
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

TYPED_TEST(reclaimer_test, readers_never_see_a_node_reused) {
#if defined(TEFF_THREAD_SANITIZER)
    constexpr std::uint64_t rounds = 20'000;
#else
    constexpr std::uint64_t rounds = 300'000;
#endif
    TypeParam& shared_by_all = this->reclaimer;
    std::vector<recycled*> made;
    std::vector<recycled*> pool;
    pool.reserve(rounds + 1);
    made.reserve(rounds + 1);
    teff::atomic<recycled*> shared{number_node(shared_by_all, pool, made, 0)};
    shared_by_all.anchor(owner, made.front());
    teff::atomic<bool> stop{false};
    teff::atomic<std::uint64_t> wrong{0};

    const auto read = [&](std::size_t me) {
        std::uint64_t last = 0;
        // relaxed: the end need not be seen at once.
        while (!stop.load(std::memory_order_relaxed)) {
            const teff::scoped_participation inside(shared_by_all, me);
            const recycled* const node = shared_by_all.protect(me, shared);
            const std::uint64_t first = node->first.read();
            if (first != node->second.read() || first < last)
                // relaxed: read after the join.
                wrong.fetch_add(1, std::memory_order_relaxed);
            last = first;
        }
    };
    std::thread one(read, 1);
    std::thread two(read, 2);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
        // relaxed: the owner wrote it.
        recycled* const before = shared.load(std::memory_order_relaxed);
        recycled* const after = number_node(shared_by_all, pool, made, round);
        shared_by_all.anchor(owner, after);
        // release: publishes the numbers; partner: the acquire in protect().
        shared.store(after, std::memory_order_release);
        shared_by_all.retire(owner, *before);
    }
    // relaxed: the readers see it soon.
    stop.store(true, std::memory_order_relaxed);
    one.join();
    two.join();
    // relaxed: after the join.
    EXPECT_EQ(wrong.load(std::memory_order_relaxed), 0U);
    shared_by_all.flush(owner);
    if (this->disposes) {
        for (recycled* node : made)
            shared_by_all.deallocate(owner, node, sizeof(recycled), alignof(recycled));
    }
}

}  // namespace
