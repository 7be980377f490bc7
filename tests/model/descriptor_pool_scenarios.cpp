// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool of task descriptors: other threads finish them, their creator gathers them, and no two threads access a
// payload at the same time.
//
// Payloads are numbers that the creator writes and the finisher reads and erases, so a descriptor that is reused too
// early is a data race. Descriptors change hands through a `channel`, which orders as much as a queue does.
#include "definition.hpp"

#include <teff/queue/locked_deque.hpp>
#include <teff/task/descriptor_pool.hpp>

namespace scenarios {
namespace {

using teff::descriptor_pool;
using teff::task_descriptor;

struct payload {
    unsigned number = 0;
};

class pool_of_payloads {
public:
    pool_of_payloads() { model::check(pool.open(sizeof(payload), alignof(payload)), "no memory for a pool"); }
    ~pool_of_payloads() { pool.check_invariants(); }

    task_descriptor& make(unsigned number) {
        task_descriptor* const made = pool.take();
        model::check(made != nullptr, "no memory for a descriptor");
        ::new (made->payload(alignof(payload))) payload{number};
        return *made;
    }
    // Called by the thread that has the descriptor. Returns the number.
    unsigned use(task_descriptor& made) const {
        auto& mine = *static_cast<payload*>(made.payload(alignof(payload)));
        const unsigned number = mine.number;
        mine.number = ~0U;
        return number;
    }
    void finish(task_descriptor& made) const {
        model::take(use(made));
        descriptor_pool::finish(made);
    }
    // Takes all free descriptors, so that the next one was gathered or belongs to a new array.
    void exhaust() {
        while (pool.pending() < pool.size())
            static_cast<void>(make(~0U));
    }

