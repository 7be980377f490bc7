// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_queue with an owner that pushes and claims in bursts, and one to three thieves: no item is lost, duplicated,
// torn or delivered out of order, with any reclaimer, for plain, move-only and throwing items, and for blocks of 2
// and of 128.
//
// Every item carries its identity, which is its number in push order. Each consumer sees increasing identities, since
// slots are won in order. An operation is a push or a delivery. Thieves also arm the mark now and then.
#include <tests/each_reclaimer.hpp>
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/queue/block_queue.hpp>
#include <teff/reclaim/chosen.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using teff::steal_outcome;

// Each kind of item returns its identity, or `torn` if it is not the item that was pushed.
constexpr std::uint64_t torn = ~std::uint64_t{0};

class plain_item {
public:
    explicit plain_item(std::uint64_t identity) : identity_(identity), complement_(~identity) {}
    std::uint64_t identity() const { return identity_ == ~complement_ ? identity_ : torn; }

private:
    std::uint64_t identity_, complement_;
};

class move_only_item {
public:
    explicit move_only_item(std::uint64_t identity) : identity_(std::make_unique<std::uint64_t>(identity)) {}
    std::uint64_t identity() const { return identity_ ? *identity_ : torn; }

private:
    std::unique_ptr<std::uint64_t> identity_;
};

// About every sixteenth move throws, and leaves its source unchanged.
class throwing_item {
public:
    explicit throwing_item(std::uint64_t identity) : identity_(std::make_unique<std::uint64_t>(identity)) {}
    throwing_item(throwing_item&& other) {
        thread_local teff::random_generator random(reinterpret_cast<std::uintptr_t>(&random));
        if (random.below(16) == 0)
            throw std::runtime_error("move");
        identity_ = std::move(other.identity_);
    }
    std::uint64_t identity() const { return identity_ ? *identity_ : torn; }

private:
    std::unique_ptr<std::uint64_t> identity_;
};

// Moves an item out as a consumer does and returns its identity, also if the move throws.
template <class T>
std::uint64_t move_out(T& item) {
    try {
        const T taken(std::move(item));
        return taken.identity();
    } catch (const std::runtime_error&) {
        return item.identity();
    }
}

template <class T>
class stress_run {
public:
    stress_run(std::string_view reclaimer, std::uint64_t items, std::size_t capacity, unsigned thieves,
               std::uint64_t seed)
        : items_(items), capacity_(capacity), thieves_(thieves), seed_(seed), reclaimer_(reclaimer, thieves + 1, 16),
          queue_(reclaimer_, 0, capacity), delivered_(items) {}

    void run() {
        std::vector<std::thread> threads;
        for (unsigned thief = 1; thief <= thieves_; ++thief)
            threads.emplace_back([this, thief] { steal(thief); });
        own();
        // relaxed: only ends the thieves' loop, which polls; partner: the load in steal().
        done_.store(true, std::memory_order_relaxed);
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the join.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
        // relaxed: after the join.
        EXPECT_EQ(queue_.pushed() - queue_.claimed(), stolen_.load(std::memory_order_relaxed));
        EXPECT_EQ(queue_.check_invariants(), nullptr);
    }

private:
    // The observations of one consumer.
    class consumer {
    public:
        explicit consumer(stress_run& run) : run_(run) {}
        void take(T& item) {
            const std::uint64_t identity = move_out(item);
            if (!run_.delivered_.deliver(identity) || (any_ && identity <= last_))
                // relaxed: read after the join.
                run_.mistakes_.fetch_add(1, std::memory_order_relaxed);
            any_ = true;
            last_ = identity;
        }

    private:
        stress_run& run_;
        std::uint64_t last_ = 0;
        bool any_ = false;
    };

