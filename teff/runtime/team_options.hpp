// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the options of a call to the numbers that a team is made of.
#pragma once

#include <teff/options.hpp>
#include <teff/scheduler/settings.hpp>

#include <string_view>

namespace teff {

class configuration;

struct team_options {
    scheduler_settings settings;
    // A name, good for ever. Not a row of the table: a table that call sites used would be a variable in their shared
    // object which the loader makes unique in the process, and the object could then never be unloaded.
    std::string_view scheduler;
    // How long an idle member searches: the option of that name, or the one that the scheduler's row names instead.
    long spin_us;
};

// The process's configuration with the call's options on top. Throws std::invalid_argument. Any thread.
team_options resolve(const options& call);
// The same on top of another configuration.
team_options resolve(const configuration& base, const options& call);

// Grows the pool so that a team of `threads` (1..4096) can be full. A call from inside a task shares the workers there
// are and starts none, unless the pool is empty.
void prepare_workers(unsigned threads) noexcept;

}  // namespace teff
