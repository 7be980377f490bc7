// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens report pages in headless Chromium, at several widths, light and dark, and lets a script look at what a reader
// would see (report_check.js): errors, parts that stick out or are cut off, labels that overlap, text that is too small
// or too pale, and tables that do not sort. Without Chromium the tests are skipped.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <teff/depend/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/bench/headless_browser.hpp>
#include <cli/report/graph/task_graph.hpp>
#include <cli/report/page/report_html.hpp>
#include <cli/report/trace/timeline.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

struct made_row {
    std::string kernel = "fib", variant = "nowait", runtime, compiler = "gcc", scheduler = "", tracker = "";
    double seconds = 1;
    double spread = 0.02;
};

measurement made(const made_row& from, unsigned threads) {
    measurement row;
    row.what.kind = "reduce";
    row.what.kernel = from.kernel;
    row.what.size = "quick";
    row.what.variant = from.variant;
    row.what.runtime = from.runtime;
    row.what.compiler = from.compiler;
    if (!from.scheduler.empty())
        row.what.scheduler = from.scheduler;
    if (!from.tracker.empty())
        row.what.tracker = from.tracker;
    row.what.threads = threads;
    for (unsigned round = 0; round < 5; ++round)
        row.runs.push_back({round, from.seconds / threads * (1 + from.spread * (round - 2.0) / 4)});
    row.tasks = 165580140;
    return row;
}

