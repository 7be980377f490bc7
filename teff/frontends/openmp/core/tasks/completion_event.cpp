// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends tasks with an event, by the later of the two conditions; see completion_event.hpp.
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/team/task_team.hpp>

namespace teff::openmp {
namespace {

void run_end(task_header& header) noexcept {
    place& caller = this_place();
    depend::ready_list refused;
    complete(caller, deferred_task::of(header), refused);
    hand_out(caller, refused);
}

}  // namespace

void allow_event(place& caller, deferred_task& made) noexcept {
    if (made.event != nullptr)
        return;
    auto* const event = create<completion_event>(made);
    if (event == nullptr)
        fatal("OpenMP", "there is no memory for an event", "give the process more memory");
    if (caller.size > 1 && running_thread.member != nullptr)
        event->team = &running_thread.member->team();
    event->home = &caller;
    made.event = event;
}

bool function_returned(deferred_task& self) noexcept {
    completion_event& event = *self.event;
    // acquire: the writes of the thread that has fulfilled the event are visible; partner: the release in fulfil().
    if (event.state.load(std::memory_order_acquire) == completion_event::fulfilled) {
        events::event_ends_task(self);
        return true;
    }
    task_team* const team = event.team;
    if (team != nullptr)
        team->announce_injection();
    self.memory().run = &run_end;
    // release: publishes the task's writes to the thread that fulfils the event; acquire: the reverse. Partner of both:
    // the exchange in fulfil().
    if (event.state.exchange(completion_event::returned, std::memory_order_acq_rel) != completion_event::fulfilled)
        return false;
    events::event_ends_task(self);
    if (team == nullptr)
        return true;
    // The task was announced, so it must be injected.
    team->inject_announced(self.memory());
    return false;
}

void fulfil(completion_event& event) noexcept {
    deferred_task& task = event.of;
    task_team* const team = event.team;
    place* const home = event.home;
    events::event_fulfilled(event);
    // acquire, release: see function_returned() and drop(). Unless the function has returned, the task may end at once.
    const unsigned before = event.state.exchange(completion_event::fulfilled, std::memory_order_acq_rel);
    if (before == completion_event::dropped)
        destroy(&event);
    if (before != completion_event::returned)
        return;
    events::event_ends_task(task);
    if (team != nullptr)
        team->inject_announced(task.memory());
    else
        home->handed.put(task.memory());
}

void drop(completion_event& unused) noexcept {
    events::event_dropped(unused);
    // acquire, release: the event is freed after its last use by the other thread; partner: the exchange in fulfil().
    if (unused.state.exchange(completion_event::dropped, std::memory_order_acq_rel) == completion_event::fulfilled)
        destroy(&unused);
}

void run_until_fulfilled(place& caller, deferred_task& made) noexcept {
    count_latch end;
    end.count_up();
    made.event->awaited = &end;
    run_counted(caller, made);
    wait_for(caller, end, nullptr);
}

void begin_undeferred_with_event(place& caller, deferred_task& made) noexcept {
    made.parent = caller.current;
    count_child(caller, made);
    events::task_begins(*made.parent, made);
    caller.current = &made;
}

void end_undeferred_with_event(place& caller, deferred_task& made) noexcept {
    caller.current = made.parent;
    events::task_returns(made, *made.parent);
    if (function_returned(made)) {
        depend::ready_list refused;
        complete(caller, made, refused);
        make_ready(caller, refused);
    }
}

}  // namespace teff::openmp
