// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bqueue, with values and with pointers. Items come out once, in order, and only when they are complete. No slot is
// filled while its last item is in use. The roles of producer and consumer pass from thread to thread. may_have_items()
// misses no item that stays.
//
// Most rings have two or four slots. Where it lets a few operations reach the interesting point, they begin full or
// advanced by some positions. A value counts as taken when it is destroyed, a pointer when it is popped. A pointer's
// target is ordinary memory, which is written again as soon as the ring can have room for it.
#include "definition.hpp"

#include <teff/queue/bqueue.hpp>

#include <cstddef>

namespace scenarios {
namespace {

struct shape {
    std::size_t capacity, batch;
};

class value : public model::item<> {
public:
    using item::item;
    value(value&&) = delete;
    ~value() { model::take(number()); }
};

// A queue whose items are numbered in the order of the pushes. Each function belongs to the thread that has the role.
class values {
public:
    explicit values(shape its) { model::check(queue.open(its.capacity, its.batch), "no memory for a ring"); }

    bool try_push() {
        const bool done = queue.try_push(pushed_);
        pushed_ += done ? 1 : 0;
        return done;
    }
    bool try_pop() {
        const value* const item = queue.front();
        if (item == nullptr)
            return false;
        model::check(item->number() == popped_++, "an item came out of order");
        queue.pop_front();
        return true;
    }

    unsigned pushed() const { return pushed_; }

    teff::bqueue<value> queue;

private:
    unsigned pushed_ = 0;
    unsigned popped_ = 0;
};

class pointers {
public:
    explicit pointers(shape its) : targets_(2 * its.capacity) {
        model::check(queue.open(its.capacity, its.batch), "no memory for a ring");
    }
    ~pointers() {
        while (try_pop()) {
        }
    }

    bool try_push() {
        unsigned& target = target_of_[pushed_ % targets_];
        target = pushed_;
        const bool done = queue.try_push(&target);
        pushed_ += done ? 1 : 0;
        return done;
    }
    bool try_pop() {
        const unsigned* const item = queue.front();
        if (item == nullptr)
            return false;
        model::check(*item == popped_++, "an item came out of order");
        model::take(*item);
        queue.pop_front();
        return true;
    }

    unsigned pushed() const { return pushed_; }

