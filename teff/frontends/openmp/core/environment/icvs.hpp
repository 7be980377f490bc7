// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The internal control variables (OpenMP 5.1, section 2.4): those of a data environment, which each task inherits from
// the task that made it, those of the process, and those of the device.
//
// A data environment is shared by a task and its descendants until one of them sets a variable: that task then gets an
// environment of its own (own_environment() in task.hpp). An environment that another task can see is never changed.
//
// There is one device, the host, on which the program begins. As the specification requires, its number is the number
// of other devices, 0. Constructs and routines for another device use the host.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/frontends/openmp/core/environment/warning.hpp>

#include <cstdint>
#include <string_view>

namespace teff::openmp {

// trapezoidal: LLVM's extension, with chunks that become smaller. Loops treat it as guided.
enum class schedule_kind : unsigned char { static_, dynamic, guided, automatic, trapezoidal };

// The run-sched-var.
struct run_schedule {
    schedule_kind kind = schedule_kind::dynamic;
    bool is_monotonic = false;
    long chunk = 1;  // 0: none was given
};

// The chunk of a schedule without a given one: `static` divides the iterations evenly, and the others hand out one at a
// time. (`auto` has no chunk, but programs that ask get 1, as from other runtimes.)
constexpr long chunk_without(schedule_kind kind) noexcept {
    return kind == schedule_kind::static_ ? 0 : 1;
}

enum class binding : unsigned char { none, any, primary, close, spread };  // the values of omp_proc_bind_t

// Consecutive processor places, by their numbers in the list of affinity/cpu_places.hpp.
struct place_range {
    int first = 0;
    int count = 0;
    bool operator==(const place_range&) const = default;
};
// Where a thread is bound, and the places for its inner regions (place-partition-var).
struct cpu_position {
    int place = -1;  // -1: the thread is not bound
    place_range partition;
    bool operator==(const cpu_position&) const = default;
};

// The value of a limit that is not set.
inline constexpr unsigned no_limit = 0x7fff'ffff;
// A time that never ends, in microseconds: the largest int in milliseconds.
inline constexpr long endless_us = 0x7fff'ffffL * 1000;

struct icvs {
    unsigned threads = 1;  // nthreads-var at this level
    binding bind = binding::none;  // bind-var at this level
    // nthreads-var and bind-var of the levels below, as far as they differ
    unsigned short threads_below_count = 0;
    unsigned short bind_below_count = 0;
    const unsigned* threads_below = nullptr;
    const binding* bind_below = nullptr;
    unsigned max_active_levels = 1;
    unsigned thread_limit = no_limit;
    run_schedule schedule;
    bool is_dynamic = false;
    int default_device = 0;
    std::uintptr_t allocator = 1;  // omp_default_mem_alloc
};

// The environment of a region's implicit tasks. outer: the environment of the task that opens the region. bind: the
// region's policy, which holds for inner regions, too, unless the list has another one for them.
inline icvs at_next_level(const icvs& outer, binding bind) noexcept {
    icvs next = outer;
    next.bind = bind;
    if (next.threads_below_count != 0) {
        next.threads = *next.threads_below++;
        --next.threads_below_count;
    }
    if (next.bind_below_count != 0) {
        next.bind = *next.bind_below++;
        --next.bind_below_count;
    }
    return next;
}

// The variables of the process, and the data environment of the initial task. Constant once they are read.
struct process_icvs {
    icvs initial;
    bool may_cancel = false;             // cancel-var
    unsigned max_task_priority = 0;      // max-task-priority-var
    bool throttles_tasks = true;         // false: tasks are queued without a bound
    unsigned helpers = 0;                // helper threads at most (regions/helper_threads.hpp)
    unsigned helper_numbers = 0;         // thread numbers that are kept for them, from 1 on
    unsigned processors = 1;             // on which the process may run
    bool displays_affinity = false;      // display-affinity-var
    std::string_view affinity_format;    // affinity-format-var, until a routine sets it
    binding teams_bind = binding::spread;  // how the initial threads of a league are bound
    bool resets_affinity = false;        // initial threads are bound in their regions only
};

// The first call reads the environment. Any thread.
const process_icvs& process() noexcept;

enum class target_offload : int { disabled, usual, mandatory };  // the values that __kmpc_get_target_offload() returns
enum class library_mode : int { serial = 1, turnaround, throughput };

// The variables of the device, which a routine sets for all threads at once. Any thread.
// relaxed in all accesses: a thread that reads a variable while another one sets it gets either value.
struct device_icvs {
    atomic<int> teams{0};               // nteams-var; 0: the runtime chooses
    atomic<int> teams_thread_limit{0};  // 0: no limit of its own
    atomic<target_offload> offload{target_offload::usual};  // target-offload-var
    atomic<long> spin_us{50};           // how long a waiting thread looks for work before it sleeps
    atomic<library_mode> library{library_mode::throughput};  // serial: all regions have one thread
    atomic<bool> warns{true};           // about settings without effect
};
device_icvs& device() noexcept;

// Takes a setting as if it were in the environment: "OMP_DYNAMIC=true". After the first use of the runtime it can
// change only device_icvs and the environment of the calling thread's task. Any thread.
void take_setting(const char* assignment) noexcept;

// Prints the settings that were read (omp_display_env).
void display_environment(bool is_verbose) noexcept;

inline constexpr int other_devices = 0;
inline constexpr int host_device = other_devices;
// The default device if OMP_TARGET_OFFLOAD is `mandatory` and no other device is named.
inline constexpr int no_device = -4;

// Called before a construct for the device with this number runs on the host. Ends the program with a line if
// OMP_TARGET_OFFLOAD is `mandatory` and the program did not ask for the host.
inline void use_host_for(int number) noexcept {
    // relaxed: see device_icvs.
    if (number != host_device && device().offload.load(std::memory_order_relaxed) == target_offload::mandatory)
        end_with_error(error_device,
                       "a target construct cannot run: there is no device besides the host, and OMP_TARGET_OFFLOAD is "
                       "mandatory; set it to default to use the host");
}

}  // namespace teff::openmp
