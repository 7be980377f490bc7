// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a scheduler without its class: the plain part of a row of schedulers.hpp.
//
// The command prints it, the benchmarks estimate memory by it, `resolve()` takes from it how idle workers wait, and the
// tests choose by it what a scheduler must pass. Options are named as in the option table, which checks the names: it
// stands on a higher floor.
#pragma once

#include <array>
#include <string_view>

namespace teff {

// Of the tasks that a worker has queued, which one it runs next.
enum class task_order : unsigned char {
    newest_first,  // last in, first out: a queue holds a few tasks per level of a recursion
    oldest_first   // first in, first out: a queue without a bound holds a whole level
};

struct scheduler_traits {
    const char* name;
    const char* sentence;               // what it does, without a full stop
    task_order order;
    const char* bound = nullptr;        // the option, besides max_queued, for how many tasks are queued; nullptr: none
    bool steals = false;                // whether a worker without tasks takes others' tasks
    bool binds = false;                 // whether a queued task waits for the worker, or shepherd, it was dealt to
    bool on_request = false;            // whether tasks stay private to their worker until another one asks
    const char* idle_cycles = nullptr;  // the option, in cycles, in the place of spin_us; nullptr: none
    std::array<const char*, 8> options = {};  // what else it reads, of the options that not all schedulers read

    // Whether the option of that name concerns it, of those that do not concern all schedulers.
    constexpr bool reads(std::string_view option) const noexcept {
        for (const char* const each : options)
            if (each != nullptr && option == each)
                return true;
        return (bound != nullptr && option == bound) || (idle_cycles != nullptr && option == idle_cycles);
    }

    // Whether it frees shared memory by the reclaimer of that option.
    constexpr bool reclaims() const noexcept { return reads("reclaimer"); }
};

}  // namespace teff
