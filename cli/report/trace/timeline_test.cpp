// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of timeline.hpp: what is read from the library's file, and what the picture shows of it.
#include <cli/report/trace/timeline.hpp>

#include <stdexcept>

#include <gtest/gtest.h>

#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

std::string written_file(const std::string& merged = "0", const std::string& events = "") {
    return R"({"displayTimeUnit":"ms","teff":{"span_ns":960000,"threads_left_out":0,"threads":[)"
           R"({"thread":2,"order":4097,"name":"worker 1","work_ns":240000,"search_ns":0,"pool_ns":240000,)"
           R"("sleep_ns":480000,"wait_ns":0,"merged":)" +
           merged +
           R"(,"merged_below_ns":2000},)"
           R"({"thread":1,"order":1,"name":"caller","work_ns":960000,"search_ns":0,"pool_ns":0,"sleep_ns":0,)"
           R"("wait_ns":0,"merged":0,"merged_below_ns":0}]},)"
           R"("traceEvents":[{"ph":"M","pid":7,"name":"process_name","args":{"name":"Teff"}},)"
           R"({"ph":"X","pid":7,"tid":2,"ts":0.000,"dur":240.000,"name":"pool"},)"
           R"({"ph":"X","pid":7,"tid":2,"ts":240.000,"dur":480.000,"name":"sleep"},)"
           R"({"ph":"X","pid":7,"tid":2,"ts":720.000,"dur":240.000,"name":"work"},)" +
           events + R"({"ph":"X","pid":7,"tid":1,"ts":0.000,"dur":960.000,"name":"work"}]})";
}

std::string complaint_about(const std::string& text) {
    return complaint_of<std::runtime_error>([&] { (void)read_timeline(text); });
}

TEST(timeline, is_read_with_the_callers_first) {
    const timeline seen = read_timeline(written_file());
    EXPECT_DOUBLE_EQ(seen.span_us, 960);
    ASSERT_EQ(seen.threads.size(), 2U);
    EXPECT_EQ(seen.threads[0].name, "caller");
    EXPECT_EQ(seen.threads[0].stretches.size(), 1U);
    EXPECT_EQ(seen.threads[1].name, "worker 1");
    ASSERT_EQ(seen.threads[1].stretches.size(), 3U);
    EXPECT_EQ(seen.threads[1].stretches[1].what, thread_activity::sleep);
    EXPECT_DOUBLE_EQ(seen.threads[1].stretches[1].begin_us, 240);
    EXPECT_DOUBLE_EQ(seen.threads[1].stretches[1].end_us, 720);
    EXPECT_DOUBLE_EQ(seen.threads[1].sums_us[3], 480);
}

TEST(timeline, other_texts_are_refused_with_a_reason) {
    EXPECT_EQ(complaint_about(""), "it is empty");
    EXPECT_EQ(complaint_about("{\"displayTimeUnit\":"), "it is no JSON");
    EXPECT_TRUE(has(complaint_about("{}"), "it is no timeline of Teff ("));
    EXPECT_TRUE(has(complaint_about(written_file("0", R"({"ph":"X","tid":1,"ts":0,"dur":1,"name":"nap"},)")),
                    "unknown activity 'nap'"));
    EXPECT_TRUE(has(complaint_about(written_file("0", R"({"ph":"X","tid":9,"ts":0,"dur":1,"name":"work"},)")),
                    "an event has no thread"));
}

TEST(timeline, the_picture_has_rows_a_legend_and_an_axis_in_ms) {
    const std::string markup = timeline_plot(read_timeline(written_file()), "timeline of <x>");
    EXPECT_TRUE(markup.starts_with("<svg viewBox"));
    EXPECT_TRUE(has(markup, "aria-label=\"timeline of &lt;x&gt;\""));
    for (const char* part : {">caller</text>", ">worker 1</text>", ">runs tasks</text>", ">sleeps</text>",
                             ">0 ms</text>", ">0.8 ms</text>", ">100.0%</text>", ">25.0%</text>",
                             "<title>worker 1: sleeps: 0.480 ms, 50.0%</title>"})
        EXPECT_TRUE(has(markup, part)) << part;
    // The caller works from the first column to the last: one rectangle over the width of 480 columns.
    EXPECT_TRUE(has(markup, "h960v19.2h-960z\" class=\"t-work\"")) << markup;
    // The worker: a quarter each, and half asleep.
    EXPECT_TRUE(has(markup, "M94 58.0h240v19.2h-240z\" class=\"t-pool\"")) << markup;
    EXPECT_TRUE(has(markup, "M334 58.0h480v19.2h-480z\" class=\"t-sleep\"")) << markup;
    EXPECT_EQ(markup.find("are drawn as part"), std::string::npos);
}

TEST(timeline, stretches_within_a_column_share_its_height) {
    timeline seen;
    seen.span_us = 480;
    const std::vector<timeline::stretch> two = {{0, 0.25, thread_activity::work}, {0.25, 1, thread_activity::search}};
    seen.threads.push_back({"caller", two, {}, 0, 0});
    const std::string markup = timeline_plot(seen, "x");
    // A quarter of 19.2 at the bottom, and the rest on it.
    EXPECT_TRUE(has(markup, "M94 48.4h2v4.8h-2z\" class=\"t-work\"")) << markup;
    EXPECT_TRUE(has(markup, "M94 34.0h2v14.4h-2z\" class=\"t-search\"")) << markup;
}

TEST(timeline, tells_what_it_does_not_show) {
    timeline seen = read_timeline(written_file("17"));
    seen.threads_left_out = 3;
    const std::string markup = timeline_plot(seen, "x");
    EXPECT_TRUE(has(markup, "17 stretches shorter than 2 us are drawn as part of the one before them"));
    EXPECT_TRUE(has(markup, "3 more threads were not recorded."));
}

TEST(timeline, many_threads_have_thin_rows_and_some_names) {
    timeline seen;
    seen.span_us = 1000;
    for (int i = 0; i < 192; ++i)
        seen.threads.push_back({"worker " + std::to_string(i), {{0, 1000, thread_activity::work}}, {}, 0, 0});
    const std::string markup = timeline_plot(seen, "x");
    EXPECT_TRUE(has(markup, ">worker 0</text>"));
    EXPECT_TRUE(has(markup, ">worker 4</text>"));
    EXPECT_EQ(markup.find(">worker 1</text>"), std::string::npos);
}

TEST(timeline, without_threads_there_is_still_a_picture) {
    EXPECT_TRUE(timeline_plot(timeline{}, "x").ends_with("</svg>\n"));
}

TEST(timeline, as_a_file_it_needs_nothing_else) {
    const std::string file = timeline_file(read_timeline(written_file()), "fib & co");
    EXPECT_TRUE(has(file, "xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_TRUE(has(file, ".t-work { fill:"));
    EXPECT_TRUE(has(file, ">fib &amp; co</text>"));
}

}  // namespace
}  // namespace teff::cli
