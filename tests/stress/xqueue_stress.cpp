// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xqueue, and steal_request with hand_over_cell, between threads. Every item has an identity, and none is lost,
// duplicated, torn or, from one producer to one consumer, out of order.
//
// In the test of the queues, each of four workers pushes to all workers and takes from its own queues. Now and then
// it leaves its consumer token and visits the vacant tokens of the others. In the test of stealing, the items are
// ranges of identities, all of which begin at one worker. A worker without items closes its own requests, asks
// another worker, and waits. An operation is a push or a pop, or the delivery of an identity.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/queue/hand_over_cell.hpp>
#include <teff/queue/xqueue.hpp>
#include <teff/scheduler/member_registry.hpp>
#include <teff/scheduler/steal_request.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr unsigned workers = 4;

template <class Work>
void on_all_workers(Work&& work) {
    std::vector<std::thread> threads;
    for (unsigned self = 0; self < workers; ++self)
        threads.emplace_back([&work, self] { work(self); });
    for (std::thread& each : threads)
        each.join();
}

// The number of items delivered by all threads. A thread without work adds the number that it has delivered, and
// checks for the end.
class progress {
public:
    explicit progress(std::uint64_t items) : items_(items) {}
    bool is_over(std::uint64_t& mine) {
        // relaxed, both: the identities are checked after the threads were joined.
        delivered_.fetch_add(std::exchange(mine, 0), std::memory_order_relaxed);
        return delivered_.load(std::memory_order_relaxed) == items_;
    }

private:
    const std::uint64_t items_;
    teff::atomic<std::uint64_t> delivered_{0};
};

// A kind of item is made from an identity and returns it.
struct plain {
    explicit plain(std::uint64_t identity) : number(identity), complement(~identity) {}
    std::uint64_t identity() const { return number == ~complement ? number : ~std::uint64_t{0}; }
    std::uint64_t number, complement;
};
struct move_only {
    explicit move_only(std::uint64_t identity) : number(std::make_unique<std::uint64_t>(identity)) {}
    std::uint64_t identity() const { return *number; }
    std::unique_ptr<std::uint64_t> number;
};

template <class Item>
class dealing {
public:
    dealing(std::uint64_t items_each, std::size_t capacity)
        : items_each_(items_each), capacity_(capacity), all_(items_each * workers), end_(items_each * workers) {}

    void run() {
        on_all_workers([this](unsigned self) { work(self); });
        EXPECT_EQ(all_.missing(), 0U);
        for (place& each : places_) {
            EXPECT_EQ(each.wrong, 0U) << "items were doubled, torn or out of order";
            EXPECT_FALSE(each.queues.may_have_items());
            each.queues.check_invariants();
        }
    }

private:
    struct alignas(teff::false_sharing_range) place {
        teff::consumer_token token;
        teff::xqueue<Item> queues;
        // Used by the holder of the token.
        std::uint64_t next[workers] = {};
        std::uint64_t wrong = 0;
    };

    void work(unsigned self) {
        place& mine = places_[self];
        mine.token.enter();
        EXPECT_TRUE(mine.queues.open(workers, capacity_, capacity_ / 2));
        teff::random_generator random(self + 1);
        teff::backoff idle;
        std::uint64_t pushed = 0, delivered = 0;
        for (;;) {
            const bool has_pushed = pushed != items_each_ && push(self, random.below(workers), pushed);
            pushed += has_pushed ? 1 : 0;
            if (take(mine, delivered) || has_pushed) {
                idle.reset();
                continue;
            }
            if (end_.is_over(delivered))
                break;
            mine.token.leave();
            visit(random.below(workers), delivered);
            mine.token.enter();
            idle.pause();
        }
        mine.token.leave();
    }
    bool push(unsigned self, unsigned to, std::uint64_t number) {
        return places_[to].queues.is_open() && places_[to].queues.push(ring_.distance(self, to),
                                                                      Item(self * items_each_ + number));
    }
    bool take(place& from, std::uint64_t& delivered) {
        const Item* const item = from.queues.front();
        if (item == nullptr)
            return false;
        const std::uint64_t identity = item->identity();
        const unsigned producer = ring_.producer_at(static_cast<unsigned>(&from - places_), from.queues.current());
        const bool is_right = identity / items_each_ == producer && identity >= from.next[producer] &&
                              all_.deliver(identity);
        from.wrong += is_right ? 0 : 1;
        from.next[producer] = identity + 1;
        from.queues.pop_front();
        ++delivered;
        return true;
    }
    void visit(unsigned whom, std::uint64_t& delivered) {
        place& other = places_[whom];
        if (!other.token.is_vacant() || !other.queues.may_have_items() || !other.token.try_visit())
            return;
        take(other, delivered);
        other.token.end_visit();
    }

