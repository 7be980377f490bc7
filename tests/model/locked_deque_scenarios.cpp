// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// locked_deque: no item is lost or taken twice, none is accessed after it was taken, each end keeps its order, and a
// look without the lock keeps its promises.
//
// Each item points to a number in memory of its own, which its taker frees at once. So a queue that reads a task that
// was taken is a use after free, and an item that reaches its taker without order is a race. The first array has room
// for two. Thread 0 takes what the threads left and compares the ledger.
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/queue/locked_deque.hpp>

#include <array>
#include <cstddef>

namespace scenarios {
namespace {

struct node {
    unsigned item = 0;
};

using queue = teff::locked_deque<node*, 2>;

constexpr int none = -1;
constexpr int contended = -2;

class fixture {
public:
    explicit fixture(unsigned items) noexcept : items_(items) {}
    ~fixture() {
        check_invariants();
        while (queue_.may_have_items())
            pop();
        model::check(pop() == none && try_take_oldest() == none, "an empty queue gave an item, or was contended");
        if (items_ != 0)
            model::expect_taken_once(items_);
    }
    fixture(const fixture&) = delete;
    fixture& operator=(const fixture&) = delete;

    void push(unsigned item) {
        node* const made = teff::create<node>(item);
        model::check(made != nullptr && queue_.push(made), "no memory");
    }
    void push_up_to(unsigned count) {
        for (unsigned i = 0; i < count; ++i)
            push(i);
    }
    // The item's number, or none.
    int pop() { return take(queue_.pop()); }
    // The same, or contended.
    int try_take_oldest() {
        const auto attempt = queue_.try_take_oldest();
        model::check(attempt.item == nullptr || !attempt.contended, "an attempt both won and lost");
        return attempt.contended ? contended : take(attempt.item);
    }
    // A thief that takes several for its own queue, and the first for itself. Returns how many, or contended.
    int move_oldest_to(fixture& mine, std::size_t at_most) {
        std::size_t count = 0;
        std::array<node*, 4> taken;
        if (!queue_.try_take_oldest(at_most, [&](node* each) { taken[count++] = each; }))
            return contended;
        if (count == 0)
            return 0;
        take(taken[0]);
        std::size_t next = 1;
        model::check(mine.queue_.push_all(count - 1, [&] { return taken[next++]; }), "no memory");
        return static_cast<int>(count);
    }
    bool may_have_items() const { return queue_.may_have_items(); }
    void check_invariants() { model::check(queue_.check_invariants() == nullptr, "an invariant is broken"); }

private:
    static int take(node* taken) {
        if (taken == nullptr)
            return none;
        const unsigned item = taken->item;
        teff::destroy(taken);
        model::take(item);
        return static_cast<int>(item);
    }

