// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weakens one memory order or fence at a time, or changes what one operation does (model/sites.hpp), and looks for a
// scenario that fails with the change and passes without it.
//
// First every scenario runs for a while unchanged, to find the sites and the scenarios that reach them. Then each
// mutant goes through the scenarios that reach its site, those of its own structure first, until one fails that passes
// unchanged with the same seed. A mutant that survives all of them is printed with its reason (survivors.cpp). A
// survivor without a reason is a failure.
#include "scenarios.hpp"
#include "sections.hpp"

#include <model/farm.hpp>
#include <model/random_walk.hpp>
#include <model/runner.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace scenarios {
namespace {

struct fate {
    bool killed;
    std::uint64_t executions;
    char by[128];
    char message[256];
};

const structure* owner_of(const std::string& file) {
    for (const structure& each : structures()) {
        for (const char* const source : each.sources) {
            if (file.rfind(source, 0) == 0)
                return &each;
        }
    }
    return nullptr;
}

// The sites that each scenario reaches.
std::vector<std::vector<bool>> find_sites(const settings& how, const std::vector<model::scenario>& all) {
    constexpr std::uint64_t schedules = 1500;
    model::site_table& sites = model::execution::instance().sites();
    std::vector<std::vector<bool>> reached;
    for (const model::scenario& each : all) {
        sites.forget_reached();
        model::random_walk random(how.seed, schedules, true);
        explore(each, random);
        std::vector<bool> mine;
        for (unsigned i = 0; i < sites.size(); ++i)
            mine.push_back(sites[i].reached);
        reached.push_back(std::move(mine));
    }
    for (std::vector<bool>& each : reached)
        each.resize(sites.size());
    return reached;
}

void keep(fate& into, const model::scenario& by, const model::exploration& found) {
    into.killed = true;
    std::snprintf(into.by, sizeof into.by, "%s, %s", by.structure, by.name);
    std::snprintf(into.message, sizeof into.message, "%s", found.message.c_str());
}

// Whether the scenario fails with the mutant and passes without it. If it fails both ways, the mutant is not to blame.
bool dies_in(const model::scenario& what, model::mutant prey, std::uint64_t seed, std::uint64_t schedules, fate& into) {
    model::site_table& sites = model::execution::instance().sites();
    sites.set_mutant(prey);
    model::random_walk random(seed, schedules, true);
    const model::exploration found = explore(what, random);
    sites.set_mutant({});
    into.executions += found.executions;
    if (!found.failed)
        return false;
    model::random_walk again(seed, found.executions + 1, true);
    if (explore(what, again).failed)
        return false;
    keep(into, what, found);
    return true;
}

std::uint64_t schedules_for(const settings& how, model::mutant prey) {
    return is_of_protocol(prey.how) ? how.protocol_schedules : how.order_schedules;
}

void hunt(const settings& how, model::mutant prey, bool is_explained,
          const std::vector<const model::scenario*>& hunters, fate& into) {
    const std::uint64_t all = schedules_for(how, prey);
    // First a tenth of the schedules of every scenario: most mutants die soon, but not in each scenario. A mutant whose
    // survival has a reason gets no more.
    for (const std::uint64_t schedules : {all / 10, is_explained ? 0 : all}) {
        for (const model::scenario* const each : hunters) {
            if (dies_in(*each, prey, how.seed + schedules, schedules, into))
                return;
        }
    }
}

std::string source_line(const model::site_record& at) {
    std::ifstream file(std::string(TEFF_SOURCE_DIR) + '/' + at.file);
    std::string line;
    for (unsigned i = 0; i < at.line && std::getline(file, line); ++i) {
    }
    return line.substr(std::min(line.size(), line.find_first_not_of(' ')));
}

const survivor* reason_for(const model::site_record& at, model::change how) {
    const std::string line = source_line(at);
    for (const survivor& each : known_survivors()) {
        if (at.file == each.source && std::string(each.change) == model::name(how) &&
            line.find(each.line_part) != std::string::npos)
            return &each;
    }
    return nullptr;
}

}  // namespace

unsigned kill_mutants(const settings& how, results& into) {
    if (how.order_schedules == 0 && how.protocol_schedules == 0)
        return 0;
    std::vector<model::scenario> all;
    for (const model::scenario& each : all_scenarios()) {
        if (!how.hunts_alone || is_wanted(how, each.structure, each.name))
            all.push_back(each);
    }
    const auto reached = find_sites(how, all);
    const model::site_table& sites = model::execution::instance().sites();
    std::vector<model::mutant> mutants;
    settings any_scenario = how;  // --scenario chooses hunters, not prey
    any_scenario.scenario.clear();
    for (const model::mutant each : sites.all_mutants("teff/")) {
        const structure* const owner = owner_of(sites[each.site].file);
        if (owner != nullptr && is_wanted(any_scenario, owner->name, nullptr) && schedules_for(how, each) != 0 &&
            sites.name_of(each).find(how.mutant) != std::string::npos)
            mutants.push_back(each);
    }
    std::stable_partition(mutants.begin(), mutants.end(),
                          [](model::mutant each) { return !is_of_protocol(each.how); });
    const auto hunters_of = [&](model::mutant prey) {
        const structure* const owner = owner_of(sites[prey.site].file);
        std::vector<const model::scenario*> hunters;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (reached[i][prey.site])
                hunters.push_back(&all[i]);
        }
        std::stable_partition(hunters.begin(), hunters.end(), [&](const model::scenario* each) {
            return std::string(each->structure) == owner->name;
        });
        return hunters;
    };
    const model::farm<fate> fates(how.jobs, static_cast<unsigned>(mutants.size()), [&](unsigned i, fate& result) {
        const bool is_explained = reason_for(sites[mutants[i].site], mutants[i].how) != nullptr;
        hunt(how, mutants[i], is_explained, hunters_of(mutants[i]), result);
    });
    unsigned unexplained = 0;
    std::printf("mutants:\n");
    for (unsigned i = 0; i < fates.size(); ++i) {
        const model::site_record& at = sites[mutants[i].site];
        structure_result& whole = into[owner_of(at.file)->name];
        mutant_count& sum = is_of_protocol(mutants[i].how) ? whole.protocol : whole.orders;
        ++sum.all;
        // A mutant that crashes the checker has been noticed, too.
        const bool crashed = fates.state(i) == model::task_state::begun;
        const bool killed = fates[i].killed || crashed;
        sum.killed += killed ? 1 : 0;
        std::printf("  %3u %s %s", i, killed ? "killed  " : "SURVIVED", sites.name_of(mutants[i]).c_str());
        if (killed) {
            std::printf(" by %s: %s\n", crashed ? "a crash" : fates[i].by, fates[i].message);
            continue;
        }
        const survivor* const known = reason_for(at, mutants[i].how);
        unexplained += known == nullptr ? 1 : 0;
        std::printf(" after %llu executions: %s\n      %s\n", static_cast<unsigned long long>(fates[i].executions),
                    source_line(at).c_str(), known != nullptr ? known->reason : "NO REASON IS GIVEN");
    }
    return unexplained;
}

}  // namespace scenarios