    teff::bqueue<const unsigned*> queue;

private:
    const std::size_t targets_;
    unsigned target_of_[16];
    unsigned pushed_ = 0;
    unsigned popped_ = 0;
};

template <class Queue>
void push(Queue& to, int count) {
    for (; count > 0; --count)
        model::wait_until([&] { return to.try_push(); });
}
template <class Queue>
void pop(Queue& from, int count) {
    for (; count > 0; --count)
        model::wait_until([&] { return from.try_pop(); });
}

// use(queue) runs threads on a queue that begins with `before` items at position `turned` of the ring, since so many
// others were pushed and popped before. At the end all items must have come out.
template <class Queue, class Use>
void with_queue(shape its, int turned, int before, unsigned items, Use&& use) {
    {
        Queue queue(its);
        push(queue, turned);
        pop(queue, turned);
        push(queue, before);
        use(queue);
        queue.queue.check_invariants();
    }
    model::expect_taken_once(items);
}

// The smallest number of slots: each end waits for the other at nearly every step.
template <class Queue>
void the_smallest_ring_goes_round() {
    with_queue<Queue>({2, 1}, 0, 0, 4, [](Queue& queue) {
        model::parallel([&] { push(queue, 4); }, [&] { pop(queue, 4); });
    });
}

// Runs of two slots: one probe of the second slot answers for both.
template <class Queue>
void a_run_comes_with_its_last_slot() {
    with_queue<Queue>({4, 2}, 0, 0, 4, [](Queue& queue) {
        model::parallel([&] { push(queue, 4); }, [&] { pop(queue, 4); });
    });
}

// A run of four slots, which is tried after runs of one and of two. The look at the last slot must be at that slot: the
// slots before it may be ready while it is not.
template <class Queue>
void a_long_run_comes_with_its_last_slot() {
    with_queue<Queue>({8, 4}, 0, 0, 4, [](Queue& queue) {
        model::parallel([&] { push(queue, 4); }, [&] { pop(queue, 4); });
    });
}
template <class Queue>
void a_long_run_is_empty_to_its_last_slot() {
    with_queue<Queue>({8, 4}, 0, 8, 12, [](Queue& queue) {
        model::parallel([&] { push(queue, 4); }, [&] { pop(queue, 4); });
    });
}

// The producer fills what the consumer empties, in runs; parts of a run may be ready at any time.
template <class Queue>
void a_full_ring_is_emptied_and_filled() {
    with_queue<Queue>({4, 2}, 1, 4, 8, [](Queue& queue) {
        model::parallel([&] { push(queue, 3); }, [&] { pop(queue, 4); });
    });
}

// Neither thread waits: a refused push and an empty pop are skipped. The rest is pushed when both threads have ended.
template <class Queue>
void nobody_waits() {
    constexpr unsigned items = 5;
    with_queue<Queue>({2, 1}, 1, 1, items, [](Queue& queue) {
        model::parallel(
            [&] {
                queue.try_push();
                queue.try_push();
                queue.try_push();
            },
            [&] {
                queue.try_pop();
                queue.try_pop();
            });
        while (queue.pushed() < items) {
            if (!queue.try_push())
                queue.try_pop();
        }
    });
}

// One producer begins a run and another one ends it; the scenario itself orders them.
template <class Queue>
void the_producer_hands_over() {
    with_queue<Queue>({4, 2}, 0, 3, 6, [](Queue& queue) {
        teff::atomic<bool> handed{false};
        model::parallel(
            [&] {
                push(queue, 2);
                // release: hands the role over; partner: the acquire below.
                handed.store(true, std::memory_order_release);
            },
            [&] {
                // acquire: takes the role over; partner: the release above.
                model::wait_until([&] { return handed.load(std::memory_order_acquire); });
                push(queue, 1);
            },
            [&] { pop(queue, 6); });
    });
}

template <class Queue>
void the_consumer_hands_over() {
    with_queue<Queue>({4, 2}, 2, 2, 7, [](Queue& queue) {
        teff::atomic<bool> handed{false};
        model::parallel(
            [&] { push(queue, 3); },
            [&] {
                pop(queue, 3);
                // release: hands the role over; partner: the acquire below.
                handed.store(true, std::memory_order_release);
            },
            [&] {
                // acquire: takes the role over; partner: the release above.
                model::wait_until([&] { return handed.load(std::memory_order_acquire); });
                pop(queue, 2);
            });
    });
}

// The consumer passes the end of the ring on its way to the item that stays.
template <class Queue>
void what_stays_is_seen() {
    with_queue<Queue>({4, 2}, 1, 4, 6, [](Queue& queue) {
        model::parallel([&] { pop(queue, 3); }, [&] { push(queue, 1); },
                        [&] { model::check(queue.queue.may_have_items(), "an item that stays was not seen"); });
    });
}

// One thread announces that it sleeps and then looks for items; another one pushes and then looks for sleepers. One of
// them sees the other, while the consumer pops what was there before.
template <class Queue>
void no_sleeper_is_missed() {
    with_queue<Queue>({2, 1}, 1, 1, 3, [](Queue& queue) {
        teff::atomic<bool> announced{false};
        bool seen = false, found = false;
        model::parallel([&] { pop(queue, 1); },
                        [&] {
                            push(queue, 1);
                            // seq_cst: one of the two fences is first, and the other thread sees what is before it;
                            // partner: the fence below.
                            teff::atomic_thread_fence(std::memory_order_seq_cst);
                            // relaxed: ordered by the fence.
                            seen = announced.load(std::memory_order_relaxed);
                        },
                        [&] {
                            // relaxed: ordered by the fence.
                            announced.store(true, std::memory_order_relaxed);
                            // seq_cst: as above; partner: the fence above.
                            teff::atomic_thread_fence(std::memory_order_seq_cst);
                            found = queue.queue.may_have_items();
                        });
        model::check(seen || found, "a sleeper was not called and found nothing");
    });
}

#define WITH_VALUES_AND_POINTERS(name)                                                                                 \
    TEFF_SCENARIO(bqueue, values_##name) { name<values>(); }                                                           \
    TEFF_SCENARIO(bqueue, pointers_##name) { name<pointers>(); }
WITH_VALUES_AND_POINTERS(the_smallest_ring_goes_round)
WITH_VALUES_AND_POINTERS(a_run_comes_with_its_last_slot)
WITH_VALUES_AND_POINTERS(a_long_run_comes_with_its_last_slot)
WITH_VALUES_AND_POINTERS(a_long_run_is_empty_to_its_last_slot)
WITH_VALUES_AND_POINTERS(a_full_ring_is_emptied_and_filled)
WITH_VALUES_AND_POINTERS(nobody_waits)
WITH_VALUES_AND_POINTERS(the_producer_hands_over)
WITH_VALUES_AND_POINTERS(the_consumer_hands_over)
WITH_VALUES_AND_POINTERS(what_stays_is_seen)
WITH_VALUES_AND_POINTERS(no_sleeper_is_missed)

}  // namespace

std::span<const model::scenario> bqueue_scenarios() { return defined_here; }

}  // namespace scenarios
