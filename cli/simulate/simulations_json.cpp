// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the results of simulations as JSON; see simulations_json.hpp.
#include <cli/simulate/simulations_json.hpp>

#include <optional>

#include <teff/version.hpp>

#include <cli/bench/machine_facts.hpp>

namespace teff::cli {

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

}  // namespace teff::cli
