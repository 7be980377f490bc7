// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fifo_queue with segments of two cells, so that nearly every operation reaches the end of a segment. No item is lost,
// doubled, overtaken, touched before it is handed over, or missed by a pop that must find it.
//
// Most scenarios use the reclaimer epoch with the smallest possible threshold. age() brings every participant to the
// point where a few more retired segments make it free the first of them. If another thread still looks at that
// segment, this is a use after free. Epoch's fences order much that the queue must order itself to work with every
// reclaimer, so the queue's own promises are checked with arena. Thread 0 acts for any participant before and after the
// other threads.
#include "definition.hpp"

#include <teff/queue/fifo_queue.hpp>
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/hazard.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace scenarios {
namespace {

constexpr unsigned cells = 2;
constexpr unsigned most_items = 10;

template <class Reclaimer>
Reclaimer make_reclaimer(std::size_t participants) noexcept {
    if constexpr (std::constructible_from<Reclaimer, std::size_t, std::size_t>)
        return Reclaimer(participants, 1);  // raised to what the number of participants asks for
    else
        return Reclaimer(participants);
}

template <class Reclaimer>
class fixture {
public:
    // Checks that one thread pops the items of each pusher in their order.
    class consumer {
    public:
        explicit consumer(fixture& all, std::size_t participant) : all_(all), participant_(participant) {}
        bool pop() {
            const item* const popped = all_.queue_.pop(participant_);
            if (popped == nullptr)
                return false;
            model::take(popped->number);
            unsigned& at_least = at_least_[popped->pusher];
            model::check(popped->number >= at_least, "an item was overtaken by one that was pushed later");
            at_least = popped->number;
            return true;
        }

    private:
        fixture& all_;
        const std::size_t participant_;
        std::array<unsigned, 3> at_least_{};
    };

    fixture(unsigned items, std::size_t participants)
        : items_(items), participants_(participants), reclaimer_(make_reclaimer<Reclaimer>(participants)),
          queue_(reclaimer_) {
        model::check(reclaimer_.valid(), "no memory for the reclaimer");
    }
    ~fixture() {
        model::check(queue_.check_invariants() == nullptr, "an invariant is broken");
        consumer rest(*this, 0);
        while (rest.pop()) {
        }
        model::check(!queue_.may_have_items(), "an empty queue seems not to be");
        model::check(queue_.check_invariants() == nullptr, "an invariant is broken at the end");
        model::expect_taken_once(items_);
    }
    fixture(const fixture&) = delete;
    fixture& operator=(const fixture&) = delete;

    // Each participant pushes rising numbers.
    void push(std::size_t participant, unsigned number) {
        made_[number] = {number, participant};
        model::check(queue_.push(participant, &made_[number]), "a push found no memory");
    }
    // Thread 0: pushes the numbers from 0 on.
    void begin_with(unsigned count) {
        for (unsigned i = 0; i < count; ++i)
            push(0, i);
    }
    bool may_have_items() const { return queue_.may_have_items(); }

    // Thread 0, before the others: the next segment that a participant retires makes it look for free ones. With hazard
    // it is the next but one, since the participant still announces the one that it has just retired.
    void age() {
        const std::size_t blocks = 2 * participants_ - (std::is_same_v<Reclaimer, teff::hazard_reclaimer> ? 2 : 1);
        for (std::size_t participant = 0; participant < participants_; ++participant) {
            while (reclaimer_.pending(participant) < blocks) {
                model::check(queue_.push(participant, &aging_), "a push found no memory");
                model::check(queue_.pop(participant) == &aging_, "a pop did not find the only item");
            }
        }
    }

private:
    struct item {
        unsigned number = 0;
        std::size_t pusher = 0;
    };

    const unsigned items_;
    const std::size_t participants_;
    std::array<item, most_items> made_;
    item aging_;
    Reclaimer reclaimer_;
    teff::fifo_queue<item*, Reclaimer, cells> queue_;
};

using teff::arena_reclaimer, teff::epoch_reclaimer, teff::hazard_reclaimer;

// One thread pushes across the end of a segment, two threads pop.
template <class R>
void two_pop_while_one_pushes() {
    fixture<R> all(4, 3);
    all.begin_with(2);
    const auto take_two = [&](std::size_t participant) {
        typename fixture<R>::consumer mine(all, participant);
        mine.pop();
        mine.pop();
    };
    model::parallel(
        [&] {
            all.push(0, 2);
            all.push(0, 3);
        },
        [&] { take_two(1); }, [&] { take_two(2); });
}

// Both pushes may find the segment full and append one; some positions are left over.
template <class R>
void two_push_at_a_segments_end() {
    fixture<R> all(4, 3);
    all.begin_with(1);
    model::parallel(
        [&] {
            all.push(0, 1);
            all.push(0, 2);
        },
        [&] { all.push(1, 3); },
        [&] {
            typename fixture<R>::consumer mine(all, 2);
            mine.pop();
            mine.pop();
        });
}

// A pop passes over the cell of a push that has only taken its position.
template <class R>
void a_pop_passes_by_a_slow_push() {
    fixture<R> all(3, 3);
    all.begin_with(1);
    model::parallel([&] { all.push(0, 1); }, [&] { all.push(1, 2); },
                    [&] {
                        typename fixture<R>::consumer mine(all, 2);
                        while (mine.pop()) {
                        }
                    });
}

// As many pops as items: no pop may report that the queue is empty.
template <class R>
void pops_find_what_is_there() {
    fixture<R> all(4, 3);
    all.age();
    all.begin_with(4);
    const auto take = [&](std::size_t participant, int times) {
        typename fixture<R>::consumer mine(all, participant);
        for (; times != 0; --times)
            model::check(mine.pop(), "a pop missed an item that was there");
    };
    model::parallel([&] { take(0, 2); }, [&] { take(1, 1); }, [&] { take(2, 1); });
}

// After age(), six items end in the fourth segment. A thread that takes all of them retires three segments. With the
// third one the reclaimer frees the first, which another thread may have been looking at all the time.
constexpr unsigned to_the_fourth_segment = 6;

template <class R>
void segments_are_freed_under_a_pop() {
    fixture<R> all(to_the_fourth_segment, 2);
    all.age();
    all.begin_with(to_the_fourth_segment);
    model::parallel(
        [&] {
            typename fixture<R>::consumer mine(all, 0);
            while (mine.pop()) {
            }
        },
        [&] {
            typename fixture<R>::consumer mine(all, 1);
            mine.pop();
        });
}

template <class R>
void segments_are_freed_under_a_push() {
    fixture<R> all(to_the_fourth_segment + 1, 2);
    all.age();
    model::parallel(
        [&] {
            typename fixture<R>::consumer mine(all, 0);
            for (unsigned i = 0; i < to_the_fourth_segment; ++i) {
                all.push(0, i);
                mine.pop();
            }
        },
        [&] { all.push(1, to_the_fourth_segment); });
}

// A push appends a segment and is slow to move the tail. A pop retires the segment before it. A push that begins only
// after that must not find the retired segment through the tail, since nothing waits for this push before the segment
// is freed.
template <class R>
void a_retired_segment_is_not_found_through_the_tail() {
    constexpr unsigned taken_later = to_the_fourth_segment + 2;
    fixture<R> all(taken_later + 2, 3);
    all.age();
    all.begin_with(1);
    teff::atomic<bool> retired{false}, appended{false};
    model::parallel(
        [&] {
            all.push(0, 1);
            // release: publishes the push; partner: the acquire below.
            appended.store(true, std::memory_order_release);
        },
        [&] {
            typename fixture<R>::consumer mine(all, 1);
            mine.pop();
            model::wait_until([&] { return mine.pop(); });
            // relaxed: only makes the other push late.
            retired.store(true, std::memory_order_relaxed);
            // acquire: sees the push; partner: the release above.
            model::wait_until([&] { return appended.load(std::memory_order_acquire); });
            for (unsigned i = 2; i < taken_later; ++i) {
                all.push(1, i);
                mine.pop();
            }
        },
        [&] {
            // relaxed: as above.
            model::wait_until([&] { return retired.load(std::memory_order_relaxed); });
            all.push(2, taken_later);
        });
    all.push(0, taken_later + 1);
}

// Two pushes leave positions without cells behind the first segment. Both pops have to pass by them, and the slower pop
// must not take the place of the next pop back.
template <class R>
void two_pops_pass_by_positions_without_cells() {
    fixture<R> all(4, 2);
    all.begin_with(2);
    model::parallel([&] { all.push(0, 2); }, [&] { all.push(1, 3); });
    typename fixture<R>::consumer first(all, 0);
    model::check(first.pop() && first.pop(), "a pop missed an item that was there");
    const auto take = [&](std::size_t participant) {
        typename fixture<R>::consumer mine(all, participant);
        model::check(mine.pop(), "a pop missed an item that was there");
    };
    model::parallel([&] { take(0); }, [&] { take(1); });
}

// A push that is slow to take its position must not give out positions a second time, or a look misses the items there.
template <class R>
void a_slow_push_hides_no_item() {
    fixture<R> all(3, 2);
    model::parallel([&] { all.push(0, 0); },
                    [&] {
                        all.push(1, 1);
                        all.push(1, 2);
                        typename fixture<R>::consumer mine(all, 1);
                        model::check(mine.pop() && all.may_have_items(), "an item was missed");
                    });
}

// A thread that has been told of a push finds an item.
template <class R>
void a_thread_ordered_after_a_push_finds_its_item() {
    fixture<R> all(2, 3);
    teff::atomic<bool> told{false};
    model::parallel(
        [&] {
            all.push(0, 0);
            // release: publishes the push; partner: the acquire below.
            told.store(true, std::memory_order_release);
        },
        [&] { all.push(1, 1); },
        [&] {
            // acquire: sees the push; partner: the release above.
            if (!told.load(std::memory_order_acquire))
                return;
            model::check(all.may_have_items(), "a look missed an item");
            typename fixture<R>::consumer mine(all, 2);
            model::check(mine.pop(), "a pop missed an item");
        });
}

// A thread that finds the queue empty, by looks_empty(), sees what the thread that took the last item did before.
template <class R, class LooksEmpty>
void empty_means_that_the_taker_is_known(unsigned items, LooksEmpty&& looks_empty) {
    fixture<R> all(items, 2);
    all.begin_with(items);
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
            typename fixture<R>::consumer mine(all, 1);
            for (unsigned i = 0; i < items; ++i)
                mine.pop();
        });
}

