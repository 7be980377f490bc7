// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the results of simulations, runs the processes that give them, and writes them as JSON; see simulated.hpp.
#include <cli/simulate/simulated.hpp>

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <teff/version.hpp>

#include <cli/bench/machine_facts.hpp>
#include <cli/text.hpp>

namespace teff::cli {

simulated_row read_simulated_row(const simulation& what, const std::string& line) {
    simulated_row row;
    row.what = what;
    row.line = nlohmann::ordered_json::parse(line);
    row.tasks = row.line.at("tasks").get<unsigned long long>();
    row.seconds = row.line.at("seconds").get<double>();
    row.ns_per_task = row.line.at("ns_per_task").get<double>();
    row.near_lines_per_task = row.line.at("near_lines_per_task").get<double>();
    row.far_lines_per_task = row.line.at("far_lines_per_task").get<double>();
    for (const auto& [cause, share] : row.line.at("share").items())
        row.shares.emplace_back(cause, share.get<double>());
    if (row.line.contains("sites"))
        for (const auto& site : row.line.at("sites"))
            row.sites.push_back({site.at("where").get<std::string>(), site.at("per_task").get<double>(),
                                 site.at("waited_ns").get<double>()});
    return row;
}

void add_speedups(std::vector<simulated_row>& rows) {
    for (simulated_row& row : rows) {
        const auto single = std::find_if(rows.begin(), rows.end(), [&](const simulated_row& other) {
            return other.what.threads == 1 && other.what.same_line(row.what);
        });
        if (single != rows.end() && row.seconds > 0)
            row.speedup = single->seconds / row.seconds;
    }
}

double runtime_share(const simulated_row& row) {
    double left = 1;
    for (const auto& [cause, share] : row.shares)
        left -= share;
    return std::max(left, 0.0);
}

std::string title_of_cause(const std::string& cause) {
    std::string title = cause;
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

std::vector<std::vector<const simulated_row*>> by_program(const std::vector<simulated_row>& rows) {
    std::vector<std::vector<const simulated_row*>> programs;
    for (const simulated_row& row : rows) {
        if (programs.empty() || !programs.back().front()->what.same_program(row.what))
            programs.emplace_back();
        programs.back().push_back(&row);
    }
    return programs;
}

unsigned most_simulated_threads(const std::vector<const simulated_row*>& rows) {
    unsigned most = 1;
    for (const simulated_row* row : rows)
        most = std::max(most, row->what.threads);
    return most;
}

namespace {

using simulation_json = nlohmann::ordered_json;

simulation_json name_json(const simulation& what, const simulate_settings& settings) {
    simulation_json object;
    object["kernel"] = what.kernel;
    object["face"] = what.face;
    object["size"] = what.size;
    object["machine"] = settings.on.name();
    object["threads"] = what.threads;
    object["scheduler"] = what.scheduler;
    object["tracker"] = what.tracker ? simulation_json(*what.tracker) : simulation_json();
    return object;
}

}  // namespace

nlohmann::ordered_json machine_json(const simulator::machine& on) {
    simulation_json object;
    object["sockets"] = on.sockets();
    object["cores"] = on.cores_per_socket();
    object["threads"] = on.threads_per_core();
    for (const auto& [name, value] : on.prices_by_name())
        object["costs"][std::string(name)] = value;
    return object;
}

nlohmann::ordered_json simulations_json(const simulate_settings& settings, const simulations& results) {
    simulation_json object;
    object["partial"] = results.partial;
    object["machine"] = machine_json(settings.on);
    object["seed"] = settings.seed;
    object["runs"] = settings.runs;
    object["version"] = TEFF_VERSION_STRING;
    object["commit"] = *built_commit() == '\0' ? simulation_json() : simulation_json(built_commit());
    object["rows"] = simulation_json::array();
    for (const simulated_row& row : results.rows) {
        simulation_json made = name_json(row.what, settings);
        made["speedup"] = row.speedup ? simulation_json(*row.speedup) : simulation_json();
        for (const auto& [key, value] : row.line.items())
            if (!made.contains(key))
                made[key] = value;
        object["rows"].push_back(std::move(made));
    }
    object["skipped"] = simulation_json::array();
    for (const skipped_simulation& each : results.skipped) {
        simulation_json made = name_json(each.what, settings);
        made["reason"] = each.reason;
        object["skipped"].push_back(std::move(made));
    }
    return object;
}

namespace {

// The simulator's message, without its name and without the advice for direct calls.
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
