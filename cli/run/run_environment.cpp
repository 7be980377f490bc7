// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the environment variables of a program that `teff run` starts; see run_environment.hpp.
#include <cli/run/run_environment.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/run/launch.hpp>

namespace teff::cli {

namespace {

auto named(const std::string& name) {
    return [start = name + "="](const std::string& entry) { return entry.starts_with(start); };
}

// The environment as a list in which variables can be replaced. set() leaves one entry for a variable that had several.
class variable_list {
public:
    explicit variable_list(const char* const* inherited) {
        for (; *inherited != nullptr; ++inherited)
            entries_.emplace_back(*inherited);
    }

    [[nodiscard]] std::string value_of(const std::string& name) const {
        const auto found = std::find_if(entries_.begin(), entries_.end(), named(name));
        return found == entries_.end() ? std::string{} : found->substr(name.size() + 1);
    }
    void unset(const std::string& name) {
        entries_.erase(std::remove_if(entries_.begin(), entries_.end(), named(name)), entries_.end());
    }
    void set(const std::string& name, const std::string& value) {
        unset(name);
        entries_.push_back(name + "=" + value);
    }
    // Puts `value` in front of the present value. It adds no empty part, which would mean the current folder.
    void prepend(const std::string& name, const std::string& value) {
        const std::string there = value_of(name);
        const bool has_it = there == value || there.starts_with(value + ":");
        set(name, there.empty() ? value : has_it ? there : value + ":" + there);
    }

    [[nodiscard]] std::vector<std::string> entries() && { return std::move(entries_); }

private:
    std::vector<std::string> entries_;
};

// Puts the runtime before all others.
void put_first(variable_list& variables, const run_settings& settings) {
    const std::string folder = settings.runtime.parent_path().string();
    if (folder.find_first_of(":;") != std::string::npos)
        throw launch_error(launch_error::own_failure,
                           fmt::format("the runtime's folder '{}' has a colon or semicolon in its name, where the "
                                       "loader ends it: install Teff elsewhere",
                                       folder));
    variables.prepend("LD_LIBRARY_PATH", folder);
    // A blank ends a path in this variable. Then the runtime is found in LD_LIBRARY_PATH by its name.
    if (settings.preloads)
        variables.prepend("LD_PRELOAD", folder.find_first_of(" \t\n") == std::string::npos
                                            ? settings.runtime.string()
                                            : settings.runtime.filename().string());
}

}  // namespace

std::vector<std::string> environment_of(const char* const* inherited, const run_settings& settings) {
    variable_list variables(inherited);
    if (!settings.runtime.empty())
        put_first(variables, settings);
    if (!settings.scheduler.empty())
        variables.set("TEFF_SCHEDULER", settings.scheduler);
    if (!settings.tracker.empty())
        variables.set("TEFF_TRACKER", settings.tracker);
    if (!settings.threads.empty()) {
        variables.set("TEFF_NUM_THREADS", settings.threads);
        // No value of OMP_NUM_THREADS means "as many threads as this process has processors". An OpenMP runtime does
        // this when the variable is not set.
        if (settings.threads == "auto")
            variables.unset("OMP_NUM_THREADS");
        else
            variables.set("OMP_NUM_THREADS", settings.threads);
    }
    if (settings.verbose)
        variables.set("TEFF_OPENMP_VERBOSE", "on");
    if (!settings.trace.empty()) {
        variables.set("TEFF_TRACE", settings.trace);
        variables.set("TEFF_TRACE_ON_INTERRUPT", "on");
    }
    if (!settings.trace_events.empty())
        variables.set("TEFF_TRACE_EVENTS", settings.trace_events);
    return std::move(variables).entries();
}

}  // namespace teff::cli
