// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// priority_lanes: no node is lost or taken twice, and none is accessed after it was taken. Also checked: the order of
// the lanes and within a lane, nodes that some takers refuse, and what a look without the mutex promises.
//
// A node is memory of its own, which its taker frees at once, so lanes that read a node that was taken are a use after
// free. Its number is ordinary memory, so a node that reaches its taker without order is a race. Thread 0 takes what
// the threads left and compares the ledger.
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/queue/priority_lanes.hpp>

namespace scenarios {
namespace {

struct node {
    unsigned item = 0;
    std::uint32_t priority = 0;
    teff::atomic<node*> next{nullptr};
};

using lanes = teff::priority_lanes<node>;

constexpr int none = -1;

bool any(const node&) { return true; }
bool even(const node& offered) { return offered.item % 2 == 0; }
bool odd(const node& offered) { return offered.item % 2 != 0; }

class fixture {
public:
    explicit fixture(unsigned items) noexcept : items_(items) {}
    ~fixture() {
        check_invariants();
        while (lanes_.lanes_in_use() != 0)
            model::check(take() != none, "a lane in use has no node");
        model::check(take() == none && !lanes_.has(lanes::all_lanes, any), "empty lanes gave a node");
        model::expect_taken_once(items_);
    }
    fixture(const fixture&) = delete;
    fixture& operator=(const fixture&) = delete;