    const std::uint64_t items_each_;
    const std::size_t capacity_;
    const teff::xqueue_ring ring_{workers, 1, workers * workers};
    place places_[workers];
    stress::identities all_;
    progress end_;
};

TEST(xqueue_stress, plain_items_are_dealt_and_visited) {
    const std::uint64_t items = stress::operations() / 150 / workers;
    for (const std::size_t capacity : {4U, 64U})
        dealing<plain>(items / 2, capacity).run();
}

TEST(xqueue_stress, items_that_only_move_are_dealt_and_visited) {
    const std::uint64_t items = stress::operations() / 600 / workers;
    for (const std::size_t capacity : {4U, 64U})
        dealing<move_only>(items / 2, capacity).run();
}

class thefts {
public:
    explicit thefts(std::uint64_t identities) : all_(identities), end_(identities) {
        places_[0].begin = 0;
        places_[0].end = identities;
    }

    void run() {
        on_all_workers([this](unsigned self) { work(self); });
        EXPECT_EQ(all_.missing(), 0U);
        for (const place& each : places_) {
            EXPECT_EQ(each.wrong, 0U) << "identities were delivered twice";
            EXPECT_FALSE(each.cell.is_full());
        }
    }

private:
    struct range {
        std::uint64_t begin, end;
    };
    struct alignas(teff::false_sharing_range) place {
        teff::hand_over_cell<std::unique_ptr<range>> cell;
        teff::steal_request requests;
        // Used by the worker itself.
        std::uint64_t begin = 0, end = 0;
        std::uint64_t wrong = 0;
    };

    void work(unsigned self) {
        place& mine = places_[self];
        teff::random_generator random(self + 1);
        teff::backoff idle;
        std::uint64_t delivered = 0;
        for (;;) {
            while (mine.begin != mine.end) {
                answer(self, random);
                mine.wrong += all_.deliver(mine.begin++) ? 0U : 1U;
                ++delivered;
            }
            mine.requests.close(self);
            if (end_.is_over(delivered))
                return;
            if (steal(self, random, delivered)) {
                mine.requests.next_round();
                idle.reset();
            }
            idle.pause();
        }
    }
    // Gives away a few items, never the last one.
    void answer(unsigned self, teff::random_generator& random) {
        place& mine = places_[self];
        const unsigned thief = mine.requests.asking_thief(self);
        if (thief == teff::steal_request::nobody)
            return;
        if (mine.end - mine.begin > 1) {
            const std::uint64_t most = mine.end - mine.begin - 1;
            const std::uint64_t given = std::min<std::uint64_t>(most, 1 + random.below(16));
            places_[thief].cell.put(std::make_unique<range>(mine.end - given, mine.end));
            mine.end -= given;
        }
        mine.requests.next_round();
    }
    // Waits until the round is over. Also stops when all items are delivered, because the victim may then have
    // returned without an answer.
    bool steal(unsigned self, teff::random_generator& random, std::uint64_t& delivered) {
        place& mine = places_[self];
        const unsigned victim = random.below(workers);
        if (victim == self)
            return false;
        teff::steal_request& at = places_[victim].requests;
        const teff::steal_request::round asked = at.ask(self);
        if (asked == teff::steal_request::not_asked)
            return false;
        teff::backoff wait;
        while (!mine.cell.is_full() && !at.is_over(asked) && !end_.is_over(delivered)) {
            mine.requests.close(self);
            at.ask_again(self, asked);
            wait.pause();
        }
        const std::unique_ptr<range>* const got = mine.cell.get();
        if (got == nullptr)
            return false;
        mine.begin = (*got)->begin;
        mine.end = (*got)->end;
        mine.cell.clear();
        return true;
    }

    place places_[workers];
    stress::identities all_;
    progress end_;
};

TEST(steal_request_stress, what_thieves_and_victims_hand_over_is_neither_lost_nor_doubled) {
    for (int round = 0; round < 5; ++round)
        thefts(stress::operations() / 30).run();
}

}  // namespace
