// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See submit.hpp.
#include <teff/frontends/openmp/core/submit.hpp>

#include <teff/frontends/openmp/core/completion_event.hpp>
#include <teff/frontends/openmp/core/dependences.hpp>
#include <teff/frontends/openmp/core/run_at_once.hpp>

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

void run_undeferred(place& here, deferred_task& made) noexcept {
    if (made.event == nullptr)
        return run_now(here, made);
    count_latch end;
    end.count_up();
    made.event->awaited = &end;
    run_counted(here, made);
    wait_for(here, end, nullptr);
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

void submit(place& here, deferred_task& made, bool is_deferrable, const dependence_list& dependences) noexcept {
    if (is_undeferred(here, is_deferrable)) {
        if (!dependences.is_empty())
            wait_for_dependences(here, dependences);
        return run_undeferred(here, made);
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

void set_priority(deferred_task& of, std::int32_t priority) noexcept {
    if (!has_effect(priority))
        return;
    of.memory().priority = std::min(static_cast<unsigned>(priority), process().max_task_priority);
    of.flags |= task::has_priority;
}

void begin_undeferred_with_event(place& here, deferred_task& made) noexcept {
    made.parent = here.current;
    count_child(here, made);
    here.current = &made;
}
void end_undeferred_with_event(place& here, deferred_task& made) noexcept {
    here.current = made.parent;
    count_latch end;
    end.count_up();
    made.event->awaited = &end;
    if (function_returned(made)) {
        depend::ready_list refused;
        complete(here, made, refused);
        make_ready(here, refused);
    }
    wait_for(here, end, nullptr);
}

void yield_to_task(place& here) noexcept {
    const family* const children = here.current->children;
    if (children != nullptr && !children->unfinished.is_over())
        run_a_descendant(here);
}

}  // namespace teff::openmp
