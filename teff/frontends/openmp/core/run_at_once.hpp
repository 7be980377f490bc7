// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast path of tasks: a task that is run at once has its record in the frame of the caller.
#pragma once

#include <teff/frontends/openmp/core/place.hpp>
#include <teff/runtime/is_plain.hpp>

namespace teff::openmp {

// Whether to make the next task a deferred one. The most frequent answer is one comparison.
[[gnu::always_inline]] inline bool is_to_defer(place& here) noexcept {
    return !is_plain() && here.size != 1 && wants_to_defer(here);
}

// Runs `call()` as a child of the running task. bits: what else the task is, besides explicit.
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
    if (record.is(task::owns_environment | task::owns_family)) [[unlikely]]
        release_owned(record);
}

}  // namespace teff::openmp