    const unsigned items_;  // 0: another fixture has the ledger
    queue queue_;
};

// A thief may find that the owner holds the lock, but then the owner gets the item: pop() waits for the lock.
TEFF_SCENARIO(locked_deque, owner_and_thief_want_the_last_item) {
    fixture all(1);
    all.push(0);
    int owner = none, thief = none;
    model::parallel([&] { owner = all.pop(); }, [&] { thief = all.try_take_oldest(); });
    model::check((owner == 0) != (thief == 0), "nobody got the only item, or both");
}

TEFF_SCENARIO(locked_deque, owner_and_two_thieves_want_the_last_item) {
    fixture all(1);
    all.push(0);
    int got[3] = {none, none, none};
    model::parallel([&] { got[0] = all.pop(); }, [&] { got[1] = all.try_take_oldest(); },
                    [&] { got[2] = all.try_take_oldest(); });
    model::check((got[0] == 0) + (got[1] == 0) + (got[2] == 0) == 1, "nobody got the only item, or several");
}

// Three threads meet at the lock. Those that wait stand in line, each calls the next one, and none stays behind.
TEFF_SCENARIO(locked_deque, waiters_in_line) {
    fixture all(3);
    model::parallel([&] { all.push(0); }, [&] { all.push(1); }, [&] { all.push(2); });
}

// The same while a thread comes back: it passes the line, or joins it again behind a waiter that leaves.
TEFF_SCENARIO(locked_deque, a_waiter_comes_back) {
    fixture all(4);
    int got[2] = {none, none};
    model::parallel(
        [&] {
            all.push(0);
            got[0] = all.pop();
        },
        [&] {
            all.push(1);
            got[1] = all.pop();
        },
        [&] {
            all.push(2);
            all.push(3);
        });
    model::check(got[0] != none && got[1] != none, "a pop found nothing behind a push");
}

// The owner's third push needs a larger array. The thief finds the old one or the new one, never nothing.
TEFF_SCENARIO(locked_deque, growth_against_a_thief) {
    fixture all(4);
    all.push_up_to(2);
    int thief = none;
    model::parallel(
        [&] {
            all.push(2);
            all.push(3);
        },
        [&] { thief = all.try_take_oldest(); });
    model::check(thief == 0 || thief == contended, "a thief missed the oldest item");
}

// The same with two thieves, where the old ring has wrapped around.
TEFF_SCENARIO(locked_deque, growth_of_a_ring_that_went_round) {
    fixture all(5);
    all.push_up_to(2);
    model::check(all.try_take_oldest() == 0, "not the oldest");
    all.push(2);
    int first = none, second = none;
    model::parallel(
        [&] {
            all.push(3);
            all.push(4);
        },
        [&] { first = all.try_take_oldest(); }, [&] { second = all.try_take_oldest(); });
    model::check(first != second || first == contended, "two thieves without an item between them");
    model::check(first == 1 || second == 1 || (first == contended && second == contended), "not the oldest");
}

// One of several attempts that collide wins, and the items that are won are the oldest.
TEFF_SCENARIO(locked_deque, two_thieves) {
    fixture all(3);
    all.push_up_to(3);
    int first = none, second = none;
    model::parallel([&] { first = all.try_take_oldest(); }, [&] { second = all.try_take_oldest(); });
    model::check(first != none && second != none, "a thief missed an item");
    model::check(first == 0 || second == 0, "both attempts lost, or not the oldest");
    model::check(first <= 1 && second <= 1, "not the oldest");
    model::check(all.pop() == 2, "not the newest");
}

// An attempt on a queue that keeps items gets the oldest one, or reports that another thread held the lock. An attempt
// that runs alone gets the oldest one.
TEFF_SCENARIO(locked_deque, a_contended_attempt_says_so) {
    fixture all(4);
    all.push_up_to(4);
    int owner = none, thief = none;
    model::parallel(
        [&] {
            owner = all.pop();
            all.pop();
        },
        [&] { thief = all.try_take_oldest(); });
    model::check(owner == 3, "not the newest");
    model::check(thief == 0 || thief == contended, "a thief neither got the oldest nor was contended");
    model::check(all.try_take_oldest() == (thief == 0 ? 1 : 0), "an attempt of one alone did not get the oldest");
}

TEFF_SCENARIO(locked_deque, owner_pushes_and_pops_under_two_thieves) {
    fixture all(4);
    all.push(0);
    model::parallel(
        [&] {
            all.push(1);
            all.pop();
            all.push(2);
            all.push(3);
        },
        [&] { all.try_take_oldest(); }, [&] { all.try_take_oldest(); });
}

// The queue is empty in between, so the next item is the oldest and the newest at once.
TEFF_SCENARIO(locked_deque, emptied_and_filled_again) {
    fixture all(3);
    model::parallel(
        [&] {
            all.push(0);
            all.pop();
            all.push(1);
            all.push(2);
            all.pop();
        },
        [&] {
            all.try_take_oldest();
            all.try_take_oldest();
        });
}

// Any thread may push. One of the pushes enlarges the array; it waits for the other push, or the other waits for it.
TEFF_SCENARIO(locked_deque, two_push_and_one_pops) {
    fixture all(4);
    all.push_up_to(2);
    int popped = none;
    model::parallel([&] { all.push(2); }, [&] { all.push(3); }, [&] { popped = all.pop(); });
    model::check(popped >= 1, "a pop missed an item, or it was not the newest");
}

// Each robs the other, so they meet from both sides; no thread holds one queue while it waits for the other.
TEFF_SCENARIO(locked_deque, two_queues_rob_each_other) {
    fixture first(5);
    fixture second(0);
    first.push_up_to(3);
    second.push(3);
    second.push(4);
    model::parallel([&] { first.move_oldest_to(second, 2); }, [&] { second.move_oldest_to(first, 2); });
}

// The thief gets the two oldest in their order, the other thread the newest of the rest.
TEFF_SCENARIO(locked_deque, several_are_taken_under_the_owners_eyes) {
    fixture all(4);
    fixture mine(0);
    all.push_up_to(4);
    int owner = none, thief = none;
    model::parallel([&] { owner = all.pop(); }, [&] { thief = all.move_oldest_to(mine, 3); });
    model::check(owner == 3, "not the newest");
    model::check(thief == 3 || thief == contended, "a thief neither got several nor was contended");
    if (thief == 3) {
        model::check(mine.pop() == 2 && mine.pop() == 1, "not in their order");
        model::check(all.pop() == none, "an item is still there");
    }
}

// Several at once make the array grow while a thief looks.
TEFF_SCENARIO(locked_deque, several_make_the_array_grow) {
    fixture all(5);
    fixture others(0);
    all.push_up_to(1);
    for (unsigned i = 1; i < 5; ++i)
        others.push(i);
    int thief = none;
    model::parallel([&] { others.move_oldest_to(all, 4); }, [&] { thief = all.try_take_oldest(); });
    model::check(thief == 0 || thief == contended, "not the oldest");
}

TEFF_SCENARIO(locked_deque, invariants_hold_at_any_time) {
    fixture all(3);
    all.push(0);
    model::parallel(
        [&] {
            all.push(1);
            all.push(2);
            all.pop();
        },
        [&] { all.try_take_oldest(); }, [&] { all.check_invariants(); });
}

template <auto Take>
void an_item_is_found_after_its_push_is_known() {
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
                model::check(all.may_have_items() && Take(all) == 0, "an item was missed");
        });
}

