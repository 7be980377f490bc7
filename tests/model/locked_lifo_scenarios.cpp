// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// locked_lifo: no node is lost or taken twice, none is touched before it is handed over, and the count beside the mutex
// keeps its promises to threads that look without the mutex.
//
// A node carries an item's number in ordinary memory. Thread 0 takes what the threads left and compares the ledger.
#include "scenarios.hpp"

#include <teff/queue/locked_lifo.hpp>

#include <array>
#include <cstddef>

namespace scenarios {
namespace {

struct node {
    teff::atomic<node*> next{nullptr};
    unsigned item = 0;
};

using queue = teff::locked_lifo<node>;
using chain = teff::node_chain<node>;

class fixture {
public:
    explicit fixture(unsigned items) noexcept : items_(items) {}
    ~fixture() {
        model::check(first.check_invariants() == nullptr && second.check_invariants() == nullptr,
                     "an invariant is broken");
        while (pop(first) || pop(second)) {
        }
        model::check(!first.may_have_items() && !second.may_have_items(), "an empty queue seems not to be");
        model::expect_taken_once(items_);
    }
    fixture(const fixture&) = delete;
    fixture& operator=(const fixture&) = delete;

    // The item of a node is its number.
    void push(unsigned number) {
        nodes_[number].item = number;
        first.push(nodes_[number]);
    }
    void push_up_to(unsigned count) {
        for (unsigned i = 0; i < count; ++i)
            push(i);
    }
    static bool pop(queue& from) { return take(from.pop()); }
    bool pop() { return pop(first); }
    // A thief that steals for its own queue; it takes the first node itself.
    static std::size_t steal(queue& from, queue& to, std::size_t at_most) {
        chain taken = from.take(at_most);
        const std::size_t count = taken.count;
        take(taken.take_first());
        to.push(taken);
        return count;
    }

private:
    static bool take(node* taken) {
        if (taken != nullptr)
            model::take(taken->item);
        return taken != nullptr;
    }

    const unsigned items_;
    std::array<node, 6> nodes_;

public:
    queue first, second;
};

void pushing_while_two_pop() {
    fixture all(3);
    all.push(0);
    model::parallel(
        [&] {
            all.push(1);
            all.push(2);
        },
        [&] { all.pop(); }, [&] { all.pop(); });
}

void all_want_the_only_node() {
    fixture all(1);
    all.push(0);
    bool won[3] = {};
    model::parallel([&] { won[0] = all.pop(); }, [&] { won[1] = all.pop(); }, [&] { won[2] = all.pop(); });
    model::check(won[0] + won[1] + won[2] == 1, "nobody won the only node");
}

// The threads ask for as many nodes as there are: none of them may get too few.
void takers_find_what_is_there() {
    fixture all(5);
    all.push_up_to(5);
    model::parallel(
        [&] {
            model::check(all.pop(), "a pop missed a node");
            model::check(all.pop(), "a pop missed a node");
        },
        [&] { model::check(fixture::steal(all.first, all.second, 3) == 3, "a thief missed a node"); });
}

void a_thief_takes_several_while_the_owner_pushes() {
    fixture all(4);
    all.push_up_to(2);
    model::parallel(
        [&] {
            all.push(2);
            all.push(3);
        },
        [&] { fixture::steal(all.first, all.second, 2); }, [&] { all.pop(); });
}

// One thief steals from another what that one has stolen.
void stolen_nodes_are_stolen_again() {
    fixture all(4);
    all.push_up_to(4);
    model::parallel([&] { fixture::steal(all.first, all.second, 3); },
                    [&] { fixture::steal(all.second, all.first, 2); }, [&] { all.pop(); });
}

void two_thieves_of_two_queues() {
    fixture all(4);
    all.push_up_to(4);
    all.second.push(all.first.take(2));
    model::parallel([&] { fixture::steal(all.first, all.second, 2); },
                    [&] { fixture::steal(all.second, all.first, 2); });
}

void a_thread_ordered_after_a_push_finds_its_node() {
    fixture all(1);
    teff::atomic<bool> told{false};
    model::parallel(
        [&] {
            all.push(0);
            // release: publishes the push; partner: the acquire below.
            told.store(true, std::memory_order_release);
        },
        [&] {
            // acquire: sees the push; partner: the release above.
            if (told.load(std::memory_order_acquire))
                model::check(all.first.may_have_items() && all.pop(), "a pop missed a node");
        });
}

// A thread that finds the queue empty, by looks_empty(), sees what the thread that took the last node did before.
template <class LooksEmpty>
void empty_means_that_the_taker_is_known(LooksEmpty&& looks_empty) {
    fixture all(1);
    all.push(0);
    teff::atomic<bool> active{false};
    model::parallel(
        [&] {
            if (looks_empty(all))
                // relaxed: the queue has to order this.
                model::check(active.load(std::memory_order_relaxed), "the thread that took the last seems inactive");
        },
        [&] {
            // relaxed: as above.
            active.store(true, std::memory_order_relaxed);
            all.pop();
        });
}

void observing_empty_synchronizes_with_the_taker() {
    empty_means_that_the_taker_is_known([](fixture& all) { return !all.first.may_have_items(); });
}

void an_empty_pop_synchronizes_with_the_taker() {
    empty_means_that_the_taker_is_known([](fixture& all) { return !all.pop(); });
}

// With fences, a sleeper that announced itself and then finds nothing is seen by the thread that pushes.
void a_push_is_seen_or_sees_the_sleeper() {
    fixture all(1);
    teff::atomic<bool> asleep{false};
    bool seen_node = false, seen_sleeper = false;
    model::parallel(
        [&] {
            all.push(0);
            // seq_cst: as in event_count::notify_one(); partner: the fence below.
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            // relaxed: ordered by the fence.
            seen_sleeper = asleep.load(std::memory_order_relaxed);
        },
        [&] {
            // relaxed: ordered by the fence.
            asleep.store(true, std::memory_order_relaxed);
            // seq_cst: as in event_count::prepare_sleep(); partner: the fence above.
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            seen_node = all.first.may_have_items();
        });
    model::check(seen_node || seen_sleeper, "a push and a sleeper missed each other");
}

constexpr model::scenario all[] = {
    {"locked_lifo", "pushing_while_two_pop", pushing_while_two_pop},
    {"locked_lifo", "all_want_the_only_node", all_want_the_only_node},
    {"locked_lifo", "takers_find_what_is_there", takers_find_what_is_there},
    {"locked_lifo", "a_thief_takes_several_while_the_owner_pushes", a_thief_takes_several_while_the_owner_pushes},
    {"locked_lifo", "stolen_nodes_are_stolen_again", stolen_nodes_are_stolen_again},
    {"locked_lifo", "two_thieves_of_two_queues", two_thieves_of_two_queues},
    {"locked_lifo", "a_thread_ordered_after_a_push_finds_its_node", a_thread_ordered_after_a_push_finds_its_node},
    {"locked_lifo", "observing_empty_synchronizes_with_the_taker", observing_empty_synchronizes_with_the_taker},
    {"locked_lifo", "an_empty_pop_synchronizes_with_the_taker", an_empty_pop_synchronizes_with_the_taker},
    {"locked_lifo", "a_push_is_seen_or_sees_the_sleeper", a_push_is_seen_or_sees_the_sleeper},
};

}  // namespace

std::span<const model::scenario> locked_lifo_scenarios() { return all; }

}  // namespace scenarios