    void put(unsigned item, std::uint32_t priority = 0) {
        node* const made = teff::create<node>(item, priority);
        model::check(made != nullptr, "no memory");
        lanes_.put(*made);
    }
    void put_up_to(unsigned count) {
        for (unsigned i = 0; i < count; ++i)
            put(i);
    }
    // The item's number, or none.
    template <class Accepts = bool (*)(const node&)>
    int take(Accepts&& accepts = any, std::uint64_t among = lanes::all_lanes) {
        node* const taken = lanes_.take(among, accepts);
        if (taken == nullptr)
            return none;
        const unsigned item = taken->item;
        model::check(accepts(*taken), "a taker got a node that it refuses");
        teff::destroy(taken);
        model::take(item);
        return static_cast<int>(item);
    }
    bool in_use() const { return lanes_.lanes_in_use() != 0; }
    bool has(bool (*accepts)(const node&)) { return lanes_.has(lanes::all_lanes, accepts); }
    void check_invariants() { model::check(lanes_.check_invariants() == nullptr, "an invariant is broken"); }

private:
    const unsigned items_;
    lanes lanes_;
};

TEFF_SCENARIO(priority_lanes, a_put_against_a_take) {
    fixture all(2);
    all.put(0);
    int taken = none;
    model::parallel([&] { all.put(1); }, [&] { taken = all.take(); });
    model::check(taken == 0, "not the oldest");
}

// The lane is empty in between, so the next node is its first and its last at once.
TEFF_SCENARIO(priority_lanes, a_lane_that_is_emptied_and_filled_again) {
    fixture all(3);
    model::parallel(
        [&] {
            all.put(0);
            all.put(1);
            all.put(2);
        },
        [&] {
            int last = none;
            for (unsigned i = 0; i < 3; ++i) {
                const int taken = all.take();
                model::check(taken == none || taken == last + 1, "not the oldest");
                last = taken == none ? last : taken;
            }
        });
}

TEFF_SCENARIO(priority_lanes, two_takers_want_the_last_node) {
    fixture all(1);
    all.put(0);
    int first = none, second = none;
    model::parallel([&] { first = all.take(); }, [&] { second = all.take(); });
    model::check((first == 0) != (second == 0), "nobody got the only node, or both");
}

TEFF_SCENARIO(priority_lanes, three_takers_of_two_nodes) {
    fixture all(2);
    all.put_up_to(2);
    int got[3] = {none, none, none};
    model::parallel([&] { got[0] = all.take(); }, [&] { got[1] = all.take(); }, [&] { got[2] = all.take(); });
    model::check((got[0] == none) + (got[1] == none) + (got[2] == none) == 1, "a taker missed a node");
}

TEFF_SCENARIO(priority_lanes, a_node_is_refused_by_one_and_taken_by_another) {
    fixture all(1);
    int refused = none, taken = none;
    model::parallel([&] { all.put(0); }, [&] { refused = all.take(odd); },
                    [&] { model::wait_until([&] { return (taken = all.take(even)) != none; }); });
    model::check(refused == none && taken == 0, "a node went to the wrong taker");
}

// Each taker skips the other's node, which is in front of its own for one of them.
TEFF_SCENARIO(priority_lanes, two_takers_that_refuse_each_other_s_nodes) {
    fixture all(2);
    all.put_up_to(2);
    int evens = none, odds = none;
    model::parallel([&] { evens = all.take(even); }, [&] { odds = all.take(odd); });
    model::check(evens == 0 && odds == 1, "a taker missed its node");
}

// A refused node keeps its place.
TEFF_SCENARIO(priority_lanes, a_removal_from_the_middle_against_a_put) {
    fixture all(4);
    all.put_up_to(3);
    int middle = none;
    model::parallel([&] { all.put(3); }, [&] { middle = all.take(odd); });
    model::check(middle == 1, "the first node that is accepted was not taken");
    model::check(all.take() == 0 && all.take() == 2 && all.take() == 3, "a removal changed the order of the others");
}

TEFF_SCENARIO(priority_lanes, a_removal_of_the_last_against_a_put) {
    fixture all(3);
    all.put_up_to(2);
    int last = none;
    model::parallel([&] { all.put(2); }, [&] { last = all.take(odd); });
    model::check(last == 1, "the first node that is accepted was not taken");
    model::check(all.take() == 0 && all.take() == 2, "a removal changed the order of the others");
}

TEFF_SCENARIO(priority_lanes, the_highest_lane_goes_first) {
    fixture all(3);
    all.put(0);
    teff::atomic<bool> told{false};
    int first = none, urgent = none;
    bool knew = false;
    model::parallel(
        [&] {
            all.put(1, 5);
            all.put(2, 7);
            // release: publishes the puts; partner: the acquire below.
            told.store(true, std::memory_order_release);
        },
        [&] {
            // acquire: sees the puts; partner: the release above.
            knew = told.load(std::memory_order_acquire);
            first = all.take();
            urgent = all.take(any, lanes::urgent_lanes);
        });
    model::check(first != none && (!knew || (first == 2 && urgent == 1)), "a lower lane went first");
    model::check(urgent != 0, "a node without a priority counted as urgent");
}

// One lane becomes empty while another one gets its first node: both changes write the word of all lanes.
TEFF_SCENARIO(priority_lanes, two_lanes_change_at_once) {
    fixture all(2);
    all.put(0, 3);
    int taken = none;
    model::parallel([&] { all.put(1, 4); }, [&] { taken = all.take(even); }, [&] { all.has(odd); });
    model::check(taken == 0 && all.in_use() && all.has(odd), "a lane's change was lost");
}

TEFF_SCENARIO(priority_lanes, invariants_hold_at_any_time) {
    fixture all(3);
    all.put(0);
    model::parallel(
        [&] {
            all.put(1);
            all.put(2, 1);
        },
        [&] { all.take(); }, [&] { all.check_invariants(); });
}

TEFF_SCENARIO(priority_lanes, a_known_node_is_found) {
    fixture all(1);
    teff::atomic<bool> told{false};
    model::parallel(
        [&] {
            all.put(0);
            // release: publishes the put; partner: the acquire below.
            told.store(true, std::memory_order_release);
        },
        [&] {
            // acquire: sees the put; partner: the release above.
            if (told.load(std::memory_order_acquire))
                model::check(all.in_use() && all.has(any) && all.take() == 0, "a node was missed");
        });
}

bool looks_empty(fixture& all) { return !all.in_use(); }
bool has_nothing(fixture& all) { return !all.has(any); }
bool takes_nothing(fixture& all) { return all.take() == none; }

// A thread that finds the lanes empty, by FindsNone, sees what the threads that took the nodes did before.
template <auto FindsNone, std::uint32_t Priority>
void empty_tells_of_the_takers() {
    fixture all(2);
    all.put(0, Priority);
    all.put(1);
    teff::atomic<bool> active[2];
    const auto taker = [&](unsigned which) {
        return [&, which] {
            // relaxed: the lanes have to order this.
            active[which].store(true, std::memory_order_relaxed);
            all.take();
        };
    };
    model::parallel(
        [&] {
            if (FindsNone(all))
                // relaxed, both: as above.
                model::check(active[0].load(std::memory_order_relaxed) && active[1].load(std::memory_order_relaxed),
                             "a thread that took a node seems inactive");
        },
        taker(0), taker(1));
}

// With fences, a sleeper that announced itself and then finds nothing is seen by the thread that puts.
TEFF_SCENARIO(priority_lanes, a_put_is_seen_or_sees_the_sleeper) {
    fixture all(1);
    teff::atomic<bool> asleep{false};
    bool seen_node = false, seen_sleeper = false;
    model::parallel(
        [&] {
            all.put(0);
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
            seen_node = all.has(any);
        });
    model::check(seen_node || seen_sleeper, "a put and a sleeper missed each other");
}

TEFF_SCENARIO(priority_lanes, an_empty_look_knows_the_takers_of_a_lane) { empty_tells_of_the_takers<looks_empty, 0>(); }
TEFF_SCENARIO(priority_lanes, an_empty_look_knows_the_takers_of_two_lanes) {
    empty_tells_of_the_takers<looks_empty, 2>();
}
TEFF_SCENARIO(priority_lanes, has_nothing_knows_the_takers) { empty_tells_of_the_takers<has_nothing, 0>(); }
TEFF_SCENARIO(priority_lanes, an_empty_take_knows_the_takers) { empty_tells_of_the_takers<takes_nothing, 2>(); }

}  // namespace

std::span<const model::scenario> priority_lanes_scenarios() { return defined_here; }

}  // namespace scenarios
