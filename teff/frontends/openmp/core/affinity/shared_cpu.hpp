// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a region that the kernel has put on one CPU while others are idle. Two threads that meet at barriers and
// give way to each other look like one busy thread, so that the kernel leaves them there, and each barrier costs some
// microseconds. A thread that begins a region on the CPU of the thread that has opened it moves to another one.
#pragma once

#include <sched.h>

namespace teff::openmp {

// Moves the calling thread to another CPU of its mask, which stays as it is. Does so only in some of the calls, since
// on a busy machine the kernel may have no better place for the thread.
void move_to_another_cpu(int from) noexcept;

// opened_on: the CPU of the thread that has opened the region. Any thread.
inline void leave_cpu_of_opener(int opened_on) noexcept {
    if (::sched_getcpu() == opened_on) [[unlikely]]
        move_to_another_cpu(opened_on);
}

}  // namespace teff::openmp