    descriptor_pool pool;
};

// Passes one descriptor from its creator to another thread.
class channel {
public:
    void send(task_descriptor* given) noexcept { given_.store(given, std::memory_order_release); }
    task_descriptor* receive() noexcept {
        model::wait_until([this] { return given_.load(std::memory_order_relaxed) != nullptr; });
        return given_.load(std::memory_order_acquire);
    }

private:
    teff::atomic<task_descriptor*> given_{nullptr};
};

// The two ways to gather.
void gather_all(descriptor_pool& pool) { pool.gather(); }
void gather_some(descriptor_pool& pool) { pool.gather_some(); }

template <auto Gather>
void a_finished_descriptor_is_used_again() {
    pool_of_payloads it;
    channel to_other;
    const auto creator = [&] {
        task_descriptor& first = it.make(0);
        to_other.send(&first);
        model::wait_until([&] { return Gather(it.pool), it.pool.pending() == 0; });
        task_descriptor& second = it.make(1);
        model::check(&second == &first, "a descriptor that is back was not used");
        model::take(it.use(second));
        it.pool.put_back(second);
    };
    const auto other = [&] { it.finish(*to_other.receive()); };
    model::parallel(creator, other);
    model::expect_taken_once(2);
}

// The creator keeps one descriptor for itself, and takes and puts back others, while two threads finish theirs.
TEFF_SCENARIO(descriptor_pool, the_creator_goes_on_while_two_finish) {
    pool_of_payloads it;
    channel to_first, to_second;
    const auto creator = [&] {
        to_first.send(&it.make(0));
        task_descriptor& own = it.make(1);
        to_second.send(&it.make(2));
        it.pool.gather();
        task_descriptor& another = it.make(3);
        model::take(it.use(own));
        it.pool.put_back(own);
        it.pool.gather();
        model::take(it.use(another));
        it.pool.put_back(another);
    };
    const auto finisher = [&](channel& from) {
        return [&] { it.finish(*from.receive()); };
    };
    model::parallel(creator, finisher(to_first), finisher(to_second));
    it.pool.gather();
    model::check(it.pool.pending() == 0, "a finished descriptor was not gathered");
    model::expect_taken_once(4);
}

// Two descriptors that are finished at the same time are counted once each, by both ways to gather.
TEFF_SCENARIO(descriptor_pool, two_finish_while_the_creator_looks) {
    pool_of_payloads it;
    task_descriptor* const made[] = {&it.make(0), &it.make(1), &it.make(2)};
    const auto creator = [&] {
        it.pool.gather_some();
        it.pool.gather();
        it.pool.gather_some();
        model::check(it.pool.pending() >= 1, "a descriptor that nobody has finished is back");
    };
    const auto finisher = [&](unsigned which) {
        return [&, which] { it.finish(*made[which]); };
    };
    model::parallel(creator, finisher(0), finisher(1));
    it.pool.gather();
    model::check(it.pool.pending() == 1, "a finished descriptor was not gathered, or too many were");
    it.finish(*made[2]);
    model::expect_taken_once(3);
}

// No descriptor is free: the next one is the one that comes back, or a new one.
TEFF_SCENARIO(descriptor_pool, an_exhausted_pool_gathers_or_grows) {
    pool_of_payloads it;
    task_descriptor& given = it.make(0);
    it.exhaust();
    const auto creator = [&] { model::take(it.use(it.make(1))); };
    const auto other = [&] { it.finish(given); };
    model::parallel(creator, other);
    model::expect_taken_once(2);
}

// Another thread finishes a descriptor of an array that was added just now.
TEFF_SCENARIO(descriptor_pool, one_of_a_new_array_is_finished) {
    pool_of_payloads it;
    it.exhaust();
    channel to_other;
    const auto creator = [&] {
        to_other.send(&it.make(0));
        model::check(it.pool.size() > descriptor_pool::first_size, "the pool did not grow");
    };
    const auto other = [&] { it.finish(*to_other.receive()); };
    model::parallel(creator, other);
    it.pool.gather();
    model::expect_taken_once(1);
}

// The descriptors pass through a queue, as in `distrib`. With Grows they belong to a new array.
template <bool Grows>
void descriptors_are_used_again_while_thieves_look() {
    {
        pool_of_payloads it;
        teff::locked_deque<task_descriptor*, 2> queue;
        const auto push = [&](unsigned number) { model::check(queue.push(&it.make(number)), "no memory"); };
        if (Grows)
            it.exhaust();
        const auto run_own = [&] {
            if (task_descriptor* const own = queue.pop()) {
                model::take(it.use(*own));
                it.pool.put_back(*own);
            }
        };
        const auto creator = [&] {
            push(0);
            push(1);
            run_own();
            it.pool.gather();
            push(2);
        };
        const auto thief = [&] {
            if (task_descriptor* const stolen = queue.try_take_oldest().item)
                it.finish(*stolen);
        };
        model::parallel(creator, thief, thief);
        while (queue.may_have_items())
            run_own();
    }
    model::expect_taken_once(3);
}

// The pool of a slot passes to the slot's next member.
TEFF_SCENARIO(descriptor_pool, another_creator_goes_on) {
    pool_of_payloads it;
    channel to_other;
    teff::atomic<bool> has_left{false};
    const auto first_creator = [&] {
        to_other.send(&it.make(0));
        it.pool.gather();
        has_left.store(true, std::memory_order_release);
    };
    const auto second_creator = [&] {
        model::wait_until([&] { return has_left.load(std::memory_order_acquire); });
        it.pool.gather();
        model::take(it.use(it.make(1)));
    };
    const auto other = [&] { it.finish(*to_other.receive()); };
    model::parallel(first_creator, second_creator, other);
    model::expect_taken_once(2);
}

TEFF_SCENARIO(descriptor_pool, a_finished_descriptor_is_used_again) {
    a_finished_descriptor_is_used_again<gather_all>();
}
TEFF_SCENARIO(descriptor_pool, the_same_by_a_look_at_some) { a_finished_descriptor_is_used_again<gather_some>(); }
TEFF_SCENARIO(descriptor_pool, used_again_while_thieves_look) {
    descriptors_are_used_again_while_thieves_look<false>();
}
TEFF_SCENARIO(descriptor_pool, of_a_new_array_and_stolen) { descriptors_are_used_again_while_thieves_look<true>(); }

}  // namespace

std::span<const model::scenario> descriptor_pool_scenarios() { return defined_here; }

}  // namespace scenarios
