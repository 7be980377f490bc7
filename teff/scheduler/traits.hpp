// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traits of a scheduler, which are known without its class: the data in a row of schedulers.hpp.
//
// The command `teff` prints the traits, the benchmarks estimate memory from them, `resolve()` derives from them how
// idle workers wait, and the tests choose with them which suites a scheduler must pass. Options are named as in the
// option table, which is on a higher floor and checks these names.
#pragma once

#include <array>
#include <string_view>

namespace teff {

// Which one of its queued tasks a worker runs next.
enum class task_order : unsigned char {
    newest_first,  // last in, first out: a queue holds a few tasks per level of a recursion
    oldest_first   // first in, first out: a queue without a bound holds a whole level
};

// The traits of a scheduler. All texts live as long as the program.
struct scheduler_traits {
    // The name that chooses it.
    const char* name;
    const char* sentence;               // what it does, without a full stop
    // Which queued task a worker runs next.
    task_order order;
    const char* bound = nullptr;        // the option, besides max_queued, that limits queued tasks; nullptr: none
    bool steals = false;                // whether a worker without tasks takes others' tasks
    bool binds = false;                 // whether a queued task waits for the worker, or shepherd, it was dealt to
    bool on_request = false;            // whether tasks stay private to their worker until an idle one asks
    const char* idle_cycles = nullptr;  // the option, in cycles, that replaces spin_us; nullptr: none
    int shepherds = 1;                  // how many, if the option leaves it open; as in scheduler_settings
    std::array<const char*, 10> options = {};  // further options that it reads and not all schedulers do

    // Whether the scheduler reads the option of that name; only for options that not all schedulers read.
    constexpr bool reads(std::string_view option) const noexcept {
        for (const char* const each : options)
            if (each != nullptr && option == each)
                return true;
        return (bound != nullptr && option == bound) || (idle_cycles != nullptr && option == idle_cycles);
    }

    // Whether it frees shared memory by the reclaimer that the option `reclaimer` names.
    constexpr bool reclaims() const noexcept { return reads("reclaimer"); }
};

}  // namespace teff
