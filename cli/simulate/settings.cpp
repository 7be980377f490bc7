// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the command line; see settings.hpp.
#include <cli/simulate/settings.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/bench/child_process.hpp>
#include <cli/simulate/machine_file.hpp>
#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr long most_seed = 1'000'000'000'000'000;  // the simulator reads numbers as floating-point ones
constexpr long most_simulated_runs = 1000;
constexpr long most_lines = 1000;

long number_of(const char* option, const std::string& text, long least, long most, const char* example) {
    const auto value = parse_integer(text);
    if (!value || *value < least || *value > most)
        throw usage_error(fmt::format("{} '{}'", option, text),
                          fmt::format("not a whole number from {} to {}", least, most),
                          fmt::format("use a number such as {}", example));
    return *value;
}

std::vector<unsigned> simulated_threads(const std::string& list, const simulator::machine& on) {
    std::vector<unsigned> counts;
    for (const std::string& text : list_members("--threads", list)) {
        if (text == "all") {
            for (const unsigned count : doubling_up_to(on.processors()))
                add_once(counts, count);
            continue;
        }
        const auto value = parse_integer(text);
        if (!value || *value < 1 || *value > long{simulator::machine::max_processors})
            throw usage_error(fmt::format("--threads '{}'", text),
                              fmt::format("not a whole number from 1 to {}", simulator::machine::max_processors),
                              "use a list of numbers such as 1,4,16, or all for 1, 2, 4 and so on up to the "
                              "processors of the machine");
        add_once(counts, static_cast<unsigned>(*value));
    }
    if (counts.empty())
        throw usage_error(fmt::format("--threads '{}'", list), "the list is empty",
                          "use a list of numbers such as 1,4,16, or all");
    std::sort(counts.begin(), counts.end());
    return counts;
}

double limit_of(const std::string& text) {
    const auto seconds = parse_number(text);
    if (!seconds || *seconds <= 0)
        throw usage_error(fmt::format("--limit '{}'", text), "not a positive number of seconds",
                          "use a number such as 10 or 0.5");
    return *seconds;
}

}  // namespace

simulate_settings check_simulation(const simulate_request& request, unsigned default_jobs) {
    simulate_settings settings;
    settings.kernels = kernel_choices(request.kernels, "");
    settings.faces = list_members("--face", request.faces);
    if (settings.faces.empty())
        throw usage_error(fmt::format("--face '{}'", request.faces), "the list is empty",
                          "use a list of faces such as reduce,fork_join, or all");
    settings.on = read_machine(request.machine);
    settings.schedulers = choose("--scheduler", request.schedulers, names_in(schedulers()));
    settings.threads = simulated_threads(request.threads, settings.on);
    settings.has_named_trackers = !request.trackers.empty();
    settings.trackers = choose("--tracker", request.trackers.empty() ? default_tracker : request.trackers,
                               names_in(tracker_choices), names_in(tracker_names));
    settings.seed = static_cast<std::uint64_t>(number_of("--seed", request.seed, 0, most_seed, "1"));
    settings.runs = static_cast<unsigned>(number_of("--runs", request.runs, 1, most_simulated_runs, "3"));
    settings.limit_seconds = limit_of(request.limit);
    settings.lines = static_cast<unsigned>(number_of("--lines", request.lines, 0, most_lines, "8"));
    constexpr long most_jobs = most_children_at_once;
    settings.jobs = request.jobs.empty()
                        ? std::min(default_jobs, static_cast<unsigned>(most_jobs))
                        : static_cast<unsigned>(number_of("--jobs", request.jobs, 1, most_jobs, "2"));
    settings.wide = request.wide;
    settings.json = request.json;
    settings.report = request.report;
    check_results(settings.json, settings.report);
    return settings;
}

}  // namespace teff::cli
