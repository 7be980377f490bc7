// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a run of the model program, their settings and their results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scenarios {

struct settings {
    std::string structure;               // only this structure, or all whose names begin so
    std::string scenario;                // only this one
    std::uint64_t schedules = 2000;      // random schedules per scenario, half of them with weak memory
    std::uint64_t exhaustive = 20'000;   // executions after which an exhaustive exploration gives up
    std::uint64_t order_schedules = 0;     // random schedules per scenario and mutant of an order; 0: no such mutants
    std::uint64_t protocol_schedules = 0;  // the same for mutants of the protocol
    std::string mutant;                    // only mutants whose names contain this
    bool hunts_alone = false;              // only the wanted scenarios hunt the mutants
    unsigned preemptions = 2;            // bound of the exhaustive exploration
    std::uint64_t seed = 1;
    unsigned jobs = 1;
};

struct mutant_count {
    unsigned all = 0;
    unsigned killed = 0;
};

struct structure_result {
    unsigned scenarios = 0;
    unsigned complete = 0;  // explored exhaustively within the bounds
    std::uint64_t interleavings = 0;
    mutant_count orders;
    mutant_count protocol;
};
using results = std::map<std::string, structure_result>;

// Each prints what it does and returns the number of failures.
unsigned check_the_checker(const settings& how);
unsigned find_seeded_bugs(const settings& how);
unsigned explore_structures(const settings& how, results& into);
unsigned kill_mutants(const settings& how, results& into);

// Whether the settings select this scenario.
bool is_wanted(const settings& how, const char* structure, const char* scenario);

}  // namespace scenarios
