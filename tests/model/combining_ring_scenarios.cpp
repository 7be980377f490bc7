// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The combining ring and the cc_synch inside it: each item is taken once, in order, by the participant that asked
// first; no node is lost.
//
// Items are pointers to numbers that the owner writes just before it enqueues them, so an item that becomes visible too
// early is a data race. After each dequeue a participant's node is its private memory again. The checker reports a late
// access to it as a race, and a node without an owner as a leak.
#include "definition.hpp"

#include <teff/queue/cc_synch.hpp>
#include <teff/queue/combining_ring.hpp>

namespace scenarios {
namespace {

struct item {
    unsigned number = 0;
};
using ring = teff::combining_ring<item*>;

class participant {
public:
    participant() noexcept { model::check(spare != nullptr, "no memory for a node"); }
    participant(const participant&) = delete;
    participant& operator=(const participant&) = delete;
    ~participant() { teff::destroy_combiner_node(spare); }

    // Takes one item, in no particular order. False if there is none.
    bool take_from(ring& from) {
        const item* const taken = from.dequeue(spare);
        if (taken == nullptr)
            return false;
        last = taken->number;
        model::take(last);
        return true;
    }
    // The same for a participant that takes from one ring only: numbers rise.
    bool take_in_order(ring& from) {
        const unsigned before = last;
        const bool any = any_;
        if (!take_from(from))
            return false;
        model::check(!any || before < last, "an item was overtaken by one that was enqueued later");
        any_ = true;
        return true;
    }

    teff::combiner_node* spare = teff::make_combiner_node();
    unsigned last = 0;

private:
    bool any_ = false;
};

// A ring and the items that pass through it, in the order of their numbers.
class fixture {
public:
    explicit fixture(std::size_t capacity, unsigned max_served = ring::default_most_served) {
        model::check(queue.open(capacity, max_served), "no memory for a ring");
    }
    ~fixture() {
        participant last;
        while (last.take_in_order(queue)) {
        }
        queue.check_invariants();
    }
    fixture(const fixture&) = delete;
    fixture& operator=(const fixture&) = delete;

    // Owner. False if the ring is full.
    bool enqueue() {
        item& next = items_[next_];
        next.number = first_ + next_;
        if (!queue.owner_enqueue(&next))
            return false;
        ++next_;
        return true;
    }
    void enqueue(unsigned count) {
        for (; count > 0; --count)
            model::check(enqueue(), "the ring is full too early");
    }
    void enqueue_patiently(unsigned count) {
        for (; count > 0; --count)
            model::wait_until([&] { return enqueue(); });
    }
    // Sets the first number, where two fixtures are in use.
    void number_from(unsigned first) { first_ = first; }

