// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of xqueue: several producers and one consumer, which may be one of them; the queues open while producers
// come.
//
// Items are numbered by producer, three numbers each, and come out in the order of their producer. Each counts as taken
// when it is destroyed.
#include "definition.hpp"

#include <teff/queue/xqueue.hpp>
#include <teff/scheduler/member_registry.hpp>

namespace scenarios {
namespace {

class value : public model::item<> {
public:
    using item::item;
    value(value&&) = delete;
    ~value() { model::take(number()); }
};

constexpr unsigned producers = 3, items_each = 3;

// Distance 0 is the consumer's own queue.
class dealt {
public:
    explicit dealt(std::size_t capacity = 2) : capacity_(capacity) {}
    void open() { model::check(queue.open(producers, capacity_, 1), "no memory for queues"); }

    bool try_push(unsigned producer) {
        unsigned& next = pushed_[producer];
        if (!queue.push(producer, producer * items_each + next))
            return false;
        ++next;
        return true;
    }
    void push(unsigned producer, unsigned count) {
        for (; count > 0; --count)
            model::wait_until([&] { return try_push(producer); });
    }
    bool try_pop() {
        const value* const item = queue.front();
        if (item == nullptr)
            return false;
        const unsigned producer = queue.current();
        model::check(item->number() == producer * items_each + popped_[producer]++,
                     "an item is in the wrong queue, or out of order");
        queue.pop_front();
        return true;
    }
    void pop(unsigned count) {
        for (; count > 0; --count)
            model::wait_until([&] { return try_pop(); });
    }
    // After the threads have ended: all items that were pushed have come out, or do now.
    void end() {
        while (try_pop()) {
        }
        for (unsigned producer = 0; producer < producers; ++producer)
            model::check(popped_[producer] == pushed_[producer], "items are missing");
        model::check(!queue.may_have_items(), "an empty queue has items");
        queue.check_invariants();
    }

    teff::xqueue<value> queue;

private:
    const std::size_t capacity_;
    unsigned pushed_[producers] = {};  // the producer of that number writes
    unsigned popped_[producers] = {};  // the consumer writes
};

// After its own queue the consumer looks into the one that was filled last.
TEFF_SCENARIO(xqueue, the_hint_leads_to_the_last_item) {
    dealt all;
    all.open();
    all.push(1, 1);
    all.push(2, 1);
    model::check(all.queue.front() != nullptr && all.queue.current() == 2, "the hint leads elsewhere");
    all.end();
}

TEFF_SCENARIO(xqueue, two_producers_and_the_consumer_itself) {
    dealt all;
    all.open();
    model::parallel(
        [&] {
            all.push(0, 1);
            all.pop(3);
        },
        [&] { all.push(1, 1); }, [&] { all.push(2, 1); });
    all.end();
}

// Each queue has room for two items. Producers wait for the consumer, which follows hints that another producer
// overwrites.
TEFF_SCENARIO(xqueue, full_queues_are_emptied_in_any_order) {
    dealt all;
    all.open();
    all.push(1, 2);
    all.push(2, 2);
    model::parallel([&] { all.pop(4); }, [&] { all.push(1, 1); }, [&] { all.push(2, 1); });
    all.end();
}

// A hint that is older than a push, or newer than the pushes that are seen, hides no item.
TEFF_SCENARIO(xqueue, no_item_is_hidden_by_a_hint) {
    dealt all(4);
    all.open();
    all.push(0, 1);
    all.push(1, 1);
    model::parallel([&] { all.pop(5); }, [&] { all.push(1, 1); }, [&] { all.push(2, 2); });
    all.end();
}

TEFF_SCENARIO(xqueue, the_queues_open_while_producers_look) {
    dealt all;
    const auto producer = [&](unsigned number) {
        return [&all, number] {
            if (!all.queue.is_open())
                return;
            model::check(all.try_push(number), "a queue that is open has no room");
        };
    };
    model::parallel(
        [&] {
            all.open();
            all.try_pop();
        },
        producer(1), producer(2));
    all.end();
}

// The consumer follows the hint, and then takes its own item: the item of the first producer stays.
TEFF_SCENARIO(xqueue, what_stays_is_seen_from_outside) {
    dealt all;
    all.open();
    all.push(1, 1);
    all.push(2, 1);
    model::parallel(
        [&] {
            all.pop(1);
            all.push(0, 1);
            all.pop(1);
        },
        [&] { model::check(all.queue.may_have_items(), "an item that stays was not seen"); },
        [&] { model::check(all.queue.may_have_items(), "an item that stays was not seen"); });
    all.end();
}

// A thread that looks while the queues open finds them closed and empty, or open.
TEFF_SCENARIO(xqueue, a_look_from_outside_meets_the_opening) {
    dealt all;
    model::parallel(
        [&] {
            all.open();
            all.push(0, 1);
        },
        [&] {
            // Only a hint: nothing orders the push.
            all.queue.may_have_items();
        });
    model::check(all.queue.may_have_items(), "an item that stays was not seen");
    all.end();
}

// The consumer leaves, and a visitor takes what is left, while a producer goes on.
TEFF_SCENARIO(xqueue, the_consumer_changes) {
    dealt all;
    all.open();
    all.push(1, 2);
    teff::consumer_token token;
    const auto consumer = [&] {
        token.enter();
        all.try_pop();
        token.leave();
    };
    const auto visitor = [&] {
        if (!token.try_visit())
            return;
        all.try_pop();
        token.end_visit();
    };
    model::parallel(consumer, visitor, [&] { all.push(2, 2); });
    all.end();
}

// Items that were not taken are destroyed with the queues.
TEFF_SCENARIO(xqueue, what_is_left_is_destroyed) {
    {
        dealt all;
        all.open();
        model::parallel([&] { all.try_pop(); },
                        [&] { all.push(1, 2); }, [&] { all.push(2, 1); });
    }
    model::check(model::taken_items() == 3, "an item is still there");
}

}  // namespace

std::span<const model::scenario> xqueue_scenarios() { return defined_here; }

}  // namespace scenarios