template <class R>
void observing_empty_synchronizes_with_the_taker() {
    empty_means_that_the_taker_is_known<R>(1, [](fixture<R>& all) { return !all.may_have_items(); });
}

template <class R>
void an_empty_pop_synchronizes_with_the_taker() {
    const auto pops_nothing = [](fixture<R>& all) {
        typename fixture<R>::consumer mine(all, 0);
        return !mine.pop();
    };
    empty_means_that_the_taker_is_known<R>(1, pops_nothing);
}

// The same at the end of a segment.
template <class R>
void an_empty_pop_at_a_segments_end_synchronizes_with_the_taker() {
    const auto pops_nothing = [](fixture<R>& all) {
        typename fixture<R>::consumer mine(all, 0);
        return !mine.pop();
    };
    empty_means_that_the_taker_is_known<R>(2, pops_nothing);
}

// With fences, a sleeper that announced itself and then finds nothing is seen by the thread that pushes.
template <class R>
void a_push_is_seen_or_sees_the_sleeper() {
    fixture<R> all(2, 3);
    teff::atomic<bool> asleep{false};
    bool seen_item = false, seen_sleeper = false;
    model::parallel(
        [&] {
            all.push(0, 0);
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
            typename fixture<R>::consumer mine(all, 2);
            seen_item = all.may_have_items() && mine.pop();
        },
        [&] { all.push(1, 1); });
    model::check(seen_item || seen_sleeper, "a push and a sleeper missed each other");
}

