// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The latch that counts a group's tasks. Every waiter sees the end and what was done before it, no waiter sleeps for
// ever, and neither the latch nor an event count is touched once a waiter has left.
//
// A waiter here does what a member does when it waits for a group: search, announce the sleep, watch, look again.
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/scheduler/idle_tracker.hpp>
#include <teff/team/count_latch.hpp>

namespace scenarios {
namespace {

// A group, and what its tasks leave in ordinary memory. Its waiter frees it at once.
struct group {
    teff::count_latch left;
    unsigned made[3] = {};

    static group* with_tasks(unsigned count) {
        auto* const fresh = teff::create<group>();
        model::check(fresh != nullptr, "no memory for a group");
        for (unsigned i = 0; i < count; ++i)
            fresh->left.count_up();
        return fresh;
    }
    void run(unsigned task) {
        made[task] = 1;
        left.count_down();
    }
};

void wait_in(teff::event_count& event_count, teff::count_latch& left) {
    teff::count_latch::watcher self{&event_count};
    bool watches = false;
    event_count.begin_search();
    while (!left.is_over()) {
        const std::uint32_t ticket = event_count.prepare_sleep();
        if (!watches)
            left.watch(self);
        watches = true;
        if (left.is_over())
            event_count.cancel_sleep();
        else
            event_count.sleep(ticket);
    }
    event_count.end_search();
    if (watches)
        left.unwatch(self);
}

// The waiter's event count is destroyed with its wait, too, as that of a call of execute() is.
void wait_and_free(group* waited_for, unsigned expected) {
    auto* const event_count = teff::create<teff::event_count>();
    model::check(event_count != nullptr, "no memory for a event_count");
    wait_in(*event_count, waited_for->left);
    teff::destroy(event_count);
    unsigned sum = 0;
    for (const unsigned each : waited_for->made)
        sum += each;
    model::check(sum == expected, "the end came before a task's");
    teff::destroy(waited_for);
}

TEFF_SCENARIO(count_latch, the_waiter_frees_the_group_after_one_task) {
    group* const shared = group::with_tasks(1);
    model::parallel([=] { shared->run(0); }, [=] { wait_and_free(shared, 1); });
}

TEFF_SCENARIO(count_latch, the_waiter_frees_the_group_after_two_tasks) {
    group* const shared = group::with_tasks(2);
    model::parallel([=] { shared->run(0); }, [=] { shared->run(1); }, [=] { wait_and_free(shared, 2); });
}

// The count is not zero before the added task has ended.
TEFF_SCENARIO(count_latch, a_task_adds_a_task) {
    group* const shared = group::with_tasks(1);
    model::parallel(
        [=] {
            shared->left.count_up();
            shared->run(0);
            shared->run(1);
        },
        [=] { wait_and_free(shared, 2); });
}

// The last two tasks are counted as one step, after a step that is not the last.
TEFF_SCENARIO(count_latch, the_waiter_frees_the_group_after_a_step_of_two) {
    group* const shared = group::with_tasks(1);
    shared->left.count_up(2);
    model::parallel([=] { shared->run(0); },
                    [=] {
                        shared->made[1] = 1;
                        shared->left.count_down(2);
                    },
                    [=] { wait_and_free(shared, 2); });
}

// One of the waiters may leave before the other one has looked.
TEFF_SCENARIO(count_latch, two_waiters_see_the_end) {
    group* const shared = group::with_tasks(1);
    const auto waiter = [=] {
        teff::event_count own;
        wait_in(own, shared->left);
        model::check(shared->made[0] == 1, "the end came before the task's");
    };
    model::parallel([=] { shared->run(0); }, waiter, waiter);
    teff::destroy(shared);
}

// A group is reused: the mark of the first wait must have been removed, unless a waiter still needs it.
TEFF_SCENARIO(count_latch, a_group_is_waited_for_twice) {
    group* const shared = group::with_tasks(1);
    teff::atomic<bool> again{false};
    model::parallel(
        [&] {
            shared->run(0);
            // acquire: the second task has been added; partner: the release below.
            while (!again.load(std::memory_order_acquire))
                teff::yield_thread();
            shared->run(1);
        },
        [&] {
            teff::event_count own;
            wait_in(own, shared->left);
            shared->left.count_up();
            // release: the second task has been added; partner: the acquire above.
            again.store(true, std::memory_order_release);
            wait_and_free(shared, 2);
        });
}

// A thread that is not one of the tasks adds a task while the last one ends. The waiter may see the end before or after
// the added task.
TEFF_SCENARIO(count_latch, a_task_is_added_while_the_last_one_ends) {
    group shared;
    shared.left.count_up();
    model::parallel([&] { shared.run(0); },
                    [&] {
                        shared.left.count_up();
                        model::check(!shared.left.is_over(), "an added task was lost");
                        shared.run(1);
                    },
                    [&] {
                        teff::event_count own;
                        wait_in(own, shared.left);
                    });
    model::check(shared.left.is_over() && shared.left.size() == 0, "a task that has ended is still counted");
}

TEFF_SCENARIO(count_latch, a_count_synchronizes_with_what_came_before) {
    teff::count_latch left;
    unsigned written = 0;
    model::parallel(
        [&] {
            written = 1;
            left.count_up();
        },
        [&] { model::check(left.is_over() || written == 1, "a task was seen before what came before it"); });
}

}  // namespace

std::span<const model::scenario> count_latch_scenarios() { return defined_here; }

}  // namespace scenarios
