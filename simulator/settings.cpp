// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the words of the command line; see settings.hpp.
#include <simulator/settings.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace simulator {

void refuse(const std::string& what) {
    std::fprintf(stderr, "teff_simulator: %s; this program is called by `teff simulate`\n", what.c_str());
    std::exit(125);
}

namespace {

// They are set once the machine is known.
using costs_read = std::vector<std::pair<std::string, double>>;

void read_setting(settings& chosen, costs_read& costs, unsigned& busy, std::string_view argument) {
    const std::size_t sign = argument.find('=');
    const std::string_view name = argument.substr(0, sign);
    const std::string value(sign == std::string_view::npos ? "" : argument.substr(sign + 1));
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool is_number = !value.empty() && *end == '\0';
    const auto positive = [&](double limit) {
        if (!is_number || number < 0 || number > limit)
            refuse("'" + std::string(argument) + "' is out of range");
        return number;
    };
    if (name == "machine") {
        const auto read = machine::parse(value);
        if (!read)
            refuse("'" + value + "' is no machine, such as 1x16 or 8x24x2");
        chosen.on = *read;
    } else if (name == "threads") {
        chosen.how.threads = static_cast<unsigned>(positive(1024));
    } else if (name == "scheduler") {
        chosen.how.scheduler = value;
    } else if (name == "tracker") {
        chosen.how.tracker = value;
    } else if (name == "size") {
        chosen.how.size = static_cast<long>(positive(1e12));
    } else if (name == "seed") {
        chosen.seed = static_cast<std::uint64_t>(positive(1e15));
    } else if (name == "runs") {
        chosen.runs = static_cast<unsigned>(positive(1000));
    } else if (name == "sites") {
        chosen.sites = static_cast<std::size_t>(positive(1000));
    } else if (name == "busy") {
        busy = static_cast<unsigned>(positive(machine::max_processors));
    } else if (name == "of") {
        chosen.counts_accesses = value == "accesses";
    } else if (name == "watch") {
        chosen.watched = static_cast<unsigned>(positive(1024));
    } else {
        costs.emplace_back(name, is_number ? number : -1);
    }
}

}  // namespace

settings read_settings(int count, char** arguments) {
    if (count < 3)
        refuse("a kernel and a face are missing");
    settings chosen;
    chosen.kernel = arguments[1];
    chosen.face = arguments[2];
    costs_read costs;
    unsigned busy = 0;
    for (int i = 3; i < count; ++i)
        read_setting(chosen, costs, busy, arguments[i]);
    chosen.on.keep_busy(busy);
    for (const auto& [name, value] : costs) {
        if (!chosen.on.set(name, value))
            refuse("'" + name + "' is no setting, or its value is out of range");
    }
    return chosen;
}

const workload& find_workload(const settings& chosen) {
    for (const workload& each : workloads()) {
        if (each.kernel == chosen.kernel && each.face == chosen.face)
            return each;
    }
    refuse("there is no kernel '" + std::string(chosen.kernel) + "' for '" + std::string(chosen.face) + "'");
}

void print_run(const settings& chosen, std::uint64_t tasks, double ns) {
    std::printf("\"kernel\":\"%s\",\"face\":\"%s\",\"machine\":\"%s\",\"threads\":%u,\"scheduler\":\"%s\","
                "\"size\":%ld,\"runs\":%u,\"tasks\":%llu,\"seconds\":%.9f,\"ns_per_task\":%.4f",
                std::string(chosen.kernel).c_str(), std::string(chosen.face).c_str(), chosen.on.name().c_str(),
                chosen.how.threads, chosen.how.scheduler.c_str(), chosen.how.size, chosen.runs,
                static_cast<unsigned long long>(tasks / chosen.runs), ns / 1e9 / chosen.runs,
                ns / static_cast<double>(tasks));
}

}  // namespace simulator
