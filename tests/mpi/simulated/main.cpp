// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between ranks, explored on the simulated network:
//
//   teff_mpi_simulated [--states N] [--walks N] [--seed S] [--scenario NAME] [--expect-violation]
//
// Explores every state of the small scenarios below, at most N of each, and then takes N random walks: number i has the
// seed S + i, which draws ranks, tree, stops and failures, too. `--states 0 --walks 1 --seed S` repeats a walk and
// tells its moves. --expect-violation: the sources have a mistake on purpose (mutants.txt), and to find none is the
// failure.
#include "explorer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using simulated::finding;
using simulated::scenario;

namespace {

// A tree of tasks: the first has `arms` children, each of which has `below` more in a chain.
scenario tree(std::string name, int ranks, unsigned arms, unsigned below, unsigned chunk, unsigned random_victims) {
    scenario made;
    made.name = std::move(name);
    made.ranks = ranks;
    made.chunk = chunk;
    made.random_victims = random_victims;
    made.children.resize(1 + arms * (1 + below));
    made.first_tasks_of = {0};
    for (unsigned i = 0; i < arms; ++i) {
        unsigned task = 1 + i * (1 + below);
        made.children[0].push_back(task);
        for (unsigned j = 0; j < below; ++j, ++task)
            made.children[task].push_back(task + 1);
    }
    return made;
}

std::vector<scenario> small_scenarios() {
    std::vector<scenario> all;
    const auto add = [&all](scenario made, auto&& change) {
        change(made);
        all.push_back(std::move(made));
    };
    const auto as_it_is = [](scenario&) {};
    add(tree("two_ranks_without_tasks", 2, 0, 0, 1, 0), [](scenario& each) {
        each.children.clear();
        each.first_tasks_of.clear();
    });
    add(tree("two_ranks_one_task", 2, 0, 0, 1, 0), as_it_is);
    add(tree("two_ranks_by_lifelines", 2, 2, 0, 1, 0), as_it_is);
    add(tree("two_ranks_by_random_victims", 2, 2, 0, 1, 1), as_it_is);
    add(tree("two_ranks_chunks_of_two", 2, 4, 0, 2, 0), as_it_is);
    add(tree("two_ranks_deeper", 2, 2, 1, 1, 0), as_it_is);
    add(tree("two_ranks_sends_wait", 2, 2, 0, 1, 0), [](scenario& each) { each.sends_wait = true; });
    add(tree("two_ranks_tests_wait", 2, 2, 0, 1, 0), [](scenario& each) { each.tests_wait = true; });
    add(tree("two_ranks_stop", 2, 2, 0, 1, 0), [](scenario& each) { each.stopping = {1}; });
    add(tree("two_ranks_stop_from_outside", 2, 2, 0, 1, 0), [](scenario& each) { each.stopped_from_outside = {1}; });
    add(tree("two_ranks_whole_call", 2, 2, 0, 1, 0), [](scenario& each) { each.is_whole_call = true; });
    add(tree("two_ranks_failure", 2, 2, 0, 1, 0), [](scenario& each) {
        each.is_whole_call = true;
        each.failing = {1};
    });
    add(tree("two_ranks_failure_at_start", 2, 2, 0, 1, 0), [](scenario& each) {
        each.is_whole_call = true;
        each.fails_at_start = 1;
    });
    add(tree("three_ranks_one_task", 3, 0, 0, 1, 0), as_it_is);
    add(tree("three_ranks_stop_from_outside", 3, 0, 0, 1, 0),
        [](scenario& each) { each.stopped_from_outside = {2}; });
    add(tree("three_ranks_by_lifelines", 3, 2, 0, 1, 0), as_it_is);
    add(tree("three_ranks_by_random_victims", 3, 2, 0, 1, 1), as_it_is);
    // From rank 1 tasks get to rank 0, from there to 2, and from there to 3, while each rank becomes passive again.
    // Then one round may count as many messages sent as received although rank 3 has work.
    add(tree("four_ranks_pass_on", 4, 0, 0, 1, 0), [](scenario& each) {
        each.children = {{1, 2}, {3, 4}, {}, {5, 6}, {}, {}, {}};
        each.first_tasks_of = {1};
    });
    return all;
}

// Every fourth is one of the small ones, as all are if one is chosen.
scenario random_scenario(std::uint64_t seed, const std::vector<scenario>& small, bool is_one_chosen) {
    if (is_one_chosen || seed % 4 == 0)
        return small[seed / 4 % small.size()];
    std::mt19937_64 random(seed ^ 0x5eed);
    const auto below = [&random](std::uint64_t bound) { return static_cast<unsigned>(random() % bound); };
    const auto one_of = [&](auto... values) {
        const unsigned all[] = {static_cast<unsigned>(values)...};
        return all[below(sizeof...(values))];
    };
    scenario made;
    made.name = "random";
    made.ranks = static_cast<int>(one_of(2, 2, 3, 4, 4, 5, 6, 7, 8));
    made.chunk = one_of(1, 2, 8, 512);
    made.random_victims = one_of(0, 1, 2, 3);
    const unsigned first = below(4) != 0 ? 1 : below(6), size = std::max(first, 1 + below(one_of(4, 20, 80)));
    made.children.resize(first == 0 ? 0 : size);
    const unsigned back = one_of(1, 3, 10, 1000);
    for (unsigned i = 0; i < first; ++i)
        made.first_tasks_of.push_back(static_cast<int>(below(static_cast<unsigned>(made.ranks))));
    for (unsigned i = first; i < made.children.size(); ++i)
        made.children[i - 1 - below(std::min(i, back))].push_back(i);
    made.sends_wait = below(2) == 0;
    made.tests_wait = below(2) == 0;
    made.is_whole_call = below(2) == 0;
    const unsigned how = below(8);
    if (how == 0 && !made.children.empty())
        made.stopping = {below(made.children.size())};
    if (how == 1 && !made.children.empty()) {
        made.is_whole_call = true;
        made.failing = {below(made.children.size()), below(made.children.size())};
    }
    if (how == 2 || how == 3)
        made.stopped_from_outside = {static_cast<int>(below(static_cast<unsigned>(made.ranks)))};
    // Without end until the stop.
    made.is_endless = how == 3 && !made.children.empty();
    if (made.is_endless)
        made.children[0].push_back(0);
    if (how == 4 && below(4) == 0) {
        made.is_whole_call = true;
        made.fails_at_start = static_cast<int>(below(static_cast<unsigned>(made.ranks)));
    }
    return made;
}

void tell(const scenario& what, const finding& found) {
    std::printf("%s, %d ranks: %s\n%s", what.name.c_str(), what.ranks, found.violation.c_str(),
                simulated::told(what, found.moves).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t states = 20'000;
    std::uint64_t walks = 20'000, seed = 1;
    std::string only;
    bool expects_violation = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--expect-violation")
            expects_violation = true;
        else if (option == "--states" && i + 1 < argc)
            states = std::strtoull(argv[++i], nullptr, 10);
        else if (option == "--walks" && i + 1 < argc)
            walks = std::strtoull(argv[++i], nullptr, 10);
        else if (option == "--seed" && i + 1 < argc)
            seed = std::strtoull(argv[++i], nullptr, 10);
        else if (option == "--scenario" && i + 1 < argc)
            only = argv[++i];
        else {
            std::fprintf(stderr, "teff_mpi_simulated [--states N] [--walks N] [--seed S] [--scenario NAME] "
                                 "[--expect-violation]\n");
            return 2;
        }
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&begin] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::vector<scenario> small = small_scenarios();
    if (!only.empty())
        std::erase_if(small, [&](const scenario& each) { return each.name != only; });
    if (small.empty()) {
        std::fprintf(stderr, "teff_mpi_simulated: there is no scenario '%s'\n", only.c_str());
        return 2;
    }
    for (const scenario& each : small) {
        if (states == 0)
            break;
        const finding found = simulated::every_state(each, states);
        if (!found.violation.empty()) {
            tell(each, found);
            return expects_violation ? 0 : 1;
        }
        if (!expects_violation)
            std::printf("%-32s %8zu states%s (%.1f s)\n", each.name.c_str(), found.states,
                        found.is_complete ? ", all of them" : "", seconds());
    }
    std::size_t moves = 0;
    for (std::uint64_t i = 0; i < walks; ++i) {
        const scenario what = random_scenario(seed + i, small, !only.empty());
        const finding found = simulated::random_walk(what, seed + i);
        moves += found.states;
        if (found.violation.empty())
            continue;
        std::printf("seed %llu: ", static_cast<unsigned long long>(seed + i));
        if (walks == 1)
            tell(what, found);
        else
            std::printf("%d ranks: %s (--states 0 --walks 1 --seed %llu tells the moves)\n", what.ranks,
                        found.violation.c_str(), static_cast<unsigned long long>(seed + i));
        return expects_violation ? 0 : 1;
    }
    if (walks != 0)
        std::printf("%llu random walks from seed %llu, %zu moves (%.1f s)\n", static_cast<unsigned long long>(walks),
                    static_cast<unsigned long long>(seed), moves, seconds());
    if (expects_violation)
        std::printf("no violation was found\n");
    return expects_violation ? 1 : 0;
}
