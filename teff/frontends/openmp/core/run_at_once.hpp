// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast path of tasks: one that runs at once, as a call on the thread that makes it.
#pragma once

#include <teff/frontends/openmp/core/task_memory.hpp>
#include <teff/runtime/is_plain.hpp>
#include <teff/runtime/stack.hpp>

namespace teff::openmp {

// Whether the next task certainly runs at once: two comparisons. A thread alone calls its tasks unless its stack is
// used up.
[[gnu::always_inline]] inline bool is_surely_plain(const place& here) noexcept {
    return here.size == 1 ? has_stack() : is_plain();
}
// Whether to make the next task a deferred one.
[[gnu::always_inline]] inline bool is_to_defer(place& here) noexcept {
    return !is_surely_plain(here) && wants_to_defer(here);
}

// Runs `call()` as a child of the running task, with a record in this frame. bits: what else the task is, besides
// explicit. The caller has looked whether the task is dropped.
template <class Call>
[[gnu::always_inline]] inline void run_at_once(place& here, std::uint32_t bits, Call&& call) noexcept {
    task& parent = *here.current;
    task record;
    record.parent = &parent;
    record.group = parent.group;
    record.environment = parent.environment;
    record.flags = task::is_explicit | bits | (parent.flags & task::is_final);
    here.current = &record;
    call();
    here.current = &parent;
    if (record.is(task::owns_something)) [[unlikely]]
        release_owned(record);
}

// The same for a task in a descriptor, in two steps. The second one frees it.
inline void begin_now(place& here, deferred_task& made) noexcept {
    task& parent = *here.current;
    made.parent = &parent;
    made.group = parent.group;
    made.environment = parent.environment;
    made.flags |= task::is_explicit | (parent.flags & task::is_final);
    here.current = &made;
}
inline void end_now(place& here, deferred_task& made) noexcept {
    here.current = made.parent;
    if (made.is(task::owns_something)) [[unlikely]]
        release_owned(made);
    free_task(here, made);
}

}  // namespace teff::openmp
