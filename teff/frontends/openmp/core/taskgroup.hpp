// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task groups (OpenMP 5.1, section 2.19.6): the end of a group waits for all deferred tasks that were made in it, and
// their descendants. Tasks that run at once have ended before and are not counted.
#pragma once

#include <teff/frontends/openmp/core/place.hpp>

namespace teff::openmp {

struct task_reductions;

struct taskgroup {
    explicit taskgroup(bool is_implicit) noexcept : is_of_construct(is_implicit) {}

    count_latch unfinished;
    taskgroup* outer = nullptr;
    unsigned depth = 0;  // number of groups around it
    atomic<bool> is_cancelled{false};
    const bool is_of_construct;  // of a construct with reduction(task, ...): the program knows nothing of the group
    task_reductions* reductions = nullptr;
};

// The running task begins a group, and ends the one that it has begun last.
void begin_taskgroup(place& here, bool is_of_construct = false) noexcept;
void end_taskgroup(place& here) noexcept;

}  // namespace teff::openmp
