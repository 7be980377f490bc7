// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs simulations in processes, and collects their results; see simulator_runs.hpp.
#include <cli/simulate/simulator_runs.hpp>

#include <csignal>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <cli/text.hpp>

namespace teff::cli {

namespace {

// The simulator's message, without its name and without the advice for users who start it themselves.
std::string complaint_in(const std::string& errors) {
    constexpr std::string_view name = "teff_simulator: ", advice = "; this program is called by `teff simulate`";
    std::string line = first_line(errors);
    if (line.starts_with(name))
        line.erase(0, name.size());
    if (line.ends_with(advice))
        line.erase(line.size() - advice.size());
    return line.empty() ? "no message" : line;
}

}  // namespace

void add_simulation(simulations& to, const simulation& what, const child_result& found, double limit_seconds) {
    const auto fails = [&](std::string reason) {
        to.skipped.push_back({what, "failed: " + std::move(reason)});
        to.failed = true;
    };
    switch (found.ending) {
    case child_ending::interrupted:
        to.partial = true;
        return;
    case child_ending::over_limit:
        to.skipped.push_back({what, fmt::format("over the limit of {:g} s", limit_seconds)});
        return;
    case child_ending::not_started:
        return fails(found.errors);
    case child_ending::signalled:
        // This command sends SIGKILL only at the limit; before it, the kernel sends it when memory is exhausted.
        if (found.code == SIGKILL) {
            to.skipped.push_back({what, "out of memory: stopped by the system"});
            return;
        }
        return fails(fmt::format("ended by signal {}: {}", found.code, complaint_in(found.errors)));
    case child_ending::exited:
        break;
    }
    if (found.code != 0)
        return fails(complaint_in(found.errors));
    try {
        to.rows.push_back(read_simulated_row(what, found.output));
    } catch (const nlohmann::json::exception& error) {
        fails(fmt::format("its answer cannot be read: {}", error.what()));
    }
}

simulations run_simulations(const std::vector<simulation>& planned, const simulate_settings& settings,
                            const simulator_program& simulator, const simulation_told& tell) {
    std::vector<child_request> requests;
    for (const simulation& each : planned) {
        child_request& made = requests.emplace_back();
        made.program = simulator.program;
        made.arguments = simulator_arguments(each, settings);
        made.limit_seconds = settings.limit_seconds;
    }
    std::vector<child_result> results(planned.size());
    std::size_t done = 0;
    run_children(requests, settings.jobs, [&](std::size_t index, child_result result) {
        simulations alone;
        add_simulation(alone, planned[index], result, settings.limit_seconds);
        if (!alone.partial)
            tell(++done, planned.size(), planned[index], alone.skipped.empty() ? nullptr : &alone.skipped[0].reason);
        results[index] = std::move(result);
    });
    simulations all;
    for (std::size_t i = 0; i < planned.size(); ++i)
        add_simulation(all, planned[i], results[i], settings.limit_seconds);
    add_speedups(all.rows);
    return all;
}

}  // namespace teff::cli
