// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for tasks, taskwait and taskgroup.
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/gomp/task_call.hpp>

namespace teff::openmp::gomp {
namespace {

struct clauses {
    bool is_deferrable;
    unsigned flags;
    void** depend;
    int priority;
    void* detach;
};

// Submits the task in a descriptor. `detach`: where the program has the event's handle; the task's copy of it is the
// first word of its data.
void submit_made(place& caller, const task_call& call, const clauses& given, const dependence_list& depends) noexcept {
    deferred_task& made = call.make(caller, given.flags);
    if ((given.flags & flag_priority) != 0)
        set_priority(made, given.priority);
    if ((given.flags & flag_detach) != 0) {
        allow_event(caller, made);
        void* const handle = made.event;
        std::memcpy(given.detach, &handle, sizeof handle);
        std::memcpy(made.data, &handle, sizeof handle);
    }
    submit(caller, made, given.is_deferrable, depends);
}

[[gnu::noinline]] void make_dependent(place& caller, const task_call& call, const clauses& given) noexcept {
    const unsigned count = count_dependences(given.depend);
    auto* const items = static_cast<dependence*>(__builtin_alloca(count * sizeof(dependence)));
    const dependence_list depends = read_dependences(given.depend, items);
    if ((given.flags & flag_detach) != 0)
        return submit_made(caller, call, given, depends);
    if (is_undeferred(caller, given.is_deferrable)) {
        wait_for_dependences(caller, depends);
        return call.run(caller, given.flags);
    }
    if (!is_to_defer(caller)) {
        held_locks locks(caller);
        if (locks.start_now(depends))
            return call.run(caller, given.flags);
    }
    submit_made(caller, call, given, depends);
}

// A task that is not simply called. The arguments are those of GOMP_task, in the same order: so the jump costs nothing.
[[gnu::noinline]] void task_slow_path(body function, void* data, copier copy, long size, long alignment,
                                      bool is_deferrable, unsigned flags, void** depend, int priority,
                                      void* detach) noexcept {
    place& caller = this_place();
    // A task with an event gets it, since the program uses the handle.
    if (is_dropped(caller, caller.current->group) && (flags & flag_detach) == 0) [[unlikely]]
        return;
    // taskwait with depend and nowait has no function.
    if (function == nullptr)
        function = [](void*) {};
    const task_call call{function, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(alignment)};
    const clauses given{is_deferrable, flags, depend, priority, detach};
    if ((flags & flag_depend) != 0)
        return make_dependent(caller, call, given);
    const bool has_order = (flags & flag_priority) != 0 && has_effect(priority);
    if ((flags & flag_detach) != 0 || (has_order && is_deferrable))
        return submit_made(caller, call, given, {});
    if (is_deferrable && is_to_defer(caller))
        return defer(caller, call.make(caller, flags));
    call.run(caller, flags);
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" {

// `data` are the task's variables, `size` bytes, which are copied bitwise or by `copy`. is_deferrable: the if clause.
// A task that is run at once gets the caller's own block: the compiler has made it for this call only.
void GOMP_task(gomp::body function, void* data, gomp::copier copy, long size, long alignment, bool is_deferrable,
               unsigned flags, void** depend, int priority, void* detach) {
    place* const caller = find_place();
    // Neither untied nor mergeable changes anything for a task that runs at once.
    constexpr unsigned without_effect = gomp::flag_untied | gomp::flag_mergeable;
    if (caller == nullptr || copy != nullptr || (flags & ~without_effect) != 0 || !is_surely_plain(*caller) ||
        caller->may_cancel) [[unlikely]]
        return gomp::task_slow_path(function, data, copy, size, alignment, is_deferrable, flags, depend, priority,
                                    detach);
    run_at_once(*caller, 0, [=] { function(data); });
}

void GOMP_taskwait() { wait_for_children(this_place()); }
void GOMP_taskwait_depend(void** depend) {
    place& caller = this_place();
    const std::size_t count = gomp::count_dependences(depend);
    auto* const items = static_cast<dependence*>(__builtin_alloca(count * sizeof(dependence)));
    wait_for_dependences(caller, gomp::read_dependences(depend, items));
}
void GOMP_taskyield() { yield_to_task(this_place()); }
void GOMP_taskgroup_start() { begin_taskgroup(this_place()); }
void GOMP_taskgroup_end() { end_taskgroup(this_place()); }
}
