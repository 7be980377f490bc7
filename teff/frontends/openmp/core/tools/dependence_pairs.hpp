// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which unfinished task a new one waits for, told to a tool (ompt_callback_task_dependence). The trackers of depend/
// keep counts, not tasks, so the pairs are found here from the declared accesses. All functions: any thread.
//
// A program may also read the pairs as a graph, by two functions of LLVM's runtime: __kmpc_task_get_depnode() and
// __kmpc_task_get_successors(). The list of a task's successors grows while its siblings are made, and ends with the
// task. The program calls them for tasks that have not ended, from the thread that makes the siblings.
#pragma once

#if TEFF_OPENMP_CALLS_TOOL

#include <teff/frontends/openmp/core/events/events.hpp>

namespace teff::openmp::tools {

// Reports the pairs of a new task, and keeps its accesses until forget_accesses(). maker: only the tasks of one maker
// wait for each other. A task that has ended waits for nothing: its accesses are not kept.
void report_pairs(events::task_record& made, const task* maker, const events::dependence* items, int count) noexcept;
// Before the task's record may be gone.
void forget_accesses(events::task_record& ended) noexcept;
// Keeps the graph from now on. Called before the program begins.
void keep_graph() noexcept;
// In the child of a fork(), whose other threads may have held the locks.
void unlock_pairs_in_child() noexcept;

}  // namespace teff::openmp::tools

#endif
