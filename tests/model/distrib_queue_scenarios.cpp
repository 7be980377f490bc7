// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// distrib_queue: no item lost or taken twice, none touched before it is handed over, and no thief fooled by a node that
// came back.
//
// What a node carries is an item's number in ordinary memory, so that a node that reaches its taker without order is a
// race. Nodes are few and used again. Thread 0 takes what the threads left and compares the ledger.
#include "scenarios.hpp"

#include <teff/queue/distrib_queue.hpp>

#include <array>
#include <cstdint>

namespace scenarios {
namespace {

struct node {
    std::uint32_t index = 0;
    teff::atomic<std::uint32_t> link{0};
    unsigned item = 0;
};

struct pool {
    pool() noexcept {
        for (std::uint32_t i = 0; i < nodes.size(); ++i)
            nodes[i].index = i;
    }
    node& at(std::uint32_t index) noexcept { return nodes[index]; }

    std::array<node, 4> nodes;
};

using queue = teff::distrib_queue<node, pool>;

class fixture {
public:
    explicit fixture(unsigned items) noexcept : items_(items) {}
    ~fixture() {
        while (pop(first) || pop(second)) {
        }
        model::expect_taken_once(items_);
    }
    fixture(const fixture&) = delete;
    fixture& operator=(const fixture&) = delete;

    node& at(std::uint32_t index) noexcept { return nodes_.at(index); }

    // Whoever has the node.
    void push(queue& to, node& with, unsigned item) {
        with.item = item;
        to.push(with);
    }
    void push(unsigned index, unsigned item) { push(first, at(index), item); }

    // What was popped, or nullptr.
    node* pop(queue& from) { return take(from.pop()); }
    node* pop() { return pop(first); }
    node* try_pop(queue& from) {
        const auto attempt = from.try_pop();
        model::check(attempt.node == nullptr || !attempt.contended, "an attempt both won and lost");
        return take(attempt.node);
    }

private:
    static node* take(node* popped) {
        if (popped != nullptr)
            model::take(popped->item);
        return popped;
    }