TEFF_SCENARIO(fifo_queue, two_pop_while_one_pushes) { two_pop_while_one_pushes<epoch_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, two_push_at_a_segments_end) { two_push_at_a_segments_end<epoch_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, a_pop_passes_by_a_slow_push) { a_pop_passes_by_a_slow_push<epoch_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, pops_find_what_is_there) { pops_find_what_is_there<epoch_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, segments_are_freed_under_a_pop) { segments_are_freed_under_a_pop<epoch_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, segments_are_freed_under_a_push) { segments_are_freed_under_a_push<epoch_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, a_retired_segment_is_not_found_through_the_tail) {
    a_retired_segment_is_not_found_through_the_tail<epoch_reclaimer>();
}
TEFF_SCENARIO(fifo_queue, two_pops_pass_by_positions_without_cells) {
    two_pops_pass_by_positions_without_cells<arena_reclaimer>();
}
TEFF_SCENARIO(fifo_queue, a_slow_push_hides_no_item) { a_slow_push_hides_no_item<arena_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, a_thread_ordered_after_a_push_finds_its_item) {
    a_thread_ordered_after_a_push_finds_its_item<arena_reclaimer>();
}
TEFF_SCENARIO(fifo_queue, observing_empty_synchronizes_with_the_taker) {
    observing_empty_synchronizes_with_the_taker<arena_reclaimer>();
}
TEFF_SCENARIO(fifo_queue, an_empty_pop_synchronizes_with_the_taker) {
    an_empty_pop_synchronizes_with_the_taker<arena_reclaimer>();
}
TEFF_SCENARIO(fifo_queue, an_empty_pop_at_a_segments_end_synchronizes_with_the_taker) {
    an_empty_pop_at_a_segments_end_synchronizes_with_the_taker<arena_reclaimer>();
}
TEFF_SCENARIO(fifo_queue, a_push_is_seen_or_sees_the_sleeper) { a_push_is_seen_or_sees_the_sleeper<arena_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, two_push_at_a_segments_end_arena) { two_push_at_a_segments_end<arena_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, two_pop_while_one_pushes_hazard) { two_pop_while_one_pushes<hazard_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, segments_are_freed_under_a_pop_hazard) { segments_are_freed_under_a_pop<hazard_reclaimer>(); }
TEFF_SCENARIO(fifo_queue, segments_are_freed_under_a_push_hazard) {
    segments_are_freed_under_a_push<hazard_reclaimer>();
}
TEFF_SCENARIO(fifo_queue, a_retired_segment_is_not_found_through_the_tail_hazard) {
    a_retired_segment_is_not_found_through_the_tail<hazard_reclaimer>();
}

}  // namespace

std::span<const model::scenario> fifo_queue_scenarios() { return defined_here; }

}  // namespace scenarios
