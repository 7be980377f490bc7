// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of presentation.hpp and micro_plots.hpp: which rows a picture uses, and what it draws from them.
#include <cli/report/page/micro_plots.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <cli/report/test_rows.hpp>

namespace teff::cli {
namespace {

measurement make(const std::string& runtime, const std::string& compiler, unsigned threads, double seconds,
                 nlohmann::json given, nlohmann::json found) {
    measurement row = test_row({.kind = "micro", .kernel = "spin", .size = "1x5"}, runtime, compiler, threads);
    row.runs = {{0, seconds}};
    row.given = std::move(given);
    row.found = {std::move(found)};
    return row;
}

std::vector<const measurement*> all_of(const std::vector<measurement>& rows) {
    std::vector<const measurement*> pointers;
    for (const measurement& row : rows)
        pointers.push_back(&row);
    return pointers;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t place = text.find(part); place != text.npos; place = text.find(part, place + 1))
        ++found;
    return found;
}

presentation with(figure what) {
    return {"cost_ns", "cost ns", {std::move(what)}};
}

figure cost_over(const std::string& across) {
    figure what;
    what.title = "Cost";
    what.measured = "cost_ns";
    what.across = across;
    return what;
}

TEST(micro_plots, values_come_from_rows) {
    measurement row = make("tbb", "gcc", 2, 0.5, {{"delay_ns", 10}}, {{"cost_ns", 3.0}, {"by_worker", {1, 2}}});
    row.runs.push_back({1, 0.7});
    row.found.push_back({{"cost_ns", 5.0}, {"by_worker", {4, 5}}});
    EXPECT_EQ(given_value(row, "delay_ns"), 10);
    EXPECT_EQ(given_value(row, "threads"), 2);
    EXPECT_FALSE(given_value(row, "other"));
    EXPECT_EQ(found_values(row, "by_worker"), (std::vector<double>{1, 2, 4, 5}));
    EXPECT_EQ(found_values(row, "seconds"), (std::vector<double>{0.5, 0.7}));
    EXPECT_EQ(found_median(row, "cost_ns"), 4);
    EXPECT_FALSE(found_median(row, "other"));
    EXPECT_FALSE(found_median(measurement{}, "cost_ns"));
}

TEST(micro_plots, a_line_takes_the_faster_compiler_at_each_place) {
    const std::vector<measurement> rows = {make("tbb", "gcc", 2, 0.5, {{"delay_ns", 1}}, {{"cost_ns", 3.0}}),
                                           make("tbb", "clang", 2, 0.4, {{"delay_ns", 1}}, {{"cost_ns", 2.0}}),
                                           make("tbb", "gcc", 2, 0.5, {{"delay_ns", 10}}, {{"cost_ns", 3.0}}),
                                           make("libgomp", "gcc", 2, 0.5, {{"delay_ns", 1}}, {{"cost_ns", 3.0}})};
    const auto pictures = micro_plots(all_of(rows), with(cost_over("delay_ns")));
    ASSERT_EQ(pictures.size(), 1U);
    EXPECT_EQ(count(pictures[0].markup, "<circle"), 3U);
    EXPECT_EQ(count(pictures[0].markup, "series"), 2U);
    EXPECT_EQ(count(pictures[0].markup, "nowait tbb clang"), 1U);
}

TEST(micro_plots, a_sweep_is_drawn_over_the_cutoff) {
    std::vector<measurement> rows = {make("serial", "gcc", 1, 0.5, {}, {}), make("serial", "gcc", 1, 0.5, {}, {}),
                                     make("teff", "gcc", 2, 0.1, {}, {}), make("teff", "gcc", 2, 0.2, {}, {})};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].what.variant = rows[i].what.runtime == "teff" ? "wait" : "recursive";
        rows[i].what.cutoff = i % 2 == 0 ? 2 : 16;
    }
    EXPECT_EQ(given_value(rows[1], "cutoff"), 16);
    EXPECT_FALSE(given_value(measurement{}, "cutoff"));
    figure what = cost_over("cutoff");
    what.measured = "seconds";
    const auto pictures = micro_plots(all_of(rows), with(what));
    ASSERT_EQ(pictures.size(), 1U);
    EXPECT_EQ(count(pictures[0].markup, "<circle"), 4U);
    EXPECT_EQ(count(pictures[0].markup, ">16<"), 1U);
    // The line of Teff is solid, since all runtimes wait; that of the serial recursion is the first other variant.
    EXPECT_EQ(count(pictures[0].markup, "stroke-teff series\"/>"), 1U);
}

