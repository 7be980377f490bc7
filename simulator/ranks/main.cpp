// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teff_simulate_ranks: UTS as a reduction on many ranks, in virtual time (ranks.hpp). Prints a table.
//
//   teff_simulate_ranks --ranks 2,16,128,1024 --workers 24 --tree T1WL
//   teff_simulate_ranks --ranks 4,16,64,256 --tree G15,G16,G17,G18 --latency 20us --bandwidth 1GB/s
#include <simulator/ranks/options.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

namespace {

using simulator::duration, simulator::ranks_result, simulator::ranks_settings;

double ms(duration time) { return static_cast<double>(time) / 1e9; }

// The time of the workers, if all of them ran nodes all the time, as a part of the time that the call took.
double efficiency(const ranks_settings& of, const ranks_result& found) {
    const double ideal_ns = static_cast<double>(found.nodes) * of.node_ns / of.ranks / of.workers;
    return ideal_ns * 1000 / static_cast<double>(found.end);
}

void print_row(const simulator::named_tree& tree, const ranks_settings& of, const ranks_result& found) {
    const double ranks = of.ranks;
    std::printf("%6u %8u %6s %16llu %9.2f %6.1f %9.2f %9.2f %9.2f %9.1f %8.1f %10.1f %8llu %6llu\n", of.ranks,
                of.ranks * of.workers, tree.name.c_str(), static_cast<unsigned long long>(found.nodes), ms(found.end),
                100 * efficiency(of, found), ms(found.all_have_work), ms(found.found - found.last_item),
                ms(found.end - found.last_item), static_cast<double>(found.messages) / ranks,
                static_cast<double>(found.work_messages) / ranks, static_cast<double>(found.items_moved) / ranks,
                static_cast<unsigned long long>(found.most_messages), static_cast<unsigned long long>(found.rounds));
    std::fflush(stdout);
}

int run(const simulator::ranks_command& command) {
    std::printf("%6s %8s %6s %16s %9s %6s %9s %9s %9s %9s %8s %10s %8s %6s\n", "ranks", "workers", "tree", "nodes",
                "ms", "eff. %", "all work", "+found", "+end", "messages", "work", "items", "most", "rounds");
    for (std::size_t i = 0; i < command.ranks.size(); ++i) {
        ranks_settings settings = command.settings;
        settings.ranks = command.ranks[i];
        settings.tree = command.trees[i].tree;
        settings.draws_subtrees = !simulator::is_small(command.trees[i]);
        print_row(command.trees[i], settings, simulate_ranks(settings));
    }
    std::printf("ms: of the call. all work: until each rank had items. +found, +end: from the last item to the first "
                "rank that\nknows the end, and to the end of the call. messages, work (messages with items), items: "
                "sent by a rank on average.\nmost: messages of the rank with most, with those of collective "
                "operations. rounds: of the four counters.\n");
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const auto command = simulator::read_ranks_command({arguments + 1, arguments + count});
        if (command.shows_help) {
            std::fputs(simulator::ranks_usage().c_str(), stdout);
            return 0;
        }
        return run(command);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "teff_simulate_ranks: %s\n", error.what());
        return 2;
    }
}