// Every scheduler by two compilers beside every peer, as in `--scheduler all --threads 1,2,4`. One peer is 200 times
// slower than the rest, and one row is noisy.
measurements all_schedulers() {
    measurements results;
    for (const std::string kernel : {"fib", "nqueens"}) {
        for (const std::string compiler : {"gcc", "clang"})
            for (const std::string variant : {"recursive", "stack"})
                results.rows.push_back(made({kernel, variant, "serial", compiler, "", "", 0.3}, 1));
        for (const unsigned threads : {1U, 2U, 4U}) {
            for (const std::string compiler : {"gcc", "clang"}) {
                double seconds = 0.2;
                for (const scheduler_traits& each : schedulers())
                    results.rows.push_back(made({kernel, "nowait", "teff", compiler, each.name, "", seconds *= 1.02,
                                                 each.name == std::string("ompi") ? 0.5 : 0.02},
                                                threads));
            }
            results.rows.push_back(made({kernel, "nowait", "libgomp", "gcc", "", "", 1.0}, threads));
            results.rows.push_back(made({kernel, "wait", "libgomp", "gcc", "", "", 1.1}, threads));
            results.rows.push_back(made({kernel, "nowait", "libomp", "clang", "", "", 40}, threads));
            results.rows.push_back(made({kernel, "nowait", "libiomp5", "clang", "", "", 1.3}, threads));
            results.rows.push_back(made({kernel, "nowait", "tbb", "gcc", "", "", 2}, threads));
        }
    }
    skip missing;
    missing.what.kind = "reduce";
    missing.what.kernel = "fib";
    missing.what.size = "quick";
    missing.what.runtime = "starpu";
    missing.reason = "not installed; install libstarpu-dev, then configure and build again";
    results.skipped.push_back(missing);
    timeline seen;
    seen.span_us = 200'000;
    for (const char* name : {"caller", "worker 1", "worker 2", "worker 3"})
        seen.threads.push_back({name, {{0, 150'000, thread_activity::work}}, {150'000, 0, 0, 50'000}});
    results.rows.back().seen = seen;
    return results;
}

// Two tasks after which a third can run.
constexpr const char* small_graph =
    R"({"teff_dataflow_graph":1,"work_ns":2750000,"span_ns":1750000,"parallelism":1.57,"elapsed_ns":1950000,
"tasks_left_out":0,"threads":["caller","worker 3"],"functions":["write","read"],"addresses":[null,"0x1000"],"tasks":[
{"task":1,"parent":0,"outermost":1,"function":0,"thread":0,"outcome":"ended","begin_ns":0,"end_ns":1000000,
"own_ns":1000000,"depth":0,"syncs_before":0,"critical_ns":1000000,"accesses":[]},
{"task":2,"parent":0,"outermost":1,"function":0,"thread":1,"outcome":"ended","begin_ns":0,"end_ns":1000000,
"own_ns":1000000,"depth":0,"syncs_before":0,"critical_ns":0,"accesses":[]},
{"task":3,"parent":0,"outermost":1,"function":1,"thread":0,"outcome":"ended","begin_ns":1000000,"end_ns":1500000,
"own_ns":500000,"depth":1,"syncs_before":0,"critical_ns":500000,"accesses":[]}],
"dependences":[{"object":0,"from":[1],"to":[3]},{"object":1,"from":[2],"to":[3]}],"critical_path":[1,3]})";

// Kernels with measures, on every tracker: lines over cut-offs and threads, boxes, and dots; and a task graph.
measurements all_measures(presentations& shown) {
    presentation& how = shown["flow"];
    how.headline = "cost_ns";
    how.headline_title = "cost ns";
    figure lines;
    lines.title = "Cost by length of the task";
    lines.measured = "cost_ns";
    lines.measured_title = "cost of a task, ns";
    lines.across = "delay_ns";
    lines.across_title = "length of a task, ns";
    lines.least = 0.1;
    figure boxes = lines;
    boxes.title = "Tasks by worker";
    boxes.has_boxes = true;
    boxes.measured = "tasks_by_worker";
    boxes.measured_title = "tasks";
    figure dots = lines;
    dots.title = "All variants";
    dots.has_dots = true;
    how.figures = {lines, boxes, dots};
    measurements results;
    const auto add = [&](made_row from, unsigned size) {
        measurement row = made(from, 4);
        row.what.kind = "dataflow";
        row.what.size = fmt::format("{}x1000000", size);
        row.given = {{"delay_ns", size}};
        for (unsigned run = 0; run < row.runs.size(); ++run)
            row.found.push_back(
                {{"cost_ns", from.seconds * 100 + size}, {"tasks_by_worker", {250'000 + run, 1, 40'000}}});
        results.rows.push_back(std::move(row));
    };
    for (unsigned size = 1; size <= 1'000'000; size *= 10) {
        double seconds = 0.1;
        for (const char* scheduler : {"demand", "xqueue_nowait2"})
            for (const named_choice& tracker : tracker_names)
                add({"flow", "tasks", "teff", "gcc", scheduler, tracker.name, seconds *= 1.3}, size);
        for (const char* peer : {"libgomp", "tbb", "starpu"})
            add({"flow", "tasks", peer, "gcc", "", "", seconds *= 2}, size);
    }
    const task_graph graph = read_task_graph(small_graph);
    results.rows.front().graph = drawn_task_graph(graph, "task graph");
    return results;
}

nlohmann::ordered_json made_machine() {
    return {{"cpu", "AMD EPYC 7763 64-Core Processor, a name of some length"}, {"cpus", 4}, {"memory_bytes", 1 << 30},
            {"date", "2026-11-25 12:00"}, {"command", "teff bench fib nqueens --scheduler all --threads 1,2,4"},
            {"compilers", {{"gcc", "12.2"}, {"clang", "19.1"}}}};
}

std::string text_of_file(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class report_in_browser : public testing::Test {
protected:
    void SetUp() override {
        if (chromium() == nullptr)
            GTEST_SKIP() << "there is no Chromium: apt-get install chromium";
        std::string pattern = testing::TempDir() + "report_XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override {
        if (!folder_.empty() && std::getenv("KEEP_REPORT") == nullptr)
            fs::remove_all(folder_);
    }

    // The complaints of the script, one a line, after a line with the colours and the width.
    std::string complaints(const std::string& page, unsigned width, bool dark) const {
        std::string checked = page;
        const std::string script = "<script>" + text_of_file(fs::path(TEFF_SOURCE_DIR) / "cli/bench/report_check.js");
        checked.insert(checked.find("<head>") + 6, script + "</script>");
        const fs::path file = folder_ / fmt::format("page-{}-{}.html", width, dark ? "dark" : "light");
        std::ofstream(file) << checked;
        return verdict_of(show(file, {width, 1000, dark}));
    }

    fs::path folder_;
};

TEST_F(report_in_browser, is_legible_at_any_width_light_and_dark) {
    const std::string page = report_html(made_machine(), all_schedulers(), {});
    std::ofstream(folder_ / "page.html") << page;
    EXPECT_EQ(complaints(page, 1280, false), "light, 1280\n");
    EXPECT_EQ(complaints(page, 800, true), "dark, 800\n");
    EXPECT_EQ(complaints(page, 500, false), "light, 500\n");
}

TEST_F(report_in_browser, trackers_sweeps_and_measures_are_legible_too) {
    presentations shown;
    const std::string page = report_html(made_machine(), all_measures(shown), shown);
    std::ofstream(folder_ / "measures.html") << page;
    EXPECT_EQ(complaints(page, 1100, true), "dark, 1100\n");
    EXPECT_EQ(complaints(page, 500, false), "light, 500\n");
}

// The check itself: a page with every fault that it looks for.
TEST_F(report_in_browser, the_check_notices_faults) {
    const std::string found = complaints(R"html(<!doctype html><html><head><style>
.scroll { overflow-x: auto; } p { color: #999999; background: #ffffff; }</style></head><body>
<p>pale</p><div style="width:2000px">wide</div>
<svg viewBox="0 0 100 50" style="width:100px" aria-label="it"><text x="20" y="20">one</text>
<text x="22" y="22">two</text>
<text x="90" y="40" style="font-size:8px">outside</text><text x="5" y="45" style="fill:#eeeeee">faint</text></svg>
<div><div class="scroll"><div style="width:3000px">wide</div></div></div>
<table><thead><tr><th><button>a</button></th><th>b</th></tr></thead>
<tbody><tr><td>2</td><td>3</td></tr><tr><td>1</td><td>4</td></tr></tbody></table>
<script>nothing.at.all();</script></body></html>)html",
                                         800, false);
    for (const char* part :
         {"error: ", "pixels wider than the window", "'pale' is pale", "picture 'it': 'one' and 'two' overlap",
          "picture 'it': 'outside' is cut off", "'outside' has only 8.0 pixels", "'faint' is pale",
          "a part scrolls without a hint", "cannot be reached by the keyboard", "column 'a' is not sorted ascending",
          "column 'b' has no button"})
        EXPECT_TRUE(has(found, part));
}

}  // namespace
}  // namespace teff::cli
