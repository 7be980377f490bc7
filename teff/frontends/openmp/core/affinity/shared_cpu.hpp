// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves a thread away from a CPU that it shares with the region's opener. (Apart, since the simulator replaces it.)
//
// The kernel may put two threads of a region on one CPU while others are idle. Threads that meet at barriers and yield
// to each other look like one busy thread to the kernel, so it leaves them there, and each barrier costs some
// microseconds. So a thread that begins a region on the CPU of the thread that has opened it moves to another one.
#pragma once

#include <sched.h>

namespace teff::openmp {

// Moves the calling thread to another CPU of its mask, which stays as it is. Does so only in some of the calls, since
// on a busy machine the kernel may have no better place for the thread.
[[gnu::noinline]] inline void move_to_another_cpu(int from) noexcept {
    constexpr unsigned calls_for_a_move = 16;
    static constinit thread_local unsigned calls = 0;
    if (calls++ % calls_for_a_move != 0)
        return;
    cpu_set_t all;
    if (from < 0 || from >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        return;
    cpu_set_t others = all;
    CPU_CLR(from, &others);
    if (::sched_setaffinity(0, sizeof others, &others) == 0)
        ::sched_setaffinity(0, sizeof all, &all);
}

// Called by each thread of a region. opened_on: the CPU of the thread that has opened the region.
inline void leave_cpu_of_opener(int opened_on) noexcept {
    if (::sched_getcpu() == opened_on) [[unlikely]]
        move_to_another_cpu(opened_on);
}

}  // namespace teff::openmp
