// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the order in which a task passes the functions, from the decision to the queue. See submit.hpp.
#include <teff/frontends/openmp/core/tasks/submit.hpp>

#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/team/deferral.hpp>

#include <algorithm>

namespace teff::openmp {
namespace {

// With more unfinished siblings, a task that makes a further one first runs some of them, if it can, since memory for
// waiting tasks is limited.
constexpr unsigned many_siblings = 32'768;

// Whether to queue a task for its priority, even if no thread is idle, since a more urgent one may be made later. The
// number of such tasks is bounded.
bool is_queued_for_order(const place& caller, deferred_task& made) noexcept {
    constexpr unsigned queued_per_thread = 64;
    if (made.memory().priority == 0 || caller.size == 1 || running_thread.member == nullptr)
        return false;
    const family* const children = caller.current->children;
    return children == nullptr || children->unfinished.size() < queued_per_thread * caller.size;
}

void defer_dependent(place& caller, deferred_task& made, const dependence_list& dependences) noexcept {
    defer(caller, made, dependences);
    if (!process().throttles_tasks)
        return;
    const count_latch& siblings = caller.current->children->unfinished;
    while (siblings.size() > many_siblings && run_a_descendant(caller)) {
    }
}

}  // namespace

bool wants_to_defer(place& caller) noexcept {
    task_member* const self = running_thread.member;
    if (caller.current->is(task::is_final))
        return false;
    if (self == nullptr || caller.size == 1)
        return !has_stack();
    const family* const children = caller.current->children;
    return deferral::wants_task(*self, children == nullptr ? 0 : children->unfinished.size(), false);
}

void set_priority(deferred_task& deferred, std::int32_t priority) noexcept {
    if (!has_effect(priority))
        return;
    deferred.memory().priority = std::min(static_cast<unsigned>(priority), process().max_task_priority);
    deferred.flags |= task::has_priority;
}

void submit(place& caller, deferred_task& made, bool is_deferrable, const dependence_list& dependences) noexcept {
    if (is_undeferred(caller, is_deferrable)) {
        if (!dependences.is_empty())
            wait_for_dependences(caller, dependences);
        return made.event == nullptr ? run_now(caller, made) : run_until_fulfilled(caller, made);
    }
    const bool is_to_queue = is_queued_for_order(caller, made) || is_to_defer(caller) ||
                             (events::keeps_graph() && !dependences.is_empty());
    if (dependences.is_empty()) {
        if (is_to_queue)
            defer(caller, made);
        else if (made.event != nullptr)
            run_counted(caller, made);
        else
            run_now(caller, made);
        return;
    }
    // A task with an event may be unfinished after its function has returned, so siblings must wait for it.
    if (!is_to_queue && made.event == nullptr) {
        held_locks locks(caller);
        if (locks.start_now(dependences))
            return run_now(caller, made);
    }
    defer_dependent(caller, made, dependences);
}

void submit_empty(place& caller, const dependence_list& dependences) noexcept {
    deferred_task& empty = make_task(caller, 0, alignof(deferred_task));
    empty.call = [](deferred_task&) noexcept {};
    events::task_created(empty, events::flags_of(0, false), !dependences.is_empty());
    submit(caller, empty, true, dependences);
}

void defer(place& caller, deferred_task& made) noexcept {
    count_child(caller, made);
    make_ready(caller, made);
}

void count_child(place& caller, deferred_task& made) noexcept {
    task& parent = *caller.current;
    family& siblings = family_of(parent);
    made.flags |= task::is_explicit | task::is_deferred | (parent.flags & task::is_final);
    made.siblings = &siblings;
    made.group = parent.group;
    made.environment = parent.environment;
    // The parent may end before this task, and with it an environment that is not the team's.
    if (made.environment != &caller.in->environment) [[unlikely]]
        keep_environment(made);
    // relaxed: the calling thread is a user already.
    siblings.users.fetch_add(1, std::memory_order_relaxed);
    siblings.unfinished.count_up();
    if (made.group != nullptr)
        made.group->unfinished.count_up();
    // A team of several threads counts its tasks itself (team/region_barriers.hpp).
    if (caller.size == 1)
        caller.unfinished.count_up();
    made.memory().run = &run_queued;
}

void make_ready(place& caller, deferred_task& ready) noexcept {
    if (!queue(caller, ready))
        run_queued(ready.memory());
}

void make_ready(place& caller, depend::ready_list& ready) noexcept {
    depend::ready_list refused;
    queue_all(caller, ready, refused);
    run_all(caller, refused);
}

bool queue(place& caller, deferred_task& ready) noexcept {
    task_member* const self = running_thread.member;
    if (caller.size == 1) {
        // A thread alone calls its tasks, unless its stack is used up.
        if (has_stack())
            return false;
        caller.handed.put(ready.memory());
        return true;
    }
    return self != nullptr && deferral::submit(*self, ready.memory(), ready.siblings->unfinished.size());
}

void hand_out(place& caller, depend::ready_list& ready) noexcept {
    while (depend::tracked_task* const next = ready.pop()) {
        task_header& header = task_of(*next).memory();
        if (task_member* const self = running_thread.member; self != nullptr && caller.size > 1)
            self->team().inject(header);
        else
            caller.handed.put(header);
    }
}

}  // namespace teff::openmp
