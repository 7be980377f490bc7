// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The begin and end of task groups.
#include <teff/frontends/openmp/core/taskgroup.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/task_reduction.hpp>

namespace teff::openmp {

void begin_taskgroup(place& here, bool is_of_construct) noexcept {
    auto* const made = create<taskgroup>(is_of_construct);
    if (made == nullptr)
        fatal("OpenMP", "there is no memory for a taskgroup", "give the process more memory");
    made->outer = here.current->group;
    made->depth = made->outer == nullptr ? 0 : made->outer->depth + 1;
    here.current->group = made;
}

void end_taskgroup(place& here) noexcept {
    taskgroup* const ended = here.current->group;
    wait_for(here, ended->unfinished, ended);
    if (ended->reductions != nullptr) [[unlikely]]
        end_reductions(here, *ended);
    here.current->group = ended->outer;
    destroy(ended);
}

}  // namespace teff::openmp
