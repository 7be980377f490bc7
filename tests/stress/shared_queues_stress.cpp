// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queues of pointers that several threads take from, with threads that push, pop and steal in bursts: no item is
// lost, duplicated, torn or used by two threads at once.
//
// Queues of nodes: each worker has its own queue and a few nodes. Nodes travel: a node belongs to the worker that
// took it last, so the same nodes are pushed again often. Each push has an identity, stored in the node's ordinary
// memory. Descriptors: one creator, and other threads that finish them. The FIFO: all workers push to one queue and
// pop from it, and no worker sees two items of one worker in the wrong order.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/queue/fifo_queue.hpp>
#include <teff/queue/locked_deque.hpp>
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/hazard.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct node {
    std::uint64_t identity = 0, complement = 0;
};

// How a worker uses its own queue and the others'. push() returns false if there is no memory.
class locked_deque_worker {
public:
    bool push(node& item) { return queue_.push(&item); }
    node* pop() { return queue_.pop(); }
    node* steal_from(locked_deque_worker& victim, teff::random_generator&) {
        return victim.queue_.try_take_oldest().item;
    }
    bool may_have_items() const { return queue_.may_have_items(); }
    const char* check_invariants() { return queue_.check_invariants(); }

private:
    teff::locked_deque<node*, 2> queue_;
};

class several_from_locked_deque {
public:
    bool push(node& item) { return queue_.push(&item); }
    node* pop() { return queue_.pop(); }
    node* steal_from(several_from_locked_deque& victim, teff::random_generator& random) {
        std::vector<node*> stolen;
        victim.queue_.try_take_oldest(1 + random.below(5), [&](node* each) { stolen.push_back(each); });
        if (stolen.empty())
            return nullptr;
        std::size_t next = 1;
        EXPECT_TRUE(queue_.push_all(stolen.size() - 1, [&] { return stolen[next++]; }));
        return stolen[0];
    }
    bool may_have_items() const { return queue_.may_have_items(); }
    const char* check_invariants() { return queue_.check_invariants(); }

private:
    teff::locked_deque<node*, 2> queue_;
};

template <class Worker>
class stress_run {
public:
    stress_run(std::uint64_t items, unsigned workers, std::uint32_t nodes, std::uint64_t seed)
        : items_(items), nodes_each_(nodes), seed_(seed), nodes_(workers * nodes), delivered_(items) {
        for (unsigned i = 0; i < workers; ++i)
            workers_.push_back(std::make_unique<Worker>());
    }

    void run() {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < workers_.size(); ++i)
            threads.emplace_back([this, i] { work(i); });
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the join.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
        for (const auto& worker : workers_)
            EXPECT_EQ(worker->check_invariants(), nullptr);
    }

private:
    void work(unsigned me) {
        teff::random_generator random(seed_ + me);
        std::vector<node*> free;
        for (std::uint32_t i = 0; i < nodes_each_; ++i)
            free.push_back(&nodes_[me * nodes_each_ + i]);
        for (teff::backoff idle;;) {
            for (std::uint32_t n = random.below(2 * nodes_each_); n > 0 && !free.empty() && push(me, free); --n) {
            }
            // acquire: a thread that knows that all were pushed sees what is in the queues; partner: the release in
            // push().
            const bool all_pushed = pushed_.load(std::memory_order_acquire) == items_;
            const bool any_own = take_own(me, random, free);
            if (steal(me, random, free) || any_own)
                idle.reset();
            else if (all_pushed && nothing_left())
                return;
            else
                idle.pause();
        }
    }

    // Returns false if there is nothing more to push.
    bool push(unsigned me, std::vector<node*>& free) {
        // relaxed, both: only distinct numbers are needed.
        if (next_.load(std::memory_order_relaxed) >= items_)
            return false;
        const std::uint64_t identity = next_.fetch_add(1, std::memory_order_relaxed);
        if (identity >= items_)
            return false;
        node& item = *free.back();
        free.pop_back();
        item.identity = identity;
        item.complement = ~identity;
        if (!workers_[me]->push(item))
            // relaxed: read after the join.
            mistakes_.fetch_add(1, std::memory_order_relaxed);
        // release: makes the push visible; partner: the acquire in work().
        pushed_.fetch_add(1, std::memory_order_release);
        return true;
    }
    bool take_own(unsigned me, teff::random_generator& random, std::vector<node*>& free) {
        bool any = false;
        for (std::uint32_t n = random.below(2 * nodes_each_); n > 0; --n)
            any |= take(workers_[me]->pop(), free);
        return any;
    }
    bool steal(unsigned me, teff::random_generator& random, std::vector<node*>& free) {
        const std::uint32_t victim = random.below(static_cast<std::uint32_t>(workers_.size()));
        return victim != me && take(workers_[me]->steal_from(*workers_[victim], random), free);
    }
    bool take(node* item, std::vector<node*>& free) {
        if (item == nullptr)
            return false;
        // Overwritten, so that a second taker would notice.
        const std::uint64_t identity = std::exchange(item->identity, ~std::uint64_t{0});
        if (identity != ~std::exchange(item->complement, 0) || !delivered_.deliver(identity))
            // relaxed: read after the join.
            mistakes_.fetch_add(1, std::memory_order_relaxed);
        free.push_back(item);
        return true;
    }
    bool nothing_left() const {
        for (const auto& worker : workers_) {
            if (worker->may_have_items())
                return false;
        }
        return true;
    }

    const std::uint64_t items_;
    const std::uint32_t nodes_each_;
    const std::uint64_t seed_;
    std::vector<node> nodes_;
    std::vector<std::unique_ptr<Worker>> workers_;
    stress::identities delivered_;
    teff::atomic<std::uint64_t> mistakes_{0};
    teff::atomic<std::uint64_t> next_{0};
    teff::atomic<std::uint64_t> pushed_{0};
};

