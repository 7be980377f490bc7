// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bqueue between threads: every item has a number, and the numbers must come out in order, so none is lost,
// duplicated or torn.
//
// Covers rings and batches from the smallest on, and plain, move-only, throwing and pointer items; with one thread at
// each end, and with two threads per end that pass the role to each other under a lock. Another test checks the
// guarantee of may_have_items(). An operation is a push or a pop.
#include <tests/conformance/tracked.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/locks.hpp>
#include <teff/queue/bqueue.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t torn = ~std::uint64_t{0};

// A kind of item pushes a number, and later extracts it from what front() returns. Only one thread at a time pushes.
class plain {
public:
    static constexpr std::uint64_t price = 1;  // relative cost of a step
    struct item {
        std::uint64_t number, complement, again;
    };
    explicit plain(std::size_t) {}
    bool push(teff::bqueue<item>& queue, std::uint64_t number) { return queue.try_push(item{number, ~number, number}); }
    static std::uint64_t number(const item* it) {
        return it->number == it->again && it->number == ~it->complement ? it->number : torn;
    }
};

class move_only {
public:
    static constexpr std::uint64_t price = 4;
    using item = std::unique_ptr<std::uint64_t>;
    explicit move_only(std::size_t) {}
    bool push(teff::bqueue<item>& queue, std::uint64_t number) {
        return queue.try_push(std::make_unique<std::uint64_t>(number));
    }
    static std::uint64_t number(item* it) {
        const item taken = std::move(*it);
        return taken ? *taken : torn;
    }
};

// About every eighth move throws.
class throwing {
public:
    static constexpr std::uint64_t price = 20;
    using item = conformance::tracked<>;
    explicit throwing(std::size_t) {}
    ~throwing() { item::moves.set(0); }
    bool push(teff::bqueue<item>& queue, std::uint64_t number) {
        item::moves.set(1 + random_.below(8));
        try {
            return queue.try_push(item(static_cast<std::uint32_t>(number)));
        } catch (const conformance::failure&) {
            return false;
        }
    }
    static std::uint64_t number(const item* it) { return it->number(); }

private:
    teff::random_generator random_{1};
};

// The pointers' targets are ordinary memory, and are overwritten as soon as the ring must have room again.
class pointers {
public:
    static constexpr std::uint64_t price = 1;
    using item = const std::uint64_t*;
    explicit pointers(std::size_t capacity) : targets_(2 * capacity) {}
    bool push(teff::bqueue<item>& queue, std::uint64_t number) {
        std::uint64_t& target = targets_[static_cast<std::size_t>(number) % targets_.size()];
        target = number;
        return queue.try_push(&target);
    }
    static std::uint64_t number(item it) { return *it; }

private:
    std::vector<std::uint64_t> targets_;
};

// The state of one end. The thread that holds the lock has the role.
struct alignas(teff::false_sharing_range) role {
    explicit role(std::uint64_t seed) : random(seed) {}
    teff::mutex lock;
    teff::random_generator random;
    std::uint64_t next = 0;
    std::uint64_t wrong = 0;
};

template <class Kind>
class stress_run {
public:
    stress_run(std::uint64_t items, std::size_t capacity, std::size_t batch)
        : items_(items), kind_(capacity), producer_(capacity), consumer_(batch) {
        opened_ = queue_.open(capacity, batch);
        longest_burst_ = static_cast<std::uint32_t>(2 * capacity);
    }

    void run(unsigned threads_per_role) {
        ASSERT_TRUE(opened_);
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < threads_per_role; ++i) {
            threads.emplace_back([this] { play(producer_, [this] { return push(); }); });
            threads.emplace_back([this] { play(consumer_, [this] { return pop(); }); });
        }
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(producer_.next, items_);
        EXPECT_EQ(consumer_.next, items_);
        EXPECT_EQ(consumer_.wrong, 0U) << "items were lost, doubled, torn or out of order";
        EXPECT_FALSE(queue_.may_have_items());
        queue_.check_invariants();
    }

