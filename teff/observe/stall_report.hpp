// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports on stderr when all threads sleep (quiescence.hpp):
//
//   a deadlock    at once, when every thread of the process is known, all of them sleep, nothing is queued, and a fiber
//                 or thread waits for an object of threads.hpp
//   a stall       when all threads that the runtime knows have slept for stall_report_s, and one of them waits for
//                 something. That is any wait in the runtime: for a group, a fork, a reduction, a barrier, a fiber
//
// A program is healthy as long as a thread that the runtime knows is awake: it may run the user's code, and end a wait
// later. A thread that the runtime does not know runs no tasks, but it may end a wait for an object, such as a channel.
// So where there is one, and such a wait, nothing is reported, unless the user has asked for it by setting the option.
#pragma once

#include <teff/strand/wait_reason.hpp>

#include <cstddef>
#include <span>

namespace teff {

// How a report asks a front end for the waits of its fibers.
struct wait_listener {
    // Calls visit(wait, fiber, argument) for those of its fibers, until it returns true.
    bool (*find)(bool (*visit)(const noted_wait& wait, const void* fiber, void* argument) noexcept,
                 void* argument) noexcept;
    // Where the calls of such a fiber return to, innermost first, as many as `calls` takes; returns their number.
    // Inside visit(), while all threads are held (quiescence.hpp).
    std::size_t (*calls_of)(const void* fiber, std::span<void*> calls) noexcept;
};

// Whether some wait was noted: any; or one that could end only by a thread of the program, all of which wait.
bool has_waits() noexcept;
bool has_deadlock() noexcept;

// Whether a stall may be said.
bool is_stall_certain() noexcept;

// Both write what waits where for what. report_stall() returns whether there was something to write.
void report_deadlock() noexcept;
bool report_stall() noexcept;

}  // namespace teff
