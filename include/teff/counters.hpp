// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of what each worker has done since the process began, or since reset_counters(). Counting is on while the
// option `counters` (TEFF_COUNTERS) is on. Counts per task are kept in registers and cost nothing measurable. The other
// counts are taken only where a worker has run dry, and not at all while the option is off.
//
// A worker's counts are added to its record when it leaves a team; those of the calling thread when its call returns.
// Forks and groups outside execute() have no such call. There a thread's counts are added when its outermost join
// completes, or when it has waited for a group of its own that had tasks in a queue. Counts that remain are added at
// the next such event, or when the thread exits. Worker 0 stands for all calling threads together; 1 and up are the
// threads of the pool.
//
// For fork-join, groups and algorithms only tasks that other threads could take are counted. A plain fork costs one
// comparison and is never counted; neither is a group's task that is called directly in the same way.
//
// All functions may be called from any thread.
#pragma once

#include <cstdint>

namespace teff {

// What one worker has done. All counts are of events, but for idle_ns.
struct worker_counters {
    std::uint64_t run = 0;              // tasks taken from a queue and run; for forks and groups, dropped ones too
    std::uint64_t pushed = 0;           // tasks put into a queue
    std::uint64_t run_at_once = 0;      // refused tasks, run by the thread that enqueued or forked them
    std::uint64_t steals_tried = 0;     // searches for tasks of other members
    std::uint64_t steals_won = 0;       // searches that found a task
    std::uint64_t steals_contended = 0; // attempts to take a task that were lost to another thread (demand, blaze)
    std::uint64_t requests_served = 0;  // requests of idle workers that were answered with tasks
    std::uint64_t combining_rounds = 0; // ompi: times that it took tasks for waiting workers along with its own
    std::uint64_t combined = 0;         // ompi: dequeues that it performed for others in these rounds
    std::uint64_t parked = 0;           // times that the worker went to sleep
    std::uint64_t idle_ns = 0;          // nanoseconds without a task, searching or asleep

    // Adds each count of `other`.
    worker_counters& operator+=(const worker_counters& other) noexcept;
};

// One more than the highest number of a worker that has counted something; 0 if none has.
[[nodiscard]] unsigned counted_workers() noexcept;
// The counts of one worker; all zero if it has counted nothing.
[[nodiscard]] worker_counters counters_of_worker(unsigned worker) noexcept;
// Sets all counts to zero. A count that is added at the same time may be lost or kept.
void reset_counters() noexcept;

}  // namespace teff
