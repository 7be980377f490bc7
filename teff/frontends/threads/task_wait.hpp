// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a fiber waits for the job of a fork, and for the tasks of a group: it is left, and the thread that ends the job
// or the last task makes it ready. The handshakes are those of a job's state (fork_join/job.hpp) and of a count latch.
//
// On a fiber that can be left there. After both of them the fiber may be on another worker.
#pragma once

#include <teff/runtime/count_latch.hpp>
#include <teff/task/task_header.hpp>

namespace teff::threads {

// Returns when the job has ended. The calling fiber has made it.
void wait_for_job(task_header& job) noexcept;
// Returns when all tasks had ended at some time since the call; more may have been counted since.
void wait_for_count(count_latch& count) noexcept;

}  // namespace teff::threads
