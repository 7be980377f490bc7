// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the output of `teff info`; see info_command.hpp.
//
// The sentences come from the tables of the library (options, schedulers and reclaimers); this file only does layout.
#include <cli/info/info_command.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include <teff/machine.hpp>
#include <teff/options/options.hpp>
#include <teff/reclaim/names.hpp>
#include <teff/schedulers.hpp>
#include <teff/version.hpp>

#include <cli/output.hpp>

namespace teff::cli {

namespace {

template <class Table>
std::size_t longest_name(const Table& table) {
    std::size_t longest = 0;
    for (const auto& row : table)
        longest = std::max(longest, std::strlen(row.name));
    return longest;
}

template <class Table>
void print_names(const char* title, const Table& table) {
    print("{}\n", title);
    const std::size_t width = longest_name(table);
    for (const auto& row : table)
        print("  {:<{}}  {}\n", row.name, width, row.sentence);
}

void add_words(std::string& line, const std::string& words) { line += (line.empty() ? "" : "; ") + words; }

// The scheduler's traits from its row, without its sentence.
std::string traits_text(const scheduler_traits& row) {
    std::string line;
    add_words(line, row.order == task_order::newest_first ? "newest first" : "oldest first");
    add_words(line, row.steals ? "steals" : "no stealing");
    if (row.on_request)
        add_words(line, "tasks stay private until somebody asks");
    if (row.binds)
        add_words(line, "tasks wait where they were dealt to");
    add_words(line, row.bound == nullptr ? "no bound but max_queued" : fmt::format("bounded by {}", row.bound));
    return line;
}

void print_schedulers() {
    constexpr auto rows = schedulers();
    print("schedulers (TEFF_SCHEDULER, --scheduler)\n");
    const std::size_t width = longest_name(rows);
    for (const scheduler_traits& row : rows)
        print("  {:<{}}  {}\n  {:<{}}    {}\n", row.name, width, row.sentence, "", width, traits_text(row));
}

std::string allowed_values(const option_row& row) {
    if (row.type == option_type::text)
        return row.form == nullptr ? "text" : row.form;
    std::string names;
    if (row.type == option_type::integer)
        names = fmt::format("{} to {}", row.minimum, row.maximum);
    for (const named_choice& choice : row.choices)
        names += (names.empty() ? "" : ", ") + std::string(choice.name);
    return names;
}

std::string schedulers_reading(const option_row& option) {
    std::string names;
    for (const scheduler_traits& each : schedulers())
        if (each.reads(option.name))
            names += (names.empty() ? "" : ", ") + std::string(each.name);
    return names;
}

void print_options() {
    for (const option_row& row : option_table()) {
        print("{} ({})\n", row.name, row.variable);
        print("    {}.\n", row.sentence);
        print("    values: {}; default: {}\n", allowed_values(row), row.usual.text);
        if (const std::string readers = schedulers_reading(row); !readers.empty())
            print("    read by: {}\n", readers);
    }
}

void print_machine() {
    const topology& machine = machine_topology();
    const unsigned quota = cpu_quota();
    print("machine (as told by: {})\n", name_of(machine.source()));
    const auto counted = [](int count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    print("  usable CPUs      {} on {} of {} with {}\n", machine.cpu_count(),
          counted(machine.core_count(), "core"), counted(machine.socket_count(), "socket"),
          counted(machine.numa_count(), "NUMA domain"));
    print("  CPU quota        {}\n", quota == no_cpu_quota ? "none" : fmt::format("{} CPUs", quota));
    print("  threads          {}\n", thread_count(process_configuration()));
}

// The first workers with their CPUs, and whether they share a core or a socket with worker 0: a sample of the placing.
void print_workers() {
    constexpr int most_shown = 8;
    const topology& machine = machine_topology();
    const int shown = std::min(machine.cpu_count(), most_shown);
    print("  workers          ");
    for (int worker = 0; worker < shown; ++worker) {
        const auto number = static_cast<unsigned>(worker);
        print("{}{} on CPU {}", worker == 0 ? "" : ", ", worker, machine.cpu_of_worker(number));
        if (worker > 0)
            print(" ({})", name_of(machine.of_workers(0, number)));
    }
    print("{}\n", shown < machine.cpu_count() ? ", ..." : "");
}

std::string origin_text(const teff::configuration& effective, const option_row& row) {
    const origin from = effective.where(row.id);
    return from == origin::variable ? row.variable : name_of(from);
}

void print_configuration() {
    const teff::configuration& effective = process_configuration();
    const std::size_t width = longest_name(option_table());
    print("configuration\n");
    for (const option_row& row : option_table()) {
        std::array<char, 32> storage{};
        print("  {:<{}}  {:<10}  from {}\n", row.name, width, effective.display(row.id, storage),
              origin_text(effective, row));
    }
}

}  // namespace

CLI::App* add_info_command(CLI::App& app, info_request& request) {
    CLI::App* info = app.add_subcommand("info", "Show version, machine and effective configuration");
    info->add_flag("--schedulers", request.schedulers, "List the schedulers and reclaimers by name");
    info->add_flag("--options", request.options, "List every option with its variable, values and default");
    return info;
}

int run_info(const info_request& request) {
    if (request.schedulers) {
        print_schedulers();
        print_names("reclaimers (TEFF_RECLAIMER, --reclaimer)", reclaimer_names);
    }
    if (request.options)
        print_options();
    if (request.schedulers || request.options)
        return 0;
    print("teff {}\n\n", TEFF_VERSION_STRING);
    print_machine();
    print_workers();
    print("\n");
    print_configuration();
    return 0;
}

}  // namespace teff::cli
