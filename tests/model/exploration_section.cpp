// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores every scenario: exhaustively within the bounds, then by random schedules with strong and with weak memory.
#include "scenarios.hpp"
#include "sections.hpp"

#include <model/depth_first.hpp>
#include <model/farm.hpp>
#include <model/random_walk.hpp>
#include <model/runner.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace scenarios {
namespace {

struct scenario_result {
    std::uint64_t exhaustive;
    std::uint64_t cut_off;
    std::uint64_t random;
    unsigned longest;
    bool complete;
    bool failed;
    char report[60'000];
};

void note(scenario_result& into, const model::exploration& found) {
    into.longest = found.longest > into.longest ? found.longest : into.longest;
    if (!found.failed || into.failed)
        return;
    into.failed = true;
    std::snprintf(into.report, sizeof into.report, "%s", found.report.c_str());
}

void explore_all_ways(const settings& how, const model::scenario& what, scenario_result& into) {
    model::depth_first exhaustive({.preemptions = how.preemptions, .executions = how.exhaustive});
    const model::exploration all = explore(what, exhaustive);
    note(into, all);
    into.exhaustive = all.executions;
    into.cut_off = all.cut_off;
    into.complete = all.complete;
    for (const bool weak : {false, true}) {
        model::random_walk random(how.seed, how.schedules / 2, weak);
        const model::exploration found = explore(what, random);
        note(into, found);
        into.random += found.executions;
    }
}

void print(const model::scenario& what, const scenario_result& found, bool done) {
    std::printf("  %s, %s: %llu exhaustive (%llu cut off%s), %llu random, longest %u%s\n", what.structure, what.name,
                static_cast<unsigned long long>(found.exhaustive), static_cast<unsigned long long>(found.cut_off),
                found.complete ? ", complete" : ", stopped at the limit",
                static_cast<unsigned long long>(found.random), found.longest,
                !done ? ": CRASHED" : found.failed ? ": FAILED" : "");
    if (found.failed)
        std::fputs(found.report, stdout);
}

}  // namespace

bool is_wanted(const settings& how, const char* structure, const char* scenario) {
    const std::vector<scenarios::structure>& all = structures();
    const bool is_whole_name =
        std::any_of(all.begin(), all.end(), [&](const auto& each) { return how.structure == each.name; });
    return (is_whole_name ? how.structure == structure : std::string(structure).rfind(how.structure, 0) == 0) &&
           (how.scenario.empty() || (scenario != nullptr && how.scenario == scenario));
}

unsigned explore_structures(const settings& how, results& into) {
    std::vector<model::scenario> wanted;
    for (const model::scenario& each : all_scenarios()) {
        if (is_wanted(how, each.structure, each.name))
            wanted.push_back(each);
    }
    const model::farm<scenario_result> found(
        how.jobs, static_cast<unsigned>(wanted.size()),
        [&](unsigned i, scenario_result& result) { explore_all_ways(how, wanted[i], result); });
    unsigned failures = 0;
    for (unsigned i = 0; i < found.size(); ++i) {
        print(wanted[i], found[i], found.is_done(i));
        failures += !found.is_done(i) || found[i].failed ? 1 : 0;
        structure_result& sum = into[wanted[i].structure];
        ++sum.scenarios;
        sum.complete += found[i].complete ? 1 : 0;
        sum.interleavings += found[i].exhaustive + found[i].random;
    }
    return failures;
}

}  // namespace scenarios
