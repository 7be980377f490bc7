// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that identify the owners of nestable locks, of which a lock has 31 bits (lock.hpp).
//
// A task gets its number when it first asks for one, and keeps it in its record, so that tasks without nestable locks
// pay nothing. A thread takes numbers from the process in blocks. They begin again after 2^31: a task that holds a lock
// could then be taken for another one, if that many tasks have used nestable locks since it began.
//
// Rejected: the address of the record, of which 31 bits identify nothing; numbers that come back at the end of a task,
// since then each end of a task would have to look.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

#include <cstdint>

namespace teff::openmp {

// From 1 to owned_word::largest_owner.
[[gnu::noinline]] std::uint32_t new_task_number() noexcept;

// The number of the task that the calling thread runs.
inline std::uint32_t current_task_number() noexcept {
    task& current = *this_place().current;
    if (current.number == 0) [[unlikely]]
        current.number = new_task_number();
    return current.number;
}

// The number of the calling thread, which no other living thread has. It may be equal to the number of a task.
inline std::uint32_t current_thread_number() noexcept {
    return static_cast<std::uint32_t>(this_place().global_number) + 1;
}

}  // namespace teff::openmp