    const unsigned items_;
    pool nodes_;

public:
    queue first{nodes_}, second{nodes_};
};

void two_thieves_while_the_owner_pushes() {
    fixture all(3);
    all.push(0, 0);
    model::parallel(
        [&] {
            all.push(1, 1);
            all.push(2, 2);
        },
        [&] { all.pop(); }, [&] { all.pop(); });
}

void all_want_the_only_node() {
    fixture all(1);
    all.push(0, 0);
    node* won[3] = {};
    model::parallel([&] { won[0] = all.pop(); }, [&] { won[1] = all.pop(); }, [&] { won[2] = all.pop(); });
    model::check((won[0] != nullptr) + (won[1] != nullptr) + (won[2] != nullptr) == 1, "nobody won the only node");
}

// Of attempts that collide one wins, and alone an attempt wins.
void attempts_that_collide() {
    fixture all(2);
    all.push(0, 0);
    all.push(1, 1);
    node* won[3] = {};
    const auto attempt = [&](unsigned thief) { won[thief] = all.try_pop(all.first); };
    model::parallel([&] { attempt(0); }, [&] { attempt(1); }, [&] { attempt(2); });
    model::check(won[0] != nullptr || won[1] != nullptr || won[2] != nullptr, "all attempts lost");
    const bool left = all.first.may_have_items();
    model::check(left == (all.try_pop(all.first) != nullptr), "an attempt of one alone did not get what is there");
}

// A thief that has looked at node 1 with node 0 below it meets node 1 again, with nothing below it (ABA).
void the_top_comes_back_without_what_was_below() {
    fixture all(3);
    all.push(0, 0);
    all.push(1, 1);
    model::parallel(
        [&] {
            node* const top = all.pop();
            node* const below = all.pop();
            // It keeps the second.
            if (top != nullptr && below != nullptr)
                all.push(all.first, *top, 2);
            else
                model::take(2);
        },
        [&] { all.try_pop(all.first); });
}

// The same, and the other thief takes both: the node comes back to the owner through that thief's queue.
void the_top_comes_back_through_a_thief() {
    fixture all(3);
    all.push(0, 0);
    all.push(1, 1);
    model::parallel(
        [&] {
            if (node* const back = all.second.pop())
                all.push(all.first, *back, 2);
            else
                model::take(2);
        },
        [&] {
            node* const top = all.pop();
            all.pop();
            if (top != nullptr)
                all.second.push(*top);
        },
        [&] { all.try_pop(all.first); });
    // What only travelled was taken before.
    all.second.pop();
}

// A thief that looks at a node of one queue reads a link of the other.
void nodes_travel_between_two_queues() {
    fixture all(4);
    all.push(0, 0);
    all.push(1, 1);
    all.push(all.second, all.at(2), 2);
    model::parallel(
        [&] {
            if (node* const mine = all.pop())
                all.push(all.second, *mine, 3);
            else
                model::take(3);
        },
        [&] { all.pop(all.first); }, [&] { all.pop(all.second); });
}

void two_push_and_one_pops() {
    fixture all(3);
    all.push(0, 0);
    model::parallel([&] { all.push(1, 1); }, [&] { all.push(2, 2); },
                    [&] {
                        all.pop();
                        all.pop();
                    });
}

void the_owner_takes_its_own_back() {
    fixture all(4);
    all.push(0, 0);
    model::parallel(
        [&] {
            all.push(1, 1);
            node* const back = all.pop();
            if (back != nullptr)
                all.push(all.first, *back, 2);
            else
                model::take(2);
            all.push(2, 3);
        },
        [&] {
            all.pop();
            all.pop();
        });
}

// Who finds the queue empty, by looks_empty(), sees what the thief did before it won.
template <class LooksEmpty>
void empty_means_that_the_thief_is_known(LooksEmpty&& looks_empty) {
    fixture all(1);
    all.push(0, 0);
    teff::atomic<bool> active{false};
    model::parallel(
        [&] {
            if (looks_empty(all))
                // relaxed: it is the queue that is to order this.
                model::check(active.load(std::memory_order_relaxed), "the thief that won seems inactive");
        },
        [&] {
            // relaxed: as above.
            active.store(true, std::memory_order_relaxed);
            all.pop();
        });
}

void who_sees_it_empty_knows_the_thief() {
    empty_means_that_the_thief_is_known([](fixture& all) { return !all.first.may_have_items(); });
}

void who_pops_nothing_knows_the_thief() {
    // The node that it pops instead is no mistake.
    empty_means_that_the_thief_is_known([](fixture& all) { return all.pop() == nullptr; });
}

void who_attempts_in_vain_knows_the_thief() {
    empty_means_that_the_thief_is_known([](fixture& all) {
        const auto attempt = all.first.try_pop();
        if (attempt.node != nullptr)
            model::take(attempt.node->item);
        return attempt.node == nullptr && !attempt.contended;
    });
}

// With fences, a sleeper that announced itself and then sees nothing is seen by whoever pushes.
void a_push_is_seen_or_sees_the_sleeper() {
    fixture all(1);
    teff::atomic<bool> asleep{false};
    bool seen_item = false, seen_sleeper = false;
    model::parallel(
        [&] {
            all.push(0, 0);
            // seq_cst: as in crowd::call().
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            // relaxed: ordered by the fence.
            seen_sleeper = asleep.load(std::memory_order_relaxed);
        },
        [&] {
            // relaxed: ordered by the fence.
            asleep.store(true, std::memory_order_relaxed);
            // seq_cst: as in crowd::prepare_sleep().
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            seen_item = all.first.may_have_items();
        });
    model::check(seen_item || seen_sleeper, "a push and a sleeper missed each other");
}

constexpr model::scenario all[] = {
    {"distrib_queue", "two_thieves_while_the_owner_pushes", two_thieves_while_the_owner_pushes},
    {"distrib_queue", "all_want_the_only_node", all_want_the_only_node},
    {"distrib_queue", "attempts_that_collide", attempts_that_collide},
    {"distrib_queue", "the_top_comes_back_without_what_was_below", the_top_comes_back_without_what_was_below},
    {"distrib_queue", "the_top_comes_back_through_a_thief", the_top_comes_back_through_a_thief},
    {"distrib_queue", "nodes_travel_between_two_queues", nodes_travel_between_two_queues},
    {"distrib_queue", "two_push_and_one_pops", two_push_and_one_pops},
    {"distrib_queue", "the_owner_takes_its_own_back", the_owner_takes_its_own_back},
    {"distrib_queue", "who_sees_it_empty_knows_the_thief", who_sees_it_empty_knows_the_thief},
    {"distrib_queue", "who_pops_nothing_knows_the_thief", who_pops_nothing_knows_the_thief},
    {"distrib_queue", "who_attempts_in_vain_knows_the_thief", who_attempts_in_vain_knows_the_thief},
    {"distrib_queue", "a_push_is_seen_or_sees_the_sleeper", a_push_is_seen_or_sees_the_sleeper},
};

}  // namespace

std::span<const model::scenario> distrib_queue_scenarios() { return all; }

}  // namespace scenarios
