// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queues of pointers that several threads take from, under threads that push, pop and steal in bursts: no item is
// lost, doubled, torn or touched by two threads.
//
// Each worker has a queue of its own and a few nodes, which travel: a node belongs to whoever popped it last. So few
// nodes come back often. Each push has an identity, in the node's ordinary memory.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/random.hpp>
#include <teff/queue/distrib_queue.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct node {
    std::uint32_t index = 0;
    teff::atomic<std::uint32_t> link{0};
    std::uint64_t identity = 0, complement = 0;
};

class node_pool {
public:
    explicit node_pool(std::uint32_t nodes) : nodes_(nodes) {
        for (std::uint32_t i = 0; i < nodes; ++i)
            nodes_[i].index = i;
    }
    node& at(std::uint32_t index) noexcept { return nodes_[index]; }

private:
    std::vector<node> nodes_;
};

// How a worker uses its own queue and others'.
class distrib_worker {
public:
    explicit distrib_worker(node_pool& nodes) : queue_(nodes) {}

    void push(node& item) { queue_.push(item); }
    node* pop() { return queue_.pop(); }
    node* steal_from(distrib_worker& victim, teff::random_generator&) { return victim.queue_.try_pop().node; }
    bool may_have_items() const { return queue_.may_have_items(); }
    const char* check_invariants() const { return queue_.check_invariants(); }

private:
    teff::distrib_queue<node, node_pool> queue_;
};

template <class Worker>
class stress_run {
public:
    stress_run(std::uint64_t items, unsigned workers, std::uint32_t nodes, std::uint64_t seed)
        : items_(items), nodes_each_(nodes), seed_(seed), nodes_(workers * nodes), delivered_(items) {
        for (unsigned i = 0; i < workers; ++i)
            workers_.push_back(std::make_unique<Worker>(nodes_));
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
            free.push_back(&nodes_.at(me * nodes_each_ + i));
        for (teff::backoff idle;;) {
            for (std::uint32_t n = random.below(2 * nodes_each_); n > 0 && !free.empty() && push(me, free); --n) {
            }
            // acquire: whoever knows that all were pushed sees what is in the queues; partner: the release in push().
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

    // False if there is nothing more to push.
    bool push(unsigned me, std::vector<node*>& free) {
        // relaxed, both: only the numbers matter.
        if (next_.load(std::memory_order_relaxed) >= items_)
            return false;
        const std::uint64_t identity = next_.fetch_add(1, std::memory_order_relaxed);
        if (identity >= items_)
            return false;
        node& item = *free.back();
        free.pop_back();
        item.identity = identity;
        item.complement = ~identity;
        workers_[me]->push(item);
        // release: the push; partner: the acquire in work().
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
        // Written over, so that a second taker notices.
        const std::uint64_t identity = std::exchange(item->identity, ~std::uint64_t{0});
        if (identity != ~std::exchange(item->complement, 0) || !delivered_.deliver(identity))
            // relaxed: looked at after the join.
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
    node_pool nodes_;
    std::vector<std::unique_ptr<Worker>> workers_;
    stress::identities delivered_;
    teff::atomic<std::uint64_t> mistakes_{0};
    teff::atomic<std::uint64_t> next_{0};
    teff::atomic<std::uint64_t> pushed_{0};
};

// Of all operations (a push or a delivery), the share of one queue.
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

TEST(shared_queues_stress, distrib_queue) { stress_nodes<distrib_worker>(); }

}  // namespace
