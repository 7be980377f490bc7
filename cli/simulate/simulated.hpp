// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of simulations, as tables, JSON and the page show them: rows, and what was skipped. Also the processes
// that give them, and their JSON.
//
// A row has what the simulator's line of JSON says. Where the threads' time goes is by cause, in the simulator's order
// and with its names, so a new cause needs no change here; what is left of the time are the runtime's own instructions.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <cli/bench/child_process.hpp>
#include <cli/simulate/simulation_plan.hpp>

namespace teff::cli {

// A place of the program that makes cache lines move between cores.
struct line_site {
    std::string where;
    double per_task = 0;   // lines
    double waited_ns = 0;  // on average for one
};

struct simulated_row {
    simulation what;
    unsigned long long tasks = 0;  // or forks, or iterations
    double seconds = 0;            // of virtual time
    double ns_per_task = 0;
    double near_lines_per_task = 0;
    double far_lines_per_task = 0;
    std::vector<std::pair<std::string, double>> shares;  // of the threads' time, by cause; together at most 1
    std::vector<line_site> sites;                        // those of the most lines first
    nlohmann::ordered_json line;                         // all that the simulator has said
    std::optional<double> speedup;                       // over the same line's row of one thread
};

struct skipped_simulation {
    simulation what;
    std::string reason;
};

struct simulations {
    std::vector<simulated_row> rows;
    std::vector<skipped_simulation> skipped;
    bool failed = false;   // a result was wrong, or a simulation could not end
    bool partial = false;  // interrupted
};

// Reads the simulator's line. Throws nlohmann::json::exception.
[[nodiscard]] simulated_row read_simulated_row(const simulation& what, const std::string& line);

void add_speedups(std::vector<simulated_row>& rows);

// The share of the runtime's own instructions.
[[nodiscard]] double runtime_share(const simulated_row& row);

// The cause as a title: "near line".
[[nodiscard]] std::string title_of_cause(const std::string& cause);

// The rows of each program: kernel, size and face.
[[nodiscard]] std::vector<std::vector<const simulated_row*>> by_program(const std::vector<simulated_row>& rows);

// The greatest number of threads.
[[nodiscard]] unsigned most_simulated_threads(const std::vector<const simulated_row*>& rows);

// The results of simulations as JSON, and the machine among them:
//
//   {"partial": false, "machine": {...}, "seed": 1, "runs": 1, "version": "0.1.0", "commit": "...",
//    "rows": [...], "skipped": [...]}
//
// The machine is as in a machine file, with all costs. A row has everything of the simulator's line, and the tracker
// (null for tasks without accesses) and the speed-up over one thread (null without such a row). Nothing depends on when
// and where the file was made: the same command gives the same file.
[[nodiscard]] nlohmann::ordered_json machine_json(const simulator::machine& on);
[[nodiscard]] nlohmann::ordered_json simulations_json(const simulate_settings& settings, const simulations& results);

// Told after each simulation: how many are done, of how many, and which this was. `skipped`: why it has no row; null if
// it has one.
using simulation_told =
    std::function<void(std::size_t done, std::size_t total, const simulation& what, const std::string* skipped)>;

// Runs the simulations, several at once, each in a process of its own. The result of a simulation does not depend on
// what runs beside it: its time is virtual. Only the limit is in real time. The simulator ends with status 0 and a line
// of JSON, or with another status and a message that says what is wrong: with the result, or with the program (a
// deadlock). Rows are in the order of the plan.
[[nodiscard]] simulations run_simulations(const std::vector<simulation>& planned, const simulate_settings& settings,
                                          const simulator_program& simulator, const simulation_told& tell);

// Adds what the child's end means: a row, or one that was skipped, or that the simulations were interrupted.
void add_simulation(simulations& to, const simulation& what, const child_result& found, double limit_seconds);

}  // namespace teff::cli
