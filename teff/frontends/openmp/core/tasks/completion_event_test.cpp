// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with an event ends once its function has returned and the event is fulfilled, in either order and by any
// thread; the event of a dropped task is freed by the thread that uses it last.
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>

#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using namespace teff::openmp;

std::atomic<unsigned> calls;

deferred_task& make_with_event() {
    place& caller = this_place();
    deferred_task& made = make_task(caller, 0, alignof(deferred_task));
    made.call = [](deferred_task&) noexcept { calls.fetch_add(1); };
    allow_event(caller, made);
    return made;
}

TEST(openmp_event, is_made_once) {
    deferred_task& made = make_with_event();
    completion_event* const event = made.event;
    ASSERT_NE(event, nullptr);
    allow_event(this_place(), made);
    EXPECT_EQ(made.event, event);
    drop(*event);
    fulfil(*event);
    free_task(this_place(), made);
}

TEST(openmp_event, of_a_dropped_task_may_be_fulfilled_before_or_after) {
    deferred_task& made = make_with_event();
    fulfil(*made.event);
    drop(*made.event);
    free_task(this_place(), made);
}

TEST(openmp_event, lets_the_task_end_at_once_if_it_was_fulfilled_before) {
    calls = 0;
    deferred_task& made = make_with_event();
    fulfil(*made.event);
    submit(this_place(), made, true, {});
    wait_for_children(this_place());
    EXPECT_EQ(calls.load(), 1U);
}

// Only the event ends the wait.
void wait_for_event_of_another_thread(bool is_deferrable, bool has_group) {
    calls = 0;
    place& caller = this_place();
    if (has_group)
        begin_taskgroup(caller);
    deferred_task& made = make_with_event();
    completion_event& event = *made.event;
    std::atomic<bool> is_fulfilled{false};
    std::thread other([&] {
        while (calls.load() == 0)
            std::this_thread::yield();
        is_fulfilled.store(true);
        fulfil(event);
    });
    submit(caller, made, is_deferrable, {});
    if (has_group)
        end_taskgroup(caller);
    else
        wait_for_children(caller);
    EXPECT_TRUE(is_fulfilled.load());
    EXPECT_EQ(calls.load(), 1U);
    other.join();
}

TEST(openmp_event, of_a_team_of_one_ends_each_wait) {
    for (unsigned round = 0; round != 50; ++round)
        wait_for_event_of_another_thread(round % 2 == 0, round % 3 == 0);
}

TEST(openmp_event, of_a_team_of_two_ends_each_wait) {
    run_region(this_place(), {.threads = 2}, [](place& caller, void*) {
        for (unsigned round = 0; round != 50 && caller.number == 0; ++round)
            wait_for_event_of_another_thread(round % 2 == 0, round % 3 == 0);
    }, nullptr);
}

// Threads wait only at the end of the region.
TEST(openmp_event, holds_the_end_of_a_region) {
    for (const unsigned threads : {1U, 2U, 4U}) {
        for (unsigned round = 0; round != 20; ++round) {
            calls = 0;
            struct state {
                completion_event* event = nullptr;
                std::atomic<bool> is_there{false};
            } shared;
            std::atomic<bool> is_fulfilled{false};
            std::thread other([&] {
                while (!shared.is_there.load() || calls.load() == 0)
                    std::this_thread::yield();
                is_fulfilled.store(true);
                fulfil(*shared.event);
            });
            run_region(this_place(), {.threads = threads}, [](place& caller, void* argument) {
                if (caller.number != 0)
                    return;
                auto& mine = *static_cast<state*>(argument);
                deferred_task& made = make_with_event();
                mine.event = made.event;
                mine.is_there.store(true);
                submit(caller, made, true, {});
            }, &shared);
            EXPECT_TRUE(is_fulfilled.load());
            other.join();
        }
    }
}

}  // namespace
