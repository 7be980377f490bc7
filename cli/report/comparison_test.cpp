// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of comparison.hpp and table.hpp on a handful of made-up rows.
#include <cli/report/comparison.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <cli/report/table.hpp>
#include <cli/report/test_rows.hpp>

namespace teff::cli {
namespace {

measurement make(const std::string& runtime, const std::string& variant, const std::string& compiler, unsigned threads,
                 std::vector<double> seconds) {
    measurement row = test_row({.variant = variant}, runtime, compiler, threads);
    if (runtime == "teff")
        row.what.scheduler = "demand";
    for (unsigned round = 0; round < seconds.size(); ++round)
        row.runs.push_back({round, seconds[round]});
    row.tasks = 1000;
    return row;
}

std::vector<measurement> example() {
    return {make("serial", "recursive", "gcc", 1, {0.2, 0.4}), make("serial", "recursive", "clang", 1, {0.1, 0.1}),
            make("serial", "stack", "gcc", 1, {0.1, 0.2}),     make("teff", "nowait", "gcc", 2, {0.1, 0.2}),
            make("libgomp", "nowait", "gcc", 2, {1, 1}),       make("libgomp", "wait", "gcc", 2, {0.4, 0.4}),
            make("tbb", "nowait", "clang", 1, {0.01, 0.01})};
}

TEST(comparison, serial_is_that_of_the_same_compiler) {
    auto rows = example();
    rows.push_back(make("teff", "nowait", "clang", 2, {0.1, 0.1}));
    const auto compared = compare(rows);
    EXPECT_DOUBLE_EQ(compared[3].to_serial->median, 0.5);
    EXPECT_DOUBLE_EQ(compared[3].to_stack->median, 1.0);
    EXPECT_DOUBLE_EQ(compared[7].to_serial->median, 1.0);
    EXPECT_FALSE(compared[7].to_stack) << "there is no stack version by clang";
    EXPECT_DOUBLE_EQ(compared[2].to_serial->median, 0.5);
}

TEST(comparison, the_best_peer_has_the_same_number_of_threads) {
    const auto rows = example();
    const auto compared = compare(rows);
    ASSERT_NE(compared[3].best_peer, nullptr);
    EXPECT_EQ(series_text(compared[3].best_peer->what), "libgomp wait (gcc)");
    EXPECT_DOUBLE_EQ(compared[3].to_best_peer->median, (0.25 + 0.5) / 2);
    EXPECT_EQ(compared[0].best_peer, nullptr);
    EXPECT_EQ(compared[6].best_peer, &rows[6]);
}

TEST(comparison, ranks_count_by_their_workers) {
    // Two processors, and 4 ranks on them.
    std::vector<measurement> rows = {make("teff", "nowait", "gcc", 1, {0.4}), make("teff", "nowait", "gcc", 2, {0.2}),
                                     make("teff-mpi", "nowait", "gcc", 1, {0.3}),
                                     make("mpi", "nowait", "gcc", 1, {0.5}),
                                     make("libgomp", "nowait", "gcc", 2, {0.6})};
    for (const std::size_t i : {2U, 3U}) {
        rows[i].what.ranks = 4;
        rows[i].what.workers = 2;
    }
    const auto compared = compare(rows);
    EXPECT_DOUBLE_EQ(compared[2].to_process->median, 1.5);
    EXPECT_DOUBLE_EQ(compared[3].to_process->median, 2.5);
    EXPECT_EQ(compared[2].best_peer, &rows[3]);
    EXPECT_EQ(series_text(compared[2].best_peer->what), "mpi 4 ranks (gcc)");
    EXPECT_EQ(compared[1].best_peer, &rows[3]);
    EXPECT_FALSE(compared[0].best_peer);
    EXPECT_FALSE(compared[1].to_process);
    const std::string table = main_table(rows, compared);
    EXPECT_NE(table.find("/process"), std::string::npos);
    EXPECT_NE(table.find("ranks"), std::string::npos);
    EXPECT_EQ(main_table({rows[0]}, {compared[0]}).find("ranks"), std::string::npos);
}

TEST(comparison, nondeterministic_work_has_no_ratio) {
    auto rows = example();
    rows[5].what.has_ratio = false;
    rows[5].tasks = 7;
    const auto compared = compare(rows);
    EXPECT_FALSE(compared[5].to_serial);
    EXPECT_EQ(compared[3].best_peer, &rows[4]);
    EXPECT_TRUE(unequal_work(rows).empty());
}

TEST(comparison, unequal_work_is_told_once) {
    auto rows = example();
    EXPECT_TRUE(unequal_work(rows).empty());
    rows[4].tasks = 999;
    rows[6].tasks = 998;
    const auto sentences = unequal_work(rows);
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_EQ(sentences[0], "fib quick: not the same work: 1000 tasks by serial recursive (gcc), 999 by libgomp (gcc)");
}

TEST(table, shows_every_row_and_a_dash_where_nothing_is) {
    const auto rows = example();
    const std::string text = main_table(rows, compare(rows));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
    EXPECT_NE(text.find("fib     quick  nowait     teff     gcc       demand           2    0.1500  0.1000  0.2000"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("150000    0.500       0.375"), std::string::npos) << text;
    EXPECT_EQ(text.find(" \n"), std::string::npos) << "no blanks at the end of a line";
}

TEST(table, teff_stands_beside_the_best_peer) {
    auto rows = example();
    const std::string text = peer_table(rows, compare(rows));
    EXPECT_NE(text.find("libgomp wait (gcc)"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
    rows.erase(rows.begin() + 3);
    EXPECT_EQ(peer_table(rows, compare(rows)), "");
}

TEST(comparison, means_are_geometric_and_of_like_rows) {
    auto rows = example();   // Teff's row has a ratio of 0.375 to the best peer
    const auto first = rows;
    for (measurement row : first) {
        row.what.kernel = "pi";
        if (row.what.runtime == "teff")
            for (timed_run& each : row.runs)
                each.seconds *= 4;
        rows.push_back(row);
    }
    auto means = peer_means(rows, compare(rows));
    ASSERT_EQ(means.size(), 1U);
    EXPECT_EQ(means[0].rows, 2U);
    EXPECT_NEAR(means[0].ratio, 0.75, 1e-9);
    const std::string text = peer_table(rows, compare(rows));
    EXPECT_NE(text.find("geometric mean of 2 kernels with 2 threads, demand, by gcc: 0.750 of the best peer\n"),
              std::string::npos)
        << text;
    for (measurement& row : rows)
        if (row.what.runtime == "teff" && row.what.kernel == "pi")
            row.what.scheduler = "blaze";
    means = peer_means(rows, compare(rows));
    ASSERT_EQ(means.size(), 2U);
    EXPECT_NEAR(means[0].ratio, 0.375, 1e-9);
    EXPECT_NEAR(means[1].ratio, 1.5, 1e-9);
    EXPECT_EQ(peer_table(rows, compare(rows)).find("mean"), std::string::npos);
}

TEST(table, a_missing_runtime_is_named_once) {
    skip missing;
    missing.what.kernel = "fib";
    missing.what.runtime = "tbb";
    missing.reason = "not installed";
    skip also_missing = missing;
    also_missing.what.kernel = "pi";
    skip slow{make("libgomp", "nowait", "gcc", 2, {}).what, "over the limit of 10 s", 10.0};
    EXPECT_EQ(skip_list({missing, also_missing, slow}),
              "  tbb: not installed\n"
              "  fib quick nowait libgomp gcc, 2 threads: over the limit of 10 s (takes at least 10 s)\n");
}

TEST(table, a_sweep_has_a_line_per_runtime_and_a_column_per_cutoff) {
    EXPECT_TRUE(sweep_table(example()).empty());
    std::vector<measurement> rows;
    const auto add = [&](long cutoff, measurement row) {
        row.what.cutoff = cutoff;
        row.what.in_sweep = true;
        rows.push_back(row);
    };
    add(10, make("teff", "nowait", "gcc", 2, {0.5}));
    add(2, make("teff", "nowait", "gcc", 2, {0.25}));
    add(2, make("tbb", "nowait", "gcc", 2, {0.75}));
    EXPECT_EQ(sweep_table(rows), "kernel  size   variant  runtime  compiler  scheduler  threads       2      10\n"
                                 "-----------------------------------------------------------------------------\n"
                                 "fib     quick  nowait   teff     gcc       demand           2  0.2500  0.5000\n"
                                 "fib     quick  nowait   tbb      gcc       -                2  0.7500       -\n");
}

TEST(comparison, only_runs_with_the_same_cutoff_are_compared) {
    std::vector<measurement> rows = {make("serial", "recursive", "gcc", 1, {0.4}),
                                     make("teff", "nowait", "gcc", 2, {0.1}), make("tbb", "nowait", "gcc", 2, {0.2}),
                                     make("tbb", "nowait", "gcc", 2, {0.05})};
    for (measurement& row : rows)
        row.what.cutoff = 3;
    rows[3].what.cutoff = 4;
    rows[3].tasks = 7;
    const auto compared = compare(rows);
    EXPECT_EQ(compared[1].best_peer, &rows[2]);
    EXPECT_FALSE(compared[3].to_serial);
    EXPECT_TRUE(unequal_work(rows).empty());
    EXPECT_EQ(peer_means(rows, compared).size(), 1U);
    for (measurement& row : rows)
        row.what.in_sweep = true;
    EXPECT_TRUE(peer_means(rows, compared).empty()) << "a mean over cut-offs says nothing";
}

}  // namespace
}  // namespace teff::cli
