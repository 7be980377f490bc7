// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See submit.hpp. The functions stand in the order in which a task meets them, from the choice to the queue.
#include <teff/frontends/openmp/core/tasks/submit.hpp>

#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/team/deferral.hpp>

#include <algorithm>

namespace teff::openmp {
namespace {

// Beyond this many unfinished siblings a task that makes more of them runs some first, if it can: the memory for tasks
// that wait is not unlimited.
constexpr unsigned many_siblings = 32'768;

// Tasks with a priority are queued even if no thread is idle, since a more urgent one may be made later; but not
// without a bound.
bool is_queued_for_order(const place& here, deferred_task& made) noexcept {
    constexpr unsigned queued_per_thread = 64;
    if (made.memory().priority == 0 || here.size == 1 || running_thread.member == nullptr)
        return false;
    const family* const children = here.current->children;
    return children == nullptr || children->unfinished.size() < queued_per_thread * here.size;
}

void defer_dependent(place& here, deferred_task& made, const dependence_list& dependences) noexcept {
    defer(here, made, dependences);
    if (!process().throttles_tasks)
        return;
    const count_latch& siblings = here.current->children->unfinished;
    while (siblings.size() > many_siblings && run_a_descendant(here)) {
    }
}

}  // namespace

bool wants_to_defer(place& here) noexcept {
    task_member* const self = running_thread.member;
    if (here.current->is(task::is_final))
        return false;
    if (self == nullptr || here.size == 1)
        return !has_stack();
    const family* const children = here.current->children;
    return deferral::wants_task(*self, children == nullptr ? 0 : children->unfinished.size(), false);
}

void set_priority(deferred_task& of, std::int32_t priority) noexcept {
    if (!has_effect(priority))
        return;
    of.memory().priority = std::min(static_cast<unsigned>(priority), process().max_task_priority);
    of.flags |= task::has_priority;
}

void submit(place& here, deferred_task& made, bool is_deferrable, const dependence_list& dependences) noexcept {
    if (is_undeferred(here, is_deferrable)) {
        if (!dependences.is_empty())
            wait_for_dependences(here, dependences);
        return made.event == nullptr ? run_now(here, made) : run_until_fulfilled(here, made);
    }
    const bool is_to_queue = is_queued_for_order(here, made) || is_to_defer(here);
    if (dependences.is_empty()) {
        if (is_to_queue)
            defer(here, made);
        else if (made.event != nullptr)
            run_counted(here, made);
        else
            run_now(here, made);
        return;
    }
    // A task with an event may go on after its function has returned, so that siblings have to wait for it.
    if (!is_to_queue && made.event == nullptr) {
        held_locks locks(here);
        if (locks.start_now(dependences))
            return run_now(here, made);
    }
    defer_dependent(here, made, dependences);
}

void submit_empty(place& here, const dependence_list& dependences) noexcept {
    deferred_task& empty = make_task(here, 0, alignof(deferred_task));
    empty.call = [](deferred_task&) noexcept {};
    submit(here, empty, true, dependences);
}

void defer(place& here, deferred_task& made) noexcept {
    count_child(here, made);
    make_ready(here, made);
}

void count_child(place& here, deferred_task& made) noexcept {
    task& parent = *here.current;
    family& siblings = family_of(parent);
    made.flags |= task::is_explicit | task::is_deferred | (parent.flags & task::is_final);
    made.siblings = &siblings;
    made.group = parent.group;
    made.environment = parent.environment;
    // The maker may end before this task, and with it an environment that is not the team's.
    if (made.environment != &here.in->environment) [[unlikely]]
        keep_environment(made);
    // relaxed: the calling thread is a user already.
    siblings.users.fetch_add(1, std::memory_order_relaxed);
    siblings.unfinished.count_up();
    if (made.group != nullptr)
        made.group->unfinished.count_up();
    // A team of several threads counts its tasks itself (team/region_barrier.hpp).
    if (here.size == 1)
        here.unfinished.count_up();
    made.memory().run = &run_queued;
}

void make_ready(place& here, deferred_task& ready) noexcept {
    if (!queue(here, ready))
        run_queued(ready.memory());
}

void make_ready(place& here, depend::ready_list& ready) noexcept {
    depend::ready_list refused;
    queue_all(here, ready, refused);
    run_all(here, refused);
}

bool queue(place& here, deferred_task& ready) noexcept {
    task_member* const self = running_thread.member;
    if (here.size == 1) {
        // A thread alone calls its tasks, unless that would nest too deep.
        if (has_stack())
            return false;
        here.handed.put(ready.memory());
        return true;
    }
    return self != nullptr && deferral::submit(*self, ready.memory(), ready.siblings->unfinished.size());
}

void hand_out(place& here, depend::ready_list& ready) noexcept {
    while (depend::tracked_task* const next = ready.pop()) {
        task_header& header = task_of(*next).memory();
        if (task_member* const self = running_thread.member; self != nullptr && here.size > 1)
            self->team().inject(header);
        else
            here.handed.put(header);
    }
}

}  // namespace teff::openmp
