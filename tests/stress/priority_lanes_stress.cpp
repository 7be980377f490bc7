// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes by priority, with threads that all put and take in bursts and often refuse nodes: no node is lost, duplicated
// or used by two threads at once, and no thread sees two nodes of a lane in the wrong order.
//
// Each thread has a few nodes, and nodes travel: a node belongs to the thread that took it last, so the same nodes
// are put again often. Each put has an identity, stored in the node's ordinary memory. One thread never refuses a
// given node: the thread whose number is the identity modulo the number of threads.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/queue/priority_lanes.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

struct node {
    teff::atomic<node*> next{nullptr};
    std::uint32_t priority = 0;
    unsigned putter = 0;
    std::uint64_t identity = 0, complement = 0;
};

using lanes = teff::priority_lanes<node>;

// The last two share a lane.
constexpr std::array<std::uint32_t, 4> priorities = {0, 1, 63, 200};
constexpr unsigned lanes_used = 3;
unsigned lane_of(const node& some) noexcept { return some.priority < 2 ? some.priority : 2; }

class lanes_run {
public:
    lanes_run(std::uint64_t items, unsigned workers, std::uint32_t nodes, std::uint64_t seed)
        : items_(items), workers_(workers), nodes_each_(nodes), seed_(seed), nodes_(workers * nodes),
          delivered_(items) {}

    void run() {
        stress::on_threads(workers_, [this](unsigned i) { work(i); });
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the join.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
        EXPECT_EQ(lanes_.lanes_in_use(), 0U);
        EXPECT_EQ(lanes_.check_invariants(), nullptr);
    }

private:
    // The smallest identity that may come next, for each putter, each lane, and each thread that does not refuse it.
    class expected_order {
    public:
        expected_order(unsigned workers) : workers_(workers), at_least_(workers * lanes_used * workers, 0) {}
        bool follows(const node& taken) noexcept {
            const std::uint64_t of_thread = taken.identity % workers_;
            const std::uint64_t kind = (taken.putter * lanes_used + lane_of(taken)) * workers_ + of_thread;
            return std::exchange(at_least_[static_cast<std::size_t>(kind)], taken.identity + 1) <= taken.identity;
        }

    private:
        const unsigned workers_;
        std::vector<std::uint64_t> at_least_;
    };

    void work(unsigned me) {
        teff::random_generator random(seed_ + me);
        expected_order order(workers_);
        std::vector<node*> free;
        for (std::uint32_t i = 0; i < nodes_each_; ++i)
            free.push_back(&nodes_[me * nodes_each_ + i]);
        for (teff::backoff idle;;) {
            const std::uint32_t burst = random.below(2 * nodes_each_);
            for (std::uint32_t n = 0; n < burst && !free.empty() && put(me, random, free); ++n) {
            }
            // acquire: a thread that knows that all nodes were put sees them in the lanes; partner: the release in
            // put().
            const bool all_put = put_.load(std::memory_order_acquire) == items_;
            bool any = false;
            for (std::uint32_t n = 1 + random.below(2 * nodes_each_); n > 0; --n)
                any |= take(me, random, order, free);
            if (any)
                idle.reset();
            else if (all_put && lanes_.lanes_in_use() == 0)
                return;
            else
                idle.pause();
        }
    }

    // Returns false if there is nothing more to put.
    bool put(unsigned me, teff::random_generator& random, std::vector<node*>& free) {
        // relaxed, both: only distinct numbers are needed.
        if (next_.load(std::memory_order_relaxed) >= items_)
            return false;
        const std::uint64_t identity = next_.fetch_add(1, std::memory_order_relaxed);
        if (identity >= items_)
            return false;
        node& added = *free.back();
        free.pop_back();
        added.identity = identity;
        added.complement = ~identity;
        added.putter = me;
        added.priority = priorities[random.below(priorities.size())];
        lanes_.put(added);
        // release: makes the put visible; partner: the acquire in work().
        put_.fetch_add(1, std::memory_order_release);
        return true;
    }
    bool take(unsigned me, teff::random_generator& random, expected_order& order, std::vector<node*>& free) {
        const bool takes_all = random.below(4) == 0;
        const std::uint64_t among = random.below(4) == 0 ? lanes::urgent_lanes : lanes::all_lanes;
        const auto accepts = [&](const node& offered) { return takes_all || offered.identity % workers_ == me; };
        node* const taken = lanes_.take(among, accepts);
        if (taken == nullptr)
            return false;
        const bool is_right = accepts(*taken) && (among >> (taken->priority == 0 ? 1 : 2) & 1) != 0 &&
                              order.follows(*taken);
        // Overwritten, so that a second taker would notice.
        const std::uint64_t identity = std::exchange(taken->identity, ~std::uint64_t{0});
        if (!is_right || identity != ~std::exchange(taken->complement, 0) || !delivered_.deliver(identity))
            // relaxed: read after the join.
            mistakes_.fetch_add(1, std::memory_order_relaxed);
        free.push_back(taken);
        return true;
    }

    const std::uint64_t items_;
    const unsigned workers_;
    const std::uint32_t nodes_each_;
    const std::uint64_t seed_;
    std::vector<node> nodes_;
    lanes lanes_;
    stress::identities delivered_;
    teff::atomic<std::uint64_t> mistakes_{0};
    teff::atomic<std::uint64_t> next_{0};
    teff::atomic<std::uint64_t> put_{0};
};

TEST(priority_lanes_stress, puts_and_takes_that_refuse) {
    constexpr std::uint64_t runs = 4;
    std::uint64_t seed = 1;
    for (const std::uint32_t nodes : {2U, 20U}) {
        for (const unsigned workers : {2U, 4U}) {
            SCOPED_TRACE(std::to_string(nodes) + " nodes each, workers " + std::to_string(workers) + ", seed " +
                         std::to_string(seed));
            lanes_run(stress::operations() / 2 / 8 / runs + 1, workers, nodes, seed).run();
            seed += workers;
        }
    }
}

}  // namespace