private:
    bool push() { return kind_.push(queue_, producer_.next); }
    bool pop() {
        const auto item = queue_.front();
        if (item == nullptr)
            return false;
        consumer_.wrong += Kind::number(item) == consumer_.next ? 0U : 1U;
        queue_.pop_front();
        return true;
    }

    // Performs steps in bursts until all items have passed this end. A failed step ends the burst, so that another
    // thread may take the role.
    template <class Step>
    void play(role& mine, Step&& step) {
        teff::backoff idle;
        for (std::uint64_t before = 0, done = 0; done != items_; before = done) {
            done = burst(mine, step);
            if (done != before)
                idle.reset();
            idle.pause();
        }
    }
    template <class Step>
    std::uint64_t burst(role& mine, Step&& step) {
        const teff::scoped_lock hold(mine.lock);
        for (std::uint32_t n = 1 + mine.random.below(longest_burst_); n > 0 && mine.next != items_ && step(); --n)
            ++mine.next;
        return mine.next;
    }

    const std::uint64_t items_;
    std::uint32_t longest_burst_ = 0;
    bool opened_ = false;
    Kind kind_;
    teff::bqueue<typename Kind::item> queue_;
    role producer_;
    role consumer_;
};

template <class Kind>
class bqueue_stress : public testing::Test {
protected:
    // The smaller a ring, the fewer items it gets: small rings progress only with every switch between the threads.
    static void run(unsigned threads_per_role, std::uint64_t items) {
        struct shape {
            std::size_t capacity, batch;
            std::uint64_t share;
        };
        for (const shape each : {shape{2, 1, 1000}, shape{4, 2, 1000}, shape{16, 8, 200}, shape{64, 4, 40},
                                 shape{1024, 64, 2}, shape{1024, 512, 4}}) {
            SCOPED_TRACE("capacity " + std::to_string(each.capacity) + ", batch " + std::to_string(each.batch));
            stress_run<Kind>(items / Kind::price / each.share, each.capacity, each.batch).run(threads_per_role);
        }
    }
};

using kinds = testing::Types<plain, move_only, throwing, pointers>;
struct kind_names {
    template <class Kind>
    static std::string GetName(int index) {
        constexpr const char* names[] = {"plain", "move_only", "throwing", "pointers"};
        return names[index];
    }
};
TYPED_TEST_SUITE(bqueue_stress, kinds, kind_names);

TYPED_TEST(bqueue_stress, items_come_out_in_order) { this->run(1, stress::operations() / 40); }

TYPED_TEST(bqueue_stress, roles_pass_from_thread_to_thread) { this->run(2, stress::operations() / 100); }

// In each round the consumer pops all items but the last one. A thread that looks meanwhile must not miss that item.
TEST(bqueue_hint, an_item_that_stays_is_always_seen) {
    constexpr std::uint64_t capacity = 512, looks_after = 1;
    const std::uint64_t rounds = stress::operations() / (100 * capacity);
    teff::bqueue<std::uint64_t> queue;
    ASSERT_TRUE(queue.open(capacity, 64));
    teff::atomic<std::uint64_t> begun{0}, popped{0}, looked{0};
    std::uint64_t misses = 0;
    const auto await = [](const teff::atomic<std::uint64_t>& round, std::uint64_t number) {
        // acquire: everything before that round's release store happens before the caller's next steps; partner: the
        // release stores of `popped`, `looked` and `begun` below.
        for (teff::backoff idle; round.load(std::memory_order_acquire) < number;)
            idle.pause();
    };
    std::thread consumer([&] {
        for (std::uint64_t round = 1; round <= rounds; ++round) {
            await(begun, round);
            for (std::uint64_t i = 1; i < capacity && queue.front() != nullptr; ++i)
                queue.pop_front();
            // release: see await().
            popped.store(round, std::memory_order_release);
        }
    });
    std::thread observer([&] {
        for (std::uint64_t round = 1; round <= rounds; ++round) {
            await(begun, round);
            // relaxed: only ends the loop.
            for (std::uint64_t after = 0; after <= looks_after; after += popped.load(std::memory_order_relaxed) / round)
                misses += queue.may_have_items() ? 0U : 1U;
            // release: see await().
            looked.store(round, std::memory_order_release);
        }
    });
    for (std::uint64_t round = 1; round <= rounds; ++round) {
        for (std::uint64_t i = 0; i < capacity; ++i)
            EXPECT_TRUE(queue.try_push(i));
        // release: see await().
        begun.store(round, std::memory_order_release);
        await(popped, round);
        await(looked, round);
        const std::uint64_t* const last = queue.front();
        EXPECT_TRUE(last != nullptr && *last == capacity - 1);
        if (last != nullptr)
            queue.pop_front();
    }
    consumer.join();
    observer.join();
    EXPECT_EQ(misses, 0U);
    queue.check_invariants();
}

}  // namespace
