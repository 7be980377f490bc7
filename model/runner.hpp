// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores a scenario until it fails or the explorer has nothing left; tells what was found.
#pragma once

#include <model/check.hpp>
#include <model/execution.hpp>
#include <model/explorer.hpp>

#include <cstdint>
#include <set>
#include <string>

namespace model {

struct exploration {
    std::uint64_t executions = 0;  // run to their end
    std::uint64_t cut_off = 0;     // ended where another one had been
    unsigned longest = 0;          // operations
    bool complete = false;         // nothing left within the bounds
    bool failed = false;
    bool reproduced = false;       // the same decisions failed again
    std::string report;            // of the failure: message, table, schedule
    std::string message;           // its first line
    std::string schedule;          // that replays it
    std::set<std::uint64_t> outcomes;
};

// Stops at the first failure, which it runs once more to describe it.
exploration explore(const scenario& what, explorer& how);

enum class replay_outcome : unsigned char { passed, failed, not_a_schedule };
struct replay_result {
    replay_outcome outcome;
    std::string text;  // to be printed
};

// The failure again, from the schedule in a report. `find` looks a scenario up by structure and name; nullptr if there
// is none.
replay_result replay_schedule(const std::string& schedule,
                              const scenario* (*find)(const std::string& structure, const std::string& name));

}  // namespace model
