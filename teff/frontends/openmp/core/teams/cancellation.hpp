// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cancellation (OpenMP 5.1, section 2.20). It has an effect only with OMP_CANCELLATION=true; without it, each call
// costs one test of a flag.
//
//   parallel      a mark of the team. All barriers inside the region are cancellable (team/region.hpp): they release
//                 their threads. Threads that wait for each other in loops are released, too (waiters.hpp). Explicit
//                 tasks of the region that have not begun are not called.
//   worksharing   the team knows how many of its barriers come before the cancelled loop or sections construct. Each
//                 thread counts the barriers that it has passed, so the next construct, which comes after the barrier
//                 at the end of this one, is not cancelled.
//   taskgroup     a mark of the group: its tasks that have not begun are not called, and neither are those of groups
//                 inside it.
//
// A thread reads the marks at its cancellation points and before it calls a task.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

enum class cancellable : unsigned char { parallel, worksharing, taskgroup };

// The cancel construct, for the innermost construct of this kind. True: the running task goes to the construct's end;
// an explicit task that cancels its group goes to its own end.
bool cancel(place& caller, cancellable what) noexcept;

// A cancellation point. True: as above.
bool is_cancelled(const place& caller, cancellable what) noexcept;

// Whether a task of the group (nullptr: of no group) must no longer be called.
[[gnu::noinline]] bool is_task_cancelled(const place& caller, const taskgroup* group) noexcept;
inline bool is_dropped(const place& caller, const taskgroup* group) noexcept {
    return caller.may_cancel && is_task_cancelled(caller, group);
}

}  // namespace teff::openmp
