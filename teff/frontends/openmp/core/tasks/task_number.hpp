// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 31 bits that identify the owner of a nestable lock (lock.hpp).
//
// A task gets its number when it first asks for one, and keeps it in its record, so that tasks without nestable locks
// pay nothing. A thread takes numbers from the process in blocks. After about 2^31 numbers they repeat: a task that
// holds a lock could be taken for another task, if that many tasks have used nestable locks since it began.
//
// Rejected: the address of the record, since 31 bits of an address identify nothing; reusing the number of a task that
// has ended, since each end of a task would then have to check for one.
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