template <class Reclaimer, std::size_t Cells>
class fifo_run {
public:
    fifo_run(std::uint64_t items, unsigned workers, std::uint64_t seed)
        : share_(items / workers + 1), workers_(workers), seed_(seed), items_(workers * share_), reclaimer_(workers),
          queue_(reclaimer_), delivered_(workers * share_) {}

    void run() {
        stress::on_threads(workers_, [this](unsigned i) { work(i); });
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the join.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
        EXPECT_FALSE(queue_.may_have_items());
        EXPECT_EQ(queue_.check_invariants(), nullptr);
    }

private:
    void work(unsigned me) {
        teff::random_generator random(seed_ + me);
        std::vector<std::uint64_t> at_least(workers_, 0);
        std::uint64_t next = me * share_;
        const std::uint64_t end = next + share_;
        for (teff::backoff idle;;) {
            for (std::uint32_t n = random.below(8); n > 0 && next < end; --n, ++next)
                push(me, next);
            // acquire: a thread that knows that all were pushed sees what is in the queue; partner: the release in
            // push().
            const bool all_pushed = pushed_.load(std::memory_order_acquire) == items_.size();
            bool any = false;
            for (std::uint32_t n = random.below(8); n > 0 && pop(me, at_least); --n)
                any = true;
            if (any)
                idle.reset();
            else if (all_pushed && !queue_.may_have_items())
                return;
            else
                idle.pause();
        }
    }

    void push(unsigned me, std::uint64_t identity) {
        items_[identity] = identity;
        if (!queue_.push(me, &items_[identity]))
            // relaxed: read after the join.
            mistakes_.fetch_add(1, std::memory_order_relaxed);
        // release: makes the push visible; partner: the acquire in work().
        pushed_.fetch_add(1, std::memory_order_release);
    }

    bool pop(unsigned me, std::vector<std::uint64_t>& at_least) {
        const std::uint64_t* const item = queue_.pop(me);
        if (item == nullptr)
            return false;
        const std::uint64_t identity = *item;
        std::uint64_t& of_its_worker = at_least[identity / share_];
        if (!delivered_.deliver(identity) || identity < of_its_worker)
            // relaxed: read after the join.
            mistakes_.fetch_add(1, std::memory_order_relaxed);
        of_its_worker = identity;
        return true;
    }

    const std::uint64_t share_;
    const unsigned workers_;
    const std::uint64_t seed_;
    std::vector<std::uint64_t> items_;
    Reclaimer reclaimer_;
    teff::fifo_queue<std::uint64_t*, Reclaimer, Cells> queue_;
    stress::identities delivered_;
    teff::atomic<std::uint64_t> mistakes_{0};
    teff::atomic<std::uint64_t> pushed_{0};
};

// Descriptors of one creator go through a queue, and other threads finish them.
class descriptor_run {
public:
    descriptor_run(std::uint64_t items, unsigned finishers, std::size_t limit, std::uint64_t seed)
        : items_(items), finishers_(finishers), limit_(limit), seed_(seed), delivered_(items) {}

