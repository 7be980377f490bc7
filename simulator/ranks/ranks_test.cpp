// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of ranks.hpp and options.hpp: each node is counted once, results repeat, small cases are bounded by hand, and
// what users mistype is named.
#include <simulator/ranks/options.hpp>
#include <simulator/ranks/ranks.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {
namespace {

ranks_settings of(unsigned ranks, unsigned workers, const char* tree) {
    ranks_settings settings;
    settings.ranks = ranks;
    settings.workers = workers;
    settings.tree = find_tree(tree).tree;
    settings.draws_subtrees = false;
    return settings;
}

// If all workers ran nodes all the time.
double ideal_ps(const ranks_settings& settings, const ranks_result& found) {
    return static_cast<double>(found.nodes) * settings.node_ns * 1000 / settings.ranks / settings.workers;
}

TEST(simulated_ranks, each_node_is_counted_once) {
    for (const char* tree : {"T1", "T3"})
        for (const unsigned ranks : {2U, 3U, 7U, 16U})
            EXPECT_EQ(simulate_ranks(of(ranks, 4, tree)).nodes, find_tree(tree).nodes) << tree << " " << ranks;
}

TEST(simulated_ranks, every_option_keeps_the_nodes) {
    for (const unsigned chunk : {1U, 3U, 1000U})
        for (const unsigned victims : {0U, 1U, 5U})
            for (const bool alternate : {false, true}) {
                ranks_settings settings = of(5, 3, "G8");
                settings.chunk = chunk;
                settings.random_victims = victims;
                settings.gives_alternate = alternate;
                const std::uint64_t expected = simulate_ranks(of(2, 1, "G8")).nodes;
                EXPECT_EQ(simulate_ranks(settings).nodes, expected) << chunk << " " << victims << " " << alternate;
            }
}

TEST(simulated_ranks, the_same_seed_gives_the_same_result) {
    ranks_settings settings = of(32, 4, "G14");
    settings.draws_subtrees = true;
    const ranks_result one = simulate_ranks(settings), again = simulate_ranks(settings);
    EXPECT_EQ(one.end, again.end);
    EXPECT_EQ(one.nodes, again.nodes);
    EXPECT_EQ(one.messages, again.messages);
    EXPECT_EQ(one.bytes, again.bytes);
    settings.seed = 2;
    EXPECT_NE(simulate_ranks(settings).end, one.end);
}

TEST(simulated_ranks, a_tree_of_one_node_is_run_by_rank_0) {
    // Nodes on level 0 of a tree of depth 0 have no children.
    ranks_settings settings = of(64, 2, "T1");
    settings.tree.depth = 0;
    const ranks_result found = simulate_ranks(settings);
    EXPECT_EQ(found.nodes, 1U);
    EXPECT_EQ(found.items_moved, 0U);
    EXPECT_EQ(found.all_have_work, 0);
    EXPECT_LE(found.last_item, found.found);
    EXPECT_LE(found.found, found.end);
    // Two rounds find the end.
    EXPECT_GE(found.rounds, 2U);
    EXPECT_LT(found.end, duration{100'000'000'000}) << "100 ms";
}

TEST(simulated_ranks, efficiency_has_bounds) {
    // 4 ranks of one worker and about a second of work.
    const ranks_settings many = of(4, 1, "T1XL");
    ranks_settings drawn = many;
    drawn.draws_subtrees = true;
    const ranks_result found = simulate_ranks(drawn);
    const double efficiency = ideal_ps(drawn, found) / static_cast<double>(found.end);
    EXPECT_LE(efficiency, 1);
    EXPECT_GE(efficiency, 0.95);
    EXPECT_GT(found.work_messages, 3U);
    // Nearly no work: the network and the pauses are all that is left.
    const ranks_result none = simulate_ranks(of(64, 24, "G2"));
    EXPECT_LT(ideal_ps(of(64, 24, "G2"), none) / static_cast<double>(none.end), 0.01);
}

TEST(simulated_ranks, a_slower_network_takes_longer) {
    ranks_settings settings = of(16, 2, "T1");
    const duration fast = simulate_ranks(settings).end;
    settings.network.latency_ns = 1'000'000;
    EXPECT_GT(simulate_ranks(settings).end, fast);
}

TEST(simulated_ranks, work_and_messages_are_consistent) {
    const ranks_result found = simulate_ranks(of(16, 4, "T3"));
    EXPECT_GT(found.work_messages, 0U);
    EXPECT_LE(found.work_messages, found.messages);
    EXPECT_LE(found.work_messages, found.items_moved);
    EXPECT_GE(found.bytes, found.items_moved * sizeof(tree_node));
    // Up and down the tree of ranks, at the start, in each round and for the sum.
    EXPECT_EQ(found.collective_messages % (2 * 15), 0U);
}

ranks_command read(const std::vector<std::string_view>& words) { return read_ranks_command(words); }
std::string complaint(const std::vector<std::string_view>& words) {
    try {
        (void)read(words);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(options_of_ranks, are_read_with_their_units) {
    const ranks_command command = read({"--ranks", "2,64", "--tree", "G15,T1WL", "--latency", "20us", "--bandwidth",
                                        "250MB/s", "--gives", "oldest", "--chunk", "7"});
    EXPECT_EQ(command.ranks, (std::vector<unsigned>{2, 64}));
    EXPECT_EQ(command.trees[0].name, "G15");
    EXPECT_EQ(command.trees[1].name, "T1WL");
    EXPECT_EQ(command.settings.network.latency_ns, 20'000);
    EXPECT_EQ(command.settings.network.bytes_per_ns, 0.25);
    EXPECT_FALSE(command.settings.gives_alternate);
    EXPECT_EQ(command.settings.chunk, 7U);
    EXPECT_EQ(read({"--ranks", "2,4,8"}).trees.size(), 3U) << "one tree for all";
    EXPECT_TRUE(read({"--help"}).shows_help);
}

TEST(options_of_ranks, each_mistake_is_named) {
    EXPECT_EQ(complaint({"--rank", "2"}), "there is no option '--rank'; --help lists them");
    EXPECT_EQ(complaint({"--ranks", "2,,4"}),
              "--ranks: '' is not allowed: use a whole number from 2 to 65536");
    EXPECT_EQ(complaint({"--ranks", "1"}), "--ranks: '1' is not allowed: use a whole number from 2 to 65536");
    EXPECT_EQ(complaint({"--latency", "5"}),
              "--latency: '5' is not allowed: use a time from 0ns to 1s with its unit, such as 1.5us");
    EXPECT_EQ(complaint({"--latency", "-1us"}),
              "--latency: '-1us' is not allowed: use a time from 0ns to 1s with its unit, such as 1.5us");
    EXPECT_EQ(complaint({"--bandwidth", "0GB/s"}),
              "--bandwidth: '0GB/s' is not allowed: use a speed from 1MB/s to 10000GB/s with its unit, such as 10GB/s");
    EXPECT_EQ(complaint({"--gives", "all"}), "--gives: 'all' is not allowed: use oldest or alternate");
    EXPECT_EQ(complaint({"--tree", "G15,G16"}),
              "--tree: there are 2 trees for 6 numbers of ranks; name one, or one for each of them");
    EXPECT_EQ(complaint({"--chunk"}), "--chunk: its value is missing: as the option of the call; default: 512");
}

}  // namespace
}  // namespace simulator
