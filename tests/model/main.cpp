// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model program: flags, the parts of a run, and the table at its end.
#include "scenarios.hpp"
#include "sections.hpp"

#include <model/runner.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <sched.h>
#include <string>

namespace {

// The number of processors that this process may run on.
unsigned usable_processors() {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    return ::sched_getaffinity(0, sizeof mine, &mine) == 0 ? static_cast<unsigned>(CPU_COUNT(&mine)) : 1;
}

double percent_killed(scenarios::mutant_count of) { return of.all == 0 ? 100 : 100.0 * of.killed / of.all; }

void add(scenarios::mutant_count& to, scenarios::mutant_count more) {
    to.all += more.all;
    to.killed += more.killed;
}

// Prints the table and the closing line. Returns whether enough mutants of both kinds were killed.
bool print_summary(const scenarios::results& found) {
    constexpr double enough_percent = 95;
    unsigned structures = 0;
    scenarios::mutant_count orders, protocol;
    unsigned long long interleavings = 0;
    std::printf("\n| structure | scenarios | exhaustive | interleavings | mutants | killed "
                "| protocol mutants | killed |\n"
                "|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const scenarios::structure& each : scenarios::structures()) {
        const auto row = found.find(each.name);
        if (row == found.end())
            continue;
        const scenarios::structure_result& sum = row->second;
        std::printf("| %s | %u | %u | %llu | %u | %u | %u | %u |\n", each.name, sum.scenarios, sum.complete,
                    static_cast<unsigned long long>(sum.interleavings), sum.orders.all, sum.orders.killed,
                    sum.protocol.all, sum.protocol.killed);
        ++structures;
        interleavings += sum.interleavings;
        add(orders, sum.orders);
        add(protocol, sum.protocol);
    }
    std::printf("\nmodel: %u structures, %llu interleavings, %u mutants, %u killed (%.1f%%), "
                "%u protocol mutants, %u killed (%.1f%%)\n",
                structures, interleavings, orders.all, orders.killed, percent_killed(orders), protocol.all,
                protocol.killed, percent_killed(protocol));
    return percent_killed(orders) >= enough_percent && percent_killed(protocol) >= enough_percent;
}

}  // namespace

int main(int count, char** values) {
    CLI::App app("Explores the interleavings of Teff's lock-free structures; model/README.md explains how.");
    scenarios::settings how;
    std::string schedule;
    bool list = false;
    how.jobs = usable_processors();
    app.add_option("--structure", how.structure, "only this structure, or all that begin so; also: litmus, seeded");
    app.add_option("--scenario", how.scenario, "only this scenario");
    app.add_option("--schedules", how.schedules, "random schedules per scenario, half of them with weak memory")
        ->capture_default_str();
    app.add_option("--exhaustive", how.exhaustive, "executions after which an exhaustive exploration gives up")
        ->capture_default_str();
    app.add_option("--preemptions", how.preemptions, "the bound of the exhaustive exploration")->capture_default_str();
    app.add_option("--mutants", how.order_schedules, "weaken one order at a time; random schedules for each scenario");
    app.add_option("--protocol-mutants", how.protocol_schedules,
                   "drop, split or force one operation at a time; random schedules for each scenario");
    app.add_option("--mutant", how.mutant, "only mutants whose names contain this, such as queue.hpp:120 or wake_one");
    app.add_flag("--own-scenarios", how.hunts_alone,
                 "only the scenarios of --structure hunt its mutants, and not all that reach them: much faster");
    app.add_option("--seed", how.seed, "of the random schedules")->capture_default_str();
    app.add_option("--jobs", how.jobs, "processes")->capture_default_str()->check(CLI::Range(1, 256));
    app.add_option("--replay", schedule, "a schedule that a failure printed: runs it once and shows every step");
    app.add_flag("--list", list, "names the scenarios");
    CLI11_PARSE(app, count, values);
    if (list) {
        for (const model::scenario& each : scenarios::all_scenarios())
            std::printf("%s %s\n", each.structure, each.name);
        return 0;
    }
    if (!schedule.empty()) {
        const model::replay_result again = model::replay_schedule(schedule, scenarios::find_scenario);
        const bool wrong = again.outcome == model::replay_outcome::not_a_schedule;
        std::fputs(again.text.c_str(), wrong ? stderr : stdout);
        return wrong ? 2 : again.outcome == model::replay_outcome::failed ? 1 : 0;
    }
    unsigned failures = scenarios::check_the_checker(how) + scenarios::find_seeded_bugs(how);
    scenarios::results found;
    failures += scenarios::explore_structures(how, found);
    failures += scenarios::kill_mutants(how, found);
    const bool of_the_checker = how.structure == "litmus" || how.structure == "seeded";
    if (found.empty() && failures == 0 && !of_the_checker) {
        std::fprintf(stderr, "teff_model: no scenario is called so; --list names them\n");
        return 2;
    }
    const bool enough = print_summary(found);
    if (failures != 0)
        std::printf("model: %u failures\n", failures);
    return failures == 0 && enough ? 0 : 1;
}
