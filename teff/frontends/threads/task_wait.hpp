// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber's waits for the job of a fork and for the tasks of a group. The fiber is suspended, and the thread that ends
// the job or the last task makes it ready. The handshakes are those of a job's state (fork_join/job.hpp) and of a count
// latch.
//
// Call these on a fiber that can be suspended there. After either call the fiber may be on another worker.
#pragma once

#include <teff/task/task_header.hpp>
#include <teff/team/count_latch.hpp>

namespace teff::threads {

// Returns when the job has ended. The calling fiber has made it.
void wait_for_job(task_header& job) noexcept;
// Returns when at some time since the call all tasks had ended; more tasks may have been counted since then.
void wait_for_count(count_latch& count) noexcept;

}  // namespace teff::threads