    void run() {
        ASSERT_TRUE(pool_.open(sizeof(payload), alignof(payload)));
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < finishers_; ++i)
            threads.emplace_back([this] { finish_all(); });
        create_all();
        for (std::thread& thread : threads)
            thread.join();
        pool_.gather();
        EXPECT_EQ(pool_.pending(), 0U);
        pool_.check_invariants();
        EXPECT_LT(pool_.size(), 4 * limit_ + teff::descriptor_pool::first_size);
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the join.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
    }

private:
    struct payload {
        std::uint64_t identity, complement;
    };

    void create_all() {
        teff::random_generator random(seed_);
        teff::backoff idle;
        for (std::uint64_t next = 0; next < items_;) {
            teff::task_descriptor* const made = pool_.pending() < limit_ ? pool_.take() : nullptr;
            if (made != nullptr) {
                ::new (made->payload(alignof(payload))) payload{next, ~next};
                if (!queue_.push(made))
                    // relaxed: read after the join.
                    mistakes_.fetch_add(1, std::memory_order_relaxed);
                ++next;
                idle.reset();
            } else {
                pool_.gather_some();
                idle.pause();
            }
            if (random.below(4) == 0)
                run_own();
        }
        while (run_own()) {
        }
        // relaxed: only ends the finishers' loop. The queue is empty by now, so there is no item left that they would
        // have to see.
        all_made_.store(true, std::memory_order_relaxed);
    }
    bool run_own() {
        teff::task_descriptor* const own = queue_.pop();
        if (own != nullptr) {
            use(*own);
            pool_.put_back(*own);
        }
        return own != nullptr;
    }
    void finish_all() {
        teff::backoff idle;
        // relaxed: see the store of all_made_.
        while (!all_made_.load(std::memory_order_relaxed)) {
            if (teff::task_descriptor* const stolen = queue_.try_take_oldest().item) {
                use(*stolen);
                teff::descriptor_pool::finish(*stolen);
                idle.reset();
            } else {
                idle.pause();
            }
        }
    }
    // Overwrites the payload, so that a second user would notice.
    void use(teff::task_descriptor& of) {
        auto& mine = *static_cast<payload*>(of.payload(alignof(payload)));
        if (mine.identity != ~mine.complement || !delivered_.deliver(mine.identity))
            // relaxed: read after the join.
            mistakes_.fetch_add(1, std::memory_order_relaxed);
        mine = {0, 0};
    }

    const std::uint64_t items_;
    const unsigned finishers_;
    const std::size_t limit_;
    const std::uint64_t seed_;
    teff::descriptor_pool pool_;
    teff::locked_deque<teff::task_descriptor*> queue_;
    stress::identities delivered_;
    teff::atomic<std::uint64_t> mistakes_{0};
    teff::atomic<bool> all_made_{false};
};

// The items of one run of one queue: its share of all operations (an operation is a push or a delivery).
std::uint64_t items_of_a_run(std::uint64_t runs) { return stress::operations() / 2 / 8 / runs + 1; }

template <class Worker>
void stress_nodes() {
    constexpr std::uint64_t runs = 4;
    std::uint64_t seed = 1;
    for (const std::uint32_t nodes : {2U, 20U}) {
        for (const unsigned workers : {2U, 3U}) {
            SCOPED_TRACE(std::to_string(nodes) + " nodes each, workers " + std::to_string(workers) + ", seed " +
                         std::to_string(seed));
            stress_run<Worker>(items_of_a_run(runs), workers, nodes, seed).run();
            seed += workers;
        }
    }
}

TEST(shared_queues_stress, locked_deque) { stress_nodes<locked_deque_worker>(); }

TEST(shared_queues_stress, locked_deque_several_at_once) { stress_nodes<several_from_locked_deque>(); }

TEST(shared_queues_stress, descriptor_pool) {
    const std::uint64_t items = items_of_a_run(20);
    descriptor_run(items, 3, 8, 1).run();
    descriptor_run(items, 3, 200, 2).run();
    descriptor_run(items, 1, 5000, 3).run();
}

TEST(shared_queues_stress, fifo_queue) {
    const std::uint64_t items = items_of_a_run(10);
    fifo_run<teff::epoch_reclaimer, 2>(items, 2, 1).run();
    fifo_run<teff::epoch_reclaimer, 2>(items, 3, 3).run();
    fifo_run<teff::epoch_reclaimer, 120>(items, 2, 6).run();
    fifo_run<teff::epoch_reclaimer, 120>(items, 3, 8).run();
    fifo_run<teff::hazard_reclaimer, 2>(items, 3, 11).run();
    fifo_run<teff::arena_reclaimer, 120>(items, 3, 14).run();
}

}  // namespace
