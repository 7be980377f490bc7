// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The internal control variables (OpenMP 5.1, section 2.4): those of a data environment, which each task inherits from
// the task that made it, and those of the process.
//
// A data environment is shared by a task and its descendants until one of them sets a variable: that task then gets an
// environment of its own (own_environment() in task.hpp). Nobody changes an environment that another task can see.
#pragma once

#include <teff/base/atomic.hpp>

#include <cstdint>

namespace teff::openmp {

enum class schedule_kind : unsigned char { static_, dynamic, guided, automatic };

// The run-sched-var.
struct run_schedule {
    schedule_kind kind = schedule_kind::dynamic;
    bool is_monotonic = false;
    long chunk = 1;  // 0: none was given
};

enum class binding : unsigned char { none, any, primary, close, spread };  // the values of omp_proc_bind_t

// As many as the program asks for.
inline constexpr unsigned no_limit = 0x7fff'ffff;

struct icvs {
    unsigned threads = 1;  // nthreads-var at this level
    unsigned max_active_levels = 1;
    unsigned thread_limit = no_limit;
    run_schedule schedule;
    binding bind = binding::none;
    bool is_dynamic = false;
    int default_device = 0;
    std::uintptr_t allocator = 1;  // omp_default_mem_alloc
};

// Those of the process, and the data environment of the initial task. Constant once read.
struct process_icvs {
    icvs initial;
    const unsigned* threads_by_level = nullptr;  // OMP_NUM_THREADS as a list; entry 0 is the outermost level
    unsigned threads_levels = 0;
    const binding* bind_by_level = nullptr;  // OMP_PROC_BIND as a list
    unsigned bind_levels = 0;
    bool may_cancel = false;             // cancel-var
    unsigned max_task_priority = 0;      // max-task-priority-var
    unsigned processors = 1;             // that the process may run on
};

// Read from the environment by the first call. Any thread.
const process_icvs& process() noexcept;

enum class library_mode : int { serial = 1, turnaround, throughput };

// The variables that belong to the device: a routine sets them for all threads at once. Any thread.
// relaxed in all accesses: a program that sets one while another thread reads it gets either value.
struct device_icvs {
    atomic<int> teams{0};               // nteams-var; 0: the runtime chooses
    atomic<int> teams_thread_limit{0};  // 0: no limit of its own
    atomic<long> spin_us{50};           // how long a waiting thread looks for work before it sleeps
    atomic<library_mode> library{library_mode::throughput};  // serial: all regions have one thread
    atomic<bool> warns{true};           // about what has no effect
};
device_icvs& device() noexcept;

}  // namespace teff::openmp
