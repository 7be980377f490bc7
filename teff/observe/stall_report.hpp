// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports on stderr that all threads sleep (quiescence.hpp):
//
//   a deadlock    at once, when every thread of the process is known, all of them sleep, nothing is queued, and a fiber
//                 or thread waits for an object of threads.hpp
//   a stall       when all threads that the runtime knows have slept for stall_report_s, and one of them waits for
//                 something. That is any wait in the runtime: for a group, a fork, a reduction, a barrier, a fiber
//
// Nothing is reported while a thread that the runtime knows is awake: it may run the user's code, and end a wait later.
// A thread that the runtime does not know runs no tasks, but it may end a wait for an object, such as a channel. So if
// the process has such a thread and some wait is for an object, a stall is reported only if the user has set the
// option.
#pragma once

#include <teff/strand/wait_reason.hpp>

#include <cstddef>
#include <span>

namespace teff {

// The functions by which a report asks a front end for the waits of its fibers.
struct wait_listener {
    // Calls visit(wait, fiber, argument) for each wait of the front end's fibers, until visit returns true.
    bool (*find)(bool (*visit)(const noted_wait& wait, const void* fiber, void* argument) noexcept,
                 void* argument) noexcept;
    // Writes the return addresses of such a fiber's calls into `calls`, innermost first, as many as fit; returns their
    // number. Call inside visit(), while all threads are held (quiescence.hpp).
    std::size_t (*calls_of)(const void* fiber, std::span<void*> calls) noexcept;
};

// has_waits(): whether any wait was noted. has_deadlock(): whether a wait for an object was noted and the runtime knows
// all threads of the process, so that none is left to end it.
bool has_waits() noexcept;
bool has_deadlock() noexcept;

// Whether it is certain that no thread unknown to the runtime can end one of the waits.
bool is_stall_certain() noexcept;

// Both write each wait: its thread or fiber, its place and its object. report_stall() returns whether it has reported.
void report_deadlock() noexcept;
bool report_stall() noexcept;

}  // namespace teff