    void own() {
        teff::random_generator random(seed_);
        consumer me(*this);
        const auto burst = static_cast<std::uint32_t>(3 * capacity_ + 2);
        std::uint64_t next = 0;
        std::uint64_t rounds = 0;
        while (next < items_) {
            for (std::uint32_t n = random.below(burst); n > 0 && next < items_; --n)
                next += push(next) ? 1 : 0;
            for (std::uint32_t n = random.below(burst); n > 0 && claim(me); --n) {
            }
            if (++rounds % 64 == 0) {
                const char* const broken = queue_.check_invariants();
                ASSERT_EQ(broken, nullptr) << broken;
            }
        }
        while (claim(me)) {
        }
    }

    bool push(std::uint64_t identity) {
        T item(identity);
        try {
            return queue_.push(std::move(item));
        } catch (const std::runtime_error&) {
            return false;
        }
    }

    bool claim(consumer& me) {
        T* item = queue_.claim();
        if (item == nullptr) {
            if (queue_.is_armed())
                queue_.disarm();
            item = queue_.claim_next();
        }
        if (item == nullptr)
            return false;
        me.take(*item);
        queue_.release(item);
        return true;
    }

    // Takes all items won, and releases them in two parts.
    void take_all(consumer& me, const teff::stolen_items<T>& won, teff::random_generator& random) {
        for (std::size_t i = 0; i < won.count; ++i)
            me.take(won.first[i]);
        const std::size_t early = random.below(static_cast<std::uint32_t>(won.count));
        if (early != 0)
            queue_.release_stolen(*won.home, won.first, early);
        queue_.release_stolen(*won.home, won.first + early, won.count - early);
    }

    void steal(unsigned thief) {
        teff::random_generator random(seed_ + thief);
        consumer me(*this);
        std::uint64_t stolen = 0;
        for (teff::backoff idle;;) {
            // relaxed: once this is set, the queue stays empty, and the thief checks that afterwards; partner: the
            // store in run().
            const bool last_round = done_.load(std::memory_order_relaxed);
            const std::size_t most = random.below(2) == 0 ? 1 : random.below(100) + 1;
            const auto won = queue_.claim_steal(thief, 1 + random.below(8), most);
            if (won.outcome == steal_outcome::won) {
                take_all(me, won, random);
                stolen += won.count;
                idle.reset();
            } else if (last_round && !queue_.may_have_items()) {
                break;
            } else {
                if (random.below(64) == 0)
                    queue_.arm();
                idle.pause();
            }
        }
        // relaxed: read after the join.
        stolen_.fetch_add(stolen, std::memory_order_relaxed);
    }

    const std::uint64_t items_;
    const std::size_t capacity_;
    const unsigned thieves_;
    const std::uint64_t seed_;
    teff::chosen_reclaimer reclaimer_;
    teff::block_queue<T, teff::chosen_reclaimer> queue_;
    stress::identities delivered_;
    teff::atomic<std::uint64_t> mistakes_{0};
    teff::atomic<std::uint64_t> stolen_{0};
    teff::atomic<bool> done_{false};
};

class block_queue_stress : public teff::testing::each_reclaimer {
protected:
    // Runs this reclaimer's share of all operations for this kind of item: `sixteenths` sixteenths.
    template <class T>
    void stress(std::uint64_t sixteenths) {
        constexpr std::uint64_t reclaimers = 3, runs = 6;
        const std::uint64_t items = stress::operations() / 2 * sixteenths / 16 / reclaimers / runs + 1;
        std::uint64_t seed = 1;
        for (const std::size_t capacity : {std::size_t{2}, std::size_t{128}}) {
            for (unsigned thieves = 1; thieves <= 3; ++thieves) {
                SCOPED_TRACE("capacity " + std::to_string(capacity) + ", thieves " + std::to_string(thieves) +
                             ", seed " + std::to_string(seed));
                stress_run<T>(GetParam(), items, capacity, thieves, seed++).run();
            }
        }
    }
};

INSTANTIATE_TEST_SUITE_P(, block_queue_stress, teff::testing::reclaimers_by_name(), teff::testing::name_of_reclaimer());

TEST_P(block_queue_stress, plain_items) { stress<plain_item>(12); }

TEST_P(block_queue_stress, move_only_items) { stress<move_only_item>(3); }

TEST_P(block_queue_stress, throwing_items) { stress<throwing_item>(1); }

}  // namespace
