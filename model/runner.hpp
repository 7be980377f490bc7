// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores a scenario until it fails or the explorer has nothing left, and reports what was found.
#pragma once

#include <model/check.hpp>
#include <model/execution.hpp>
#include <model/explorer.hpp>

#include <cstdint>
#include <set>
#include <string>

namespace model {

struct exploration {
    std::uint64_t executions = 0;  // those that ran to their end or failed
    std::uint64_t cut_off = 0;     // ended in a state that was reached before
    unsigned longest = 0;          // operations of the longest execution
    bool complete = false;         // everything within the bounds was explored
    bool failed = false;
    bool reproduced = false;       // the same decisions led to the same failure
    std::string report;            // describes the failure: message, table, schedule
    std::string message;           // what failed, without the rest of the report
    std::string schedule;          // replays the failure
    std::set<std::uint64_t> outcomes;
};

// Stops at the first failure, and runs it once more to describe it.
exploration explore(const scenario& what, explorer& strategy);

enum class replay_outcome : unsigned char { passed, failed, not_a_schedule };
struct replay_result {
    replay_outcome outcome;
    std::string text;  // to be printed
};

// Repeats a failure from the schedule in its report. `find` looks up a scenario by structure and name; it returns
// nullptr if there is none.
replay_result replay_schedule(const std::string& schedule,
                              const scenario* (*find)(const std::string& structure, const std::string& name));

}  // namespace model
