// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the order of a task's life: it is taken, its function is called, and it ends. See run.hpp.
#include <teff/frontends/openmp/core/tasks/run.hpp>

#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>

namespace teff::openmp {
namespace {

// Calls the task's function, part by part if it is untied. False: it is cancelled, and its function was not called.
bool call_parts(place& caller, deferred_task& self) noexcept {
    if (is_dropped(caller, self.group) && !self.is(task::is_always_called)) [[unlikely]] {
        self.flags |= task::was_dropped;
        events::task_dropped(self);
        if (self.is(task::destroys_data))
            self.call(self);
        return false;
    }
    do {
        self.is_resubmitted = false;
        self.call(self);
    } while (self.is_resubmitted);
    return true;
}

// Runs a task that is counted as a child.
void run_one(place& caller, deferred_task& self, depend::ready_list& refused) noexcept {
    if (self.dependences != nullptr && !lock_objects(*self.dependences)) [[unlikely]]
        return;
    task* const before = caller.current;
    const bool is_reported = events::begins_unless_dropped(*before, self);
    caller.current = &self;
    const bool was_called = call_parts(caller, self);
    caller.current = before;
    if (is_reported)
        events::task_returns(self, *before);
    // A task that was not called does not wait for its event.
    if (self.event != nullptr && was_called && !function_returned(self)) [[unlikely]]
        return;
    complete(caller, self, refused);
}

}  // namespace

void run_queued(task_header& header) noexcept {
    place& caller = this_place();
    depend::ready_list refused;
    run_one(caller, deferred_task::of(header), refused);
    if (!refused.empty()) [[unlikely]]
        run_all(caller, refused);
}

void run_all(place& caller, depend::ready_list& refused) noexcept {
    while (depend::tracked_task* const next = refused.pop())
        run_one(caller, task_of(*next), refused);
}

void run_counted(place& caller, deferred_task& made) noexcept {
    count_child(caller, made);
    run_queued(made.memory());
}

void run_now(place& caller, deferred_task& made) noexcept {
    begin_now(caller, made);
    call_parts(caller, made);
    end_now(caller, made);
}

void complete(place& caller, deferred_task& ended, depend::ready_list& refused) noexcept {
    if (ended.dependences != nullptr) [[unlikely]] {
        depend::ready_list ready;
        release(caller, *ended.dependences, ready);
        queue_all(caller, ready, refused);
    }
    count_latch* awaited = nullptr;
    if (ended.event != nullptr) [[unlikely]]
        awaited = end_event(ended);
    if (ended.is(task::owns_something)) [[unlikely]]
        release_owned(ended);
    family& siblings = *ended.siblings;
    taskgroup* const group = ended.group;
    free_task(caller, ended);
    // From here on, the threads that wait for the task may continue, one after the other.
    if (awaited != nullptr) [[unlikely]]
        awaited->count_down();
    if (group != nullptr)
        group->unfinished.count_down();
    siblings.unfinished.count_down();
    leave(siblings);
    if (caller.size == 1)
        caller.unfinished.count_down();
}

}  // namespace teff::openmp