int pop(fixture& all) { return all.pop(); }
int try_take_oldest(fixture& all) { return all.try_take_oldest(); }

// A thread that finds the queue empty, by FindsNone, sees what the thread that took the last item did before.
template <auto FindsNone, auto Take>
void empty_tells_of_the_taker() {
    fixture all(1);
    all.push(0);
    teff::atomic<bool> active{false};
    model::parallel(
        [&] {
            if (FindsNone(all))
                // relaxed: the queue has to order this.
                model::check(active.load(std::memory_order_relaxed), "the thread that took the last seems inactive");
        },
        [&] {
            // relaxed: as above.
            active.store(true, std::memory_order_relaxed);
            Take(all);
        });
}

bool looks_empty(fixture& all) { return !all.may_have_items(); }
bool pops_nothing(fixture& all) { return all.pop() == none; }
bool takes_nothing(fixture& all) { return all.try_take_oldest() == none; }

// The same where two threads took the last two items: the look sees what both did before.
TEFF_SCENARIO(locked_deque, an_empty_look_knows_of_all_takers) {
    fixture all(2);
    all.push_up_to(2);
    teff::atomic<bool> active[2];
    const auto taker = [&](unsigned which) {
        return [&, which] {
            // relaxed: the queue has to order this.
            active[which].store(true, std::memory_order_relaxed);
            all.pop();
        };
    };
    model::parallel(
        [&] {
            if (!all.may_have_items())
                // relaxed, both: as above.
                model::check(active[0].load(std::memory_order_relaxed) && active[1].load(std::memory_order_relaxed),
                             "a thread that took an item seems inactive");
        },
        taker(0), taker(1));
}

// With fences, a sleeper that announced itself and then finds nothing is seen by the thread that pushes.
TEFF_SCENARIO(locked_deque, a_push_is_seen_or_sees_the_sleeper) {
    fixture all(1);
    teff::atomic<bool> asleep{false};
    bool seen_item = false, seen_sleeper = false;
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
            seen_item = all.may_have_items();
        });
    model::check(seen_item || seen_sleeper, "a push and a sleeper missed each other");
}

TEFF_SCENARIO(locked_deque, a_pop_finds_a_known_item) { an_item_is_found_after_its_push_is_known<pop>(); }
TEFF_SCENARIO(locked_deque, a_thief_finds_a_known_item) { an_item_is_found_after_its_push_is_known<try_take_oldest>(); }
TEFF_SCENARIO(locked_deque, an_empty_look_knows_the_owner) { empty_tells_of_the_taker<looks_empty, pop>(); }
TEFF_SCENARIO(locked_deque, an_empty_look_knows_the_thief) { empty_tells_of_the_taker<looks_empty, try_take_oldest>(); }
TEFF_SCENARIO(locked_deque, an_empty_pop_knows_the_thief) { empty_tells_of_the_taker<pops_nothing, try_take_oldest>(); }
TEFF_SCENARIO(locked_deque, an_empty_attempt_knows_the_owner) { empty_tells_of_the_taker<takes_nothing, pop>(); }

}  // namespace

std::span<const model::scenario> locked_deque_scenarios() { return defined_here; }

}  // namespace scenarios