TEST(micro_plots, what_has_no_place_is_a_level_line) {
    const std::vector<measurement> rows = {make("teff", "gcc", 2, 0.5, {{"capacity", 4}}, {{"cost_ns", 3.0}}),
                                           make("tbb", "gcc", 2, 0.5, nlohmann::json::object(), {{"cost_ns", 3.0}})};
    const auto pictures = micro_plots(all_of(rows), with(cost_over("capacity")));
    ASSERT_EQ(pictures.size(), 1U);
    EXPECT_EQ(count(pictures[0].markup, "stroke-tbb level"), 1U);
    EXPECT_EQ(count(pictures[0].markup, "<circle"), 1U);
}

TEST(micro_plots, the_greatest_number_of_threads_counts) {
    const std::vector<measurement> rows = {make("tbb", "gcc", 1, 0.5, {{"delay_ns", 1}}, {{"cost_ns", 3.0}}),
                                           make("tbb", "gcc", 2, 0.5, {{"delay_ns", 1}}, {{"cost_ns", 3.0}})};
    EXPECT_EQ(count(micro_plots(all_of(rows), with(cost_over("delay_ns")))[0].markup, "<circle"), 1U);
    EXPECT_EQ(count(micro_plots(all_of(rows), with(cost_over("threads")))[0].markup, "<circle"), 2U);
    figure chosen = cost_over("threads");
    chosen.where = "delay_ns";
    chosen.equals = 2;
    EXPECT_TRUE(micro_plots(all_of(rows), with(chosen)).empty());
}

TEST(micro_plots, a_box_holds_all_workers_and_runs) {
    std::vector<measurement> rows = {make("tbb", "gcc", 2, 0.5, {}, {{"tasks_by_worker", {0, 100}}})};
    rows[0].found.push_back({{"tasks_by_worker", {50, 50}}});
    figure what;
    what.has_boxes = true;
    what.title = "Tasks";
    what.measured = "tasks_by_worker";
    const auto pictures = micro_plots(all_of(rows), with(what));
    ASSERT_EQ(pictures.size(), 1U);
    EXPECT_EQ(count(pictures[0].markup, "median 50, quartiles 37.5 and 62.5, 0 to 100"), 1U);
}

TEST(micro_plots, variants_share_a_picture_or_have_their_own) {
    std::vector<measurement> rows = {make("pthread", "gcc", 2, 0.5, {{"delay_ns", 1}}, {{"cost_ns", 3.0}}),
                                     make("pthread", "gcc", 2, 0.5, {{"delay_ns", 1}}, {{"cost_ns", 0.0}})};
    rows[0].what.variant = "mutex";
    rows[1].what.variant = "spin_lock";
    figure what = cost_over("delay_ns");
    what.least = 0.1;
    const auto shared = micro_plots(all_of(rows), with(what));
    ASSERT_EQ(shared.size(), 1U);
    EXPECT_EQ(count(shared[0].markup, "series"), 2U);
    EXPECT_EQ(count(shared[0].markup, ">pthread mutex<"), 1U);
    what.by_variant = true;
    const auto apart = micro_plots(all_of(rows), with(what));
    ASSERT_EQ(apart.size(), 2U);
    EXPECT_EQ(apart[1].title, "Cost: spin_lock");
    EXPECT_EQ(apart[1].markup.find("nan"), std::string::npos) << "zero on a logarithmic axis";
}

}  // namespace
}  // namespace teff::cli
