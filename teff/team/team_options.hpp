// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves the options of a call into the numbers and choices that a team is made of.
#pragma once

#include <teff/options.hpp>
#include <teff/scheduler/settings.hpp>

#include <cstddef>
#include <string_view>

namespace teff {

class configuration;
class cpu_mask;

struct team_options {
    scheduler_settings settings;
    // The scheduler's name, valid for ever. Not a pointer to its row: a table that call sites used would be a variable
    // in their shared object that the loader makes unique in the process, and the object could then never be unloaded.
    std::string_view scheduler;
    // How long an idle member searches: the option spin_us, or the option that the scheduler's row names instead.
    long spin_us;
    // of dataflow: the row of the tracker, the number of tasks of a procedure that may be unfinished (0: no limit), and
    // the bytes that renamed objects may take
    unsigned char tracker = 0;
    std::size_t dataflow_tasks = 65'536;
    std::size_t rename_memory = std::size_t{256} << 20;
    std::size_t fiber_stack = std::size_t{256} << 10;  // bytes of the stack of a fiber
    std::size_t more_stack = std::size_t{256} << 20;   // bytes of stacks for calls that nest deep (more_stack.hpp)
    // Whether a member queues every task that it makes as long as the scheduler accepts it, even without an idle worker
    // (deferral.hpp). Memory is then the only bound.
    bool queues_all = false;
    // of arenas: where idle workers look first (work_source.hpp), and the CPUs that workers keep to while they are in
    // the team; nullptr: any
    int priority = 0;
    const cpu_mask* binds_to = nullptr;

    bool operator==(const team_options&) const = default;
};

// Applies the call's options on top of the process's configuration. Throws std::invalid_argument. Any thread.
team_options resolve(const options& call);
// The same on top of another configuration.
team_options resolve(const configuration& base, const options& call);

// The row in tracker_choices that the process is configured with. Any thread.
std::size_t tracker_choice() noexcept;

// Grows the pool so that a team of `threads` (1..4096) can fill its slots. A call from inside a task shares the
// existing workers and starts none, unless the pool is empty.
void prepare_workers(unsigned threads) noexcept;

}  // namespace teff
