// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each worker has done since the process began, or since reset_counters(): counted while the option `counters`
// (TEFF_COUNTERS) is on. What is counted per task is kept in registers and costs nothing measurable; the rest is
// counted where a worker has run dry, and not at all while the option is off.
//
// A worker's numbers are added when it leaves a team, the caller's when its call returns. Outside of execute() forks
// and groups have no such call: there a thread's numbers are added when its outermost join is over, or its wait for a
// group of its own that had tasks in a queue; what is left is added with the next one, or when the thread ends. Worker
// 0 stands for all threads that call, together; 1 and so on are those of the pool.
//
// Of fork-join, groups and algorithms is counted what others could take. A plain fork costs a comparison and is never
// counted, nor is a task that is called like one.
//
// All functions may be called from any thread.
#pragma once

#include <cstdint>

namespace teff {

struct worker_counters {
    std::uint64_t run = 0;              // tasks taken from a queue and run; of forks and groups also those dropped
    std::uint64_t pushed = 0;           // tasks put into a queue
    std::uint64_t run_at_once = 0;      // tasks that were refused, run by the one that enqueued or forked them
    std::uint64_t steals_tried = 0;     // looks around for others' tasks
    std::uint64_t steals_won = 0;       // those that found some
    std::uint64_t requests_served = 0;  // requests of idle workers that were answered with tasks
    std::uint64_t parked = 0;           // times that it went to sleep
    std::uint64_t idle_ns = 0;          // nanoseconds without a task, searching or asleep

    worker_counters& operator+=(const worker_counters& other) noexcept;
};

// One more than the highest number of a worker that has counted something; 0: nobody has.
[[nodiscard]] unsigned counted_workers() noexcept;
// All zero for a worker that has counted nothing.
[[nodiscard]] worker_counters counters_of_worker(unsigned worker) noexcept;
// What is counted at the same time may be lost or kept.
void reset_counters() noexcept;

}  // namespace teff
