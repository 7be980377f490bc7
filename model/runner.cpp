// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop around executions, and the text of a failure.
#include <model/runner.hpp>

#include <model/replay.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <unistd.h>
#include <vector>

namespace model {
namespace {

// The file:line of a code address, found by binutils' addr2line; a question mark without it.
std::string source_of(const void* code) {
    std::string command = "addr2line -s -e /proc/" + std::to_string(::getpid()) + "/exe";
    char number[32];
    // A code address is a return address, which lies after the call.
    std::snprintf(number, sizeof number, " %#zx", reinterpret_cast<std::uintptr_t>(code) - 1);
    std::FILE* const pipe = ::popen((command + number + " 2>/dev/null").c_str(), "r");
    char line[512];
    std::string found = "?";
    if (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr) {
        found = line;
        found.resize(found.find_first_of(" \n"));
    }
    if (pipe != nullptr)
        ::pclose(pipe);
    return found;
}

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string table(const std::vector<table_row>& rows) {
    std::array<std::size_t, 3> widths{5, 9, 6};
    for (const table_row& row : rows) {
        widths[0] = std::max(widths[0], row.place.size());
        widths[1] = std::max(widths[1], row.what.size());
        widths[2] = std::max(widths[2], row.where.size());
    }
    std::string text = "  thread  " + padded("place", widths[0]) + "  " + padded("operation", widths[1]) + "  " +
                       padded("object", widths[2]) + "  value\n";
    for (const table_row& row : rows) {
        text += "  " + padded(std::to_string(row.thread), 6) + "  " + padded(row.place, widths[0]) + "  " +
                padded(row.what, widths[1]) + "  " + padded(row.where, widths[2]) + "  " + row.value + '\n';
    }
    return text;
}

std::string schedule_of(const scenario& what, bool weak, const std::vector<std::uint8_t>& decisions) {
    const site_table& sites = execution::instance().sites();
    const mutant current = sites.current_mutant();
    return std::string(what.structure) + '/' + what.name + '/' + (weak ? "weak" : "strong") + '/' +
           to_text(decisions) + (current.how == change::none ? "" : '/' + sites.name_of(current));
}

std::string describe(const scenario& what, bool weak, const execution_result& failure) {
    std::string text = std::string(what.structure) + ", " + what.name + ": " + failure.failure + '\n';
    constexpr std::array<const char*, 2> which{"  the access: ", "  the other one: "};
    for (std::size_t i = 0; i < std::min(failure.code.size(), which.size()); ++i) {
        if (failure.code[i] != nullptr)
            text += which[i] + source_of(failure.code[i]) + '\n';
    }
    return text + table(failure.rows) + "  replay with: --replay '" + schedule_of(what, weak, failure.decisions) +
           "'\n";
}

std::string run_again(const scenario& what, bool weak, std::vector<std::uint8_t> decisions) {
    replay again(std::move(decisions), weak);
    again.begin();
    const execution_result& second = execution::instance().run(what.body, again, true);
    return second.how == verdict::failed ? describe(what, weak, second) : std::string();
}

}  // namespace

exploration explore(const scenario& what, explorer& strategy) {
    execution& runs = execution::instance();
    exploration all;
    while (strategy.begin()) {
        const execution_result& one = runs.run(what.body, strategy, false);
        ++(one.how == verdict::pruned ? all.cut_off : all.executions);
        all.longest = std::max(all.longest, one.steps);
        if (one.how == verdict::passed)
            all.outcomes.insert(one.outcome);
        if (one.how == verdict::failed) {
            all.failed = true;
            all.message = one.failure;
            all.schedule = schedule_of(what, strategy.weak(), one.decisions);
            all.report = run_again(what, strategy.weak(), one.decisions);
            all.reproduced = !all.report.empty() && runs.last().failure == all.message;
            if (!all.reproduced)
                all.report = std::string(what.structure) + ", " + what.name + ": " + all.message +
                             "\n  and once more with the same decisions it did not fail so: the scenario is "
                             "not deterministic\n";
            return all;
        }
    }
    all.complete = strategy.is_complete();
    return all;
}

replay_result replay_schedule(const std::string& schedule,
                              const scenario* (*find)(const std::string& structure, const std::string& name)) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    // structure / name / memory / decisions, then the mutant, which may contain slashes
    while (parts.size() < 4) {
        const std::size_t end = std::min(schedule.find('/', begin), schedule.size());
        parts.push_back(schedule.substr(begin, end - begin));
        begin = std::min(end + 1, schedule.size());
    }
    const std::string changed = schedule.substr(begin);
    std::vector<std::uint8_t> decisions;
    const scenario* const what = find(parts[0], parts[1]);
    const bool weak = parts[2] == "weak";
    if (what == nullptr || (!weak && parts[2] != "strong") || !from_text(parts[3], decisions))
        return {replay_outcome::not_a_schedule,
                "not a schedule of this program: expected STRUCTURE/SCENARIO/strong|weak/DECISIONS[/MUTANT], as a "
                "failure printed it\n"};
    site_table& sites = execution::instance().sites();
    if (!changed.empty()) {
        // A site is known only after an execution has reached it.
        run_again(*what, weak, decisions);
        const mutant wanted = sites.find(changed);
        if (wanted.how == change::none)
            return {replay_outcome::not_a_schedule,
                    "the schedule names the mutant '" + changed + "', which this program does not have\n"};
        sites.set_mutant(wanted);
    }
    const std::string report = run_again(*what, weak, std::move(decisions));
    if (report.empty())
        return {replay_outcome::passed, "the execution passed\n"};
    return {replay_outcome::failed, report};
}

}  // namespace model
