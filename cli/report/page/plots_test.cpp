// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of plots.hpp: bars that are far longer than the others, noisy rows, long labels, and the legend of compilers.
#include <cli/report/page/plots.hpp>

#include <cstdlib>

#include <gtest/gtest.h>

#include <cli/report/test_rows.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

measurement timed(const std::string& runtime, const std::string& compiler, std::vector<double> seconds) {
    measurement row = test_row({}, runtime, compiler, 2);
    for (unsigned round = 0; round < seconds.size(); ++round)
        row.runs.push_back({round, seconds[round]});
    row.tasks = 1000;
    return row;
}

std::string time_plot_of(const std::vector<measurement>& rows) {
    std::vector<const measurement*> all;
    for (const measurement& row : rows)
        all.push_back(&row);
    return time_plot(all, {});
}

// The width of the bar of that colour.
double width_of(const std::string& plot, const std::string& colour) {
    const std::size_t end = plot.find("class=\"fill-" + colour);
    const std::string key = "width=\"";
    const std::size_t begin = plot.rfind(key, end);
    return begin == std::string::npos ? 0 : std::strtod(plot.c_str() + begin + key.size(), nullptr);
}

TEST(plots, a_bar_that_dwarfs_the_others_is_cut) {
    const std::string plot = time_plot_of({timed("teff", "gcc", {0.1}), timed("libgomp", "gcc", {0.2}),
                                           timed("tbb", "gcc", {0.3}), timed("libomp", "clang", {50})});
    EXPECT_TRUE(has(plot, "class=\"cut\""));
    EXPECT_TRUE(has(plot, "longer than the axis"));
    EXPECT_TRUE(has(plot, ">50 s</text>"));
    EXPECT_GT(width_of(plot, "tbb"), 150);
    EXPECT_NEAR(width_of(plot, "teff"), width_of(plot, "tbb") / 3, 1);
    EXPECT_GT(width_of(plot, "libomp"), width_of(plot, "tbb"));
}

TEST(plots, bars_of_like_length_are_whole) {
    const std::string plot = time_plot_of(
        {timed("teff", "gcc", {0.1}), timed("libgomp", "gcc", {0.2}), timed("libomp", "clang", {1.9})});
    EXPECT_EQ(plot.find("class=\"cut\""), std::string::npos);
    EXPECT_EQ(plot.find("longer than the axis"), std::string::npos);
    EXPECT_NEAR(width_of(plot, "teff"), width_of(plot, "libomp") / 19, 0.2);
}

TEST(plots, one_run_that_takes_for_ever_does_not_dwarf_the_bars) {
    const std::string plot =
        time_plot_of({timed("teff", "gcc", {0.1, 0.1, 40}), timed("libgomp", "gcc", {0.2, 0.2, 0.2})});
    EXPECT_TRUE(has(plot, "class=\"cut\""));
    EXPECT_GT(width_of(plot, "libgomp"), 100);
}

TEST(plots, a_noisy_row_has_its_interval) {
    const std::string plot =
        time_plot_of({timed("teff", "gcc", {0.1, 0.104, 0.109}), timed("tbb", "gcc", {0.2, 0.2, 0.23})});
    EXPECT_TRUE(has(plot, ">200 ms, noisy: 200 ms to 230 ms</text>"));
    EXPECT_TRUE(has(plot, ">104 ms</text>")) << "within 10 %";
    EXPECT_DOUBLE_EQ(timed("teff", "gcc", {1, 2, 1.5}).spread(), 1 / 1.5);
    EXPECT_FALSE(timed("teff", "gcc", {1}).is_noisy());
}

TEST(plots, a_label_keeps_to_its_room) {
    measurement row = timed("teff", "clang", {0.1});
    row.what.scheduler = "xqueue_nowait2";
    row.what.tracker = "embedded_hypergraph";
    row.what.reclaimer = "hazard";
    const std::string plot = time_plot_of({row, timed("tbb", "gcc", {0.2})});
    EXPECT_TRUE(has(plot, ">teff xqueue_nowait2/")) << plot;
    EXPECT_TRUE(has(plot, "\u2026"));
    EXPECT_TRUE(has(plot, "hazard (clang)</text>"));
    EXPECT_GT(width_of(plot, "tbb"), 100);
}

TEST(plots, compilers_have_a_legend) {
    std::vector<measurement> rows = {timed("serial", "gcc", {1}), timed("serial", "clang", {1}),
                                     timed("teff", "gcc", {0.5}), timed("teff", "clang", {0.5}),
                                     timed("libgomp", "gcc", {0.8})};
    rows[0].what.variant = rows[1].what.variant = "recursive";
    const auto speedups = [&] {
        const std::vector<comparison> comparisons = compare(rows);
        std::vector<const measurement*> all;
        std::vector<const comparison*> beside;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            all.push_back(&rows[i]);
            beside.push_back(&comparisons[i]);
        }
        return speedup_plot(all, beside);
    };
    EXPECT_TRUE(has(speedups(), ">by GCC</text>"));
    EXPECT_TRUE(has(speedups(), ">by Clang</text>"));
    EXPECT_EQ(speedups().find("tasks wait"), std::string::npos);
    rows[4].what.variant = "wait";
    EXPECT_TRUE(has(speedups(), ">tasks wait</text>"));
    rows.erase(rows.begin() + 3);
    EXPECT_EQ(speedups().find("by Clang"), std::string::npos);
}

}  // namespace
}  // namespace teff::cli
