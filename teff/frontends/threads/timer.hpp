// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets fibers and threads sleep until a moment. Apart from sleepers.hpp, since the public header fiber.hpp includes it.
//
// One thread of the process wakes all sleepers. The first sleep starts it. It sleeps in the kernel until the earliest
// of the moments, or without limit while there are no sleepers. A sleeper lies on the stack of its call, in a heap that
// is ordered by moments.
//
// Rejected: a limit for the sleep of an idle worker. It would save the thread, but every way to sleep in the pool and
// in the teams would have to know of the earliest moment, and a moment that becomes the earliest would have to wake the
// worker that watches the time. A worker must be woken for the fiber in either case.
//
// fork(): the child has no such thread and no sleepers, and starts anew.
//
// Any thread may call any function.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teff::threads {

// Returns when monotonic_ns() is at least `moment_ns`. If the system cannot start the thread, the calling thread sleeps
// by itself and runs no other task meanwhile.
void sleep_until(std::int64_t moment_ns) noexcept;

// The number of calls that sleep. A hint.
std::size_t sleeping() noexcept;

}  // namespace teff::threads