    ring queue;

private:
    item items_[8];
    unsigned next_ = 0;
    unsigned first_ = 0;
};

TEFF_SCENARIO(combining_ring, enqueuing_while_two_dequeue) {
    {
        fixture it(4);
        participant first, second;
        it.enqueue(1);
        model::parallel([&] { it.enqueue(2); }, [&] { first.take_in_order(it.queue); },
                        [&] {
                            second.take_in_order(it.queue);
                            second.take_in_order(it.queue);
                        });
    }
    model::expect_taken_once(3);
}

TEFF_SCENARIO(combining_ring, the_owner_dequeues_too) {
    {
        fixture it(4);
        participant owner, first, second;
        it.enqueue(2);
        model::parallel(
            [&] {
                owner.take_in_order(it.queue);
                it.enqueue(1);
                owner.take_in_order(it.queue);
            },
            [&] { first.take_in_order(it.queue); }, [&] { second.take_in_order(it.queue); });
    }
    model::expect_taken_once(3);
}

// Three items in a ring of one slot: the slot is written again only after it was read.
TEFF_SCENARIO(combining_ring, a_ring_of_one_slot_is_filled_again_and_again) {
    {
        fixture it(1);
        participant first, second;
        model::parallel([&] { it.enqueue_patiently(3); },
                        [&] {
                            first.take_in_order(it.queue);
                            model::wait_until([&] { return first.take_in_order(it.queue); });
                        },
                        [&] { model::wait_until([&] { return second.take_in_order(it.queue); }); });
    }
    model::expect_taken_once(3);
}

// A capacity that is not a power of two: positions wrap in an array of four slots, three of which are in use.
TEFF_SCENARIO(combining_ring, a_ring_of_three_slots_wraps_around) {
    {
        fixture it(3);
        participant first, second;
        it.enqueue(3);
        model::check(!it.enqueue(), "a fourth item in a ring of three");
        model::parallel([&] { it.enqueue_patiently(2); },
                        [&] {
                            first.take_in_order(it.queue);
                            first.take_in_order(it.queue);
                        },
                        [&] { second.take_in_order(it.queue); });
    }
    model::expect_taken_once(5);
}

TEFF_SCENARIO(combining_ring, a_full_ring_has_room_after_a_dequeue) {
    {
        fixture it(2);
        participant thief;
        it.enqueue(2);
        teff::atomic<bool> taken{false};
        model::parallel(
            [&] {
                // acquire: sees the dequeue that was over then; partner: the release below.
                const bool over = taken.load(std::memory_order_acquire);
                const std::size_t free = it.queue.free_slots();
                model::check(free <= 1 && (!over || free == 1), "the count of free slots is wrong");
                model::check(it.enqueue() || free == 0, "no room although a slot was free");
            },
            [&] {
                model::check(thief.take_in_order(it.queue), "a full ring seems empty");
                // release: publishes the dequeue; partner: the acquire above.
                taken.store(true, std::memory_order_release);
            });
        if (it.queue.free_slots() == 1)
            it.enqueue(1);
    }
    model::expect_taken_once(3);
}

// Every request gets an item: there are as many items as requests.
template <unsigned MostServed>
void as_many_requests_as_items() {
    {
        fixture it(4, MostServed);
        participant first, second, third;
        it.enqueue(3);
        const auto one = [&](participant& self) {
            return [&] { model::check(self.take_in_order(it.queue), "an item that was there was not found"); };
        };
        model::parallel(one(first), one(second), one(third));
    }
    model::expect_taken_once(3);
}

// Each participant gets the node that its predecessor in the queue of requests brought along. So the nodes tell the
// order in which requests were queued, and the items tell the order in which they were served.
TEFF_SCENARIO(combining_ring, requests_are_served_in_their_order) {
    {
        fixture it(4, 2);
        participant all[3];
        const teff::combiner_node* brought[3];
        for (unsigned i = 0; i < 3; ++i)
            brought[i] = all[i].spare;
        it.enqueue(3);
        const auto one = [&](participant& self) { return [&] { self.take_from(it.queue); }; };
        model::parallel(one(all[0]), one(all[1]), one(all[2]));
        for (unsigned i = 0; i < 3; ++i) {
            for (const participant& next : all)
                model::check(next.spare != brought[i] || next.last == all[i].last + 1,
                             "a request was overtaken by a later one");
        }
    }
    model::expect_taken_once(3);
}

// With a bound of one, each combiner serves only itself and hands over to the next node, whose participant waits or has
// not arrived yet.
TEFF_SCENARIO(combining_ring, combiners_hand_over_after_each_request) {
    {
        fixture it(2, 1);
        participant first, second;
        it.enqueue(2);
        model::parallel([&] { it.enqueue_patiently(2); },
                        [&] {
                            first.take_in_order(it.queue);
                            first.take_in_order(it.queue);
                        },
                        [&] {
                            second.take_in_order(it.queue);
                            second.take_in_order(it.queue);
                        });
    }
    model::expect_taken_once(4);
}

// Nodes come from one ring and are used in the other at once, while the combiner of the first may still be running.
TEFF_SCENARIO(combining_ring, nodes_travel_between_two_rings) {
    {
        fixture one(2), other(2);
        participant first, second;
        one.enqueue(2);
        other.number_from(2);
        other.enqueue(2);
        model::parallel(
            [&] {
                first.take_from(one.queue);
                first.take_from(other.queue);
            },
            [&] {
                second.take_from(other.queue);
                second.take_from(one.queue);
            });
        model::check(first.spare != nullptr && second.spare != nullptr && first.spare != second.spare,
                     "two participants have one node");
    }
    model::expect_taken_once(4);
}

// A participant leaves for good, with the node that it has then, while the others go on.
TEFF_SCENARIO(combining_ring, a_participant_leaves_with_its_node) {
    {
        fixture it(4);
        participant second;
        it.enqueue(3);
        model::parallel(
            [&] {
                participant first;
                first.take_in_order(it.queue);
            },
            [&] {
                second.take_in_order(it.queue);
                second.take_in_order(it.queue);
            });
    }
    model::expect_taken_once(3);
}

// A thread announces itself before it takes an item. A thread that finds the ring empty must see these announcements.
template <class LooksEmpty>
void empty_means_that_the_takers_are_known(LooksEmpty&& looks_empty) {
    {
        fixture it(2);
        it.enqueue(2);
        teff::atomic<unsigned> active{1};
        participant first, second, owner;
        const auto taker = [&](participant& self) {
            return [&] {
                // relaxed: the ring has to order this.
                active.fetch_add(1, std::memory_order_relaxed);
                model::check(self.take_from(it.queue), "an item that was there was not found");
            };
        };
        model::parallel(
            [&] {
                if (looks_empty(it.queue, owner))
                    // relaxed: as above.
                    model::check(active.load(std::memory_order_relaxed) == 3, "who took the items seems inactive");
            },
            taker(first), taker(second));
    }
    model::expect_taken_once(2);
}

TEFF_SCENARIO(combining_ring, observing_empty_synchronizes_with_the_takers) {
    empty_means_that_the_takers_are_known([](const ring& queue, participant&) { return !queue.may_have_items(); });
}

// Threads that only look at a ring of one or two items: it never seems empty.
TEFF_SCENARIO(combining_ring, looking_while_items_come_and_go) {
    {
        fixture it(2);
        it.enqueue(1);
        participant owner;
        const auto look = [&] {
            model::check(it.queue.may_have_items(), "a ring that always has an item seems empty");
        };
        model::parallel(
            [&] {
                for (int round = 0; round < 2; ++round) {
                    it.enqueue(1);
                    owner.take_in_order(it.queue);
                }
                it.enqueue(1);
            },
            look, look);
    }
    model::expect_taken_once(4);
}

// Nothing orders the opening for threads that only look: they know of it when they see an item.
TEFF_SCENARIO(combining_ring, a_ring_is_opened_while_others_look) {
    {
        ring queue;
        item only;
        participant owner, thief;
        const auto look = [&] { thief.take_from(queue); };
        model::parallel(
            [&] {
                model::check(queue.open(1), "no memory for a ring");
                model::check(queue.owner_enqueue(&only), "the ring is full too early");
            },
            look);
        owner.take_from(queue);
        queue.check_invariants();
    }
    model::expect_taken_once(1);
}

using adder = teff::cc_synch<unsigned, unsigned>;

// Serial code with an argument and a result, on ordinary memory that nothing else protects.
template <unsigned MostServed>
void requests_are_served_one_after_the_other() {
    adder synch;
    model::check(synch.open(MostServed), "no memory for a node");
    unsigned sum = 0;
    unsigned results[3];
    const auto add = [&](unsigned number) {
        return [&, number] {
            auto* spare = teff::create<adder::node>();
            unsigned served = 0;
            teff::combining_counts counts;
            const auto serial = [&](unsigned amount) noexcept {
                ++served;
                return sum += amount;
            };
            results[number] = synch.apply(spare, 1U << number, serial, &counts);
            teff::destroy(spare);
            model::check(served <= MostServed, "a combiner went on beyond its bound");
            // A combiner serves itself first.
            const unsigned others = served > 1 ? served - 1 : 0;
            model::check(counts.performed == others && counts.rounds == (others > 0), "a combiner counts wrong");
        };
    };
    model::parallel(add(0), add(1), add(2));
    synch.check_invariants();
    model::check(sum == 7, "a request was served twice or never");
    // Each amount is one bit, so a sum tells which requests were served before.
    const unsigned a = results[0], b = results[1], c = results[2];
    model::check((a & 1) != 0 && (b & 2) != 0 && (c & 4) != 0, "a result without its own request");
    model::check((a & b) == a || (a & b) == b, "two results that do not follow each other");
    model::check((b & c) == b || (b & c) == c, "two results that do not follow each other");
    model::check(a != b && b != c && a != c, "a result was given twice");
}

TEFF_SCENARIO(combining_ring, as_many_requests_as_items) { as_many_requests_as_items<ring::default_most_served>(); }
TEFF_SCENARIO(combining_ring, as_many_requests_as_items_by_twos) { as_many_requests_as_items<2>(); }
TEFF_SCENARIO(combining_ring, requests_are_served_one_after_the_other) { requests_are_served_one_after_the_other<3>(); }
TEFF_SCENARIO(combining_ring, requests_are_served_by_twos) { requests_are_served_one_after_the_other<2>(); }
TEFF_SCENARIO(combining_ring, requests_are_served_by_ones) { requests_are_served_one_after_the_other<1>(); }

}  // namespace

std::span<const model::scenario> combining_ring_scenarios() { return defined_here; }

}  // namespace scenarios
