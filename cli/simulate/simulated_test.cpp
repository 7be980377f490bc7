// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what becomes of the simulator's lines: rows, tables, JSON and the page.
#include <cli/simulate/simulated.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cli/bench/headless_browser.hpp>
#include <cli/output_file.hpp>
#include <cli/simulate/simulation_report.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

simulation some_simulation(unsigned threads, const std::string& scheduler = "demand") {
    return {"fib", "reduce", 20, "n", scheduler, std::nullopt, threads};
}

std::string simulator_line(double seconds, double far_lines = 0, const std::string& place = "teff/a.hpp:1") {
    return fmt::format(R"({{"kernel":"fib","face":"reduce","tasks":21891,"seconds":{},"ns_per_task":4.5,)"
                       R"("near_lines_per_task":0.25,"far_lines_per_task":{},"share":{{"work":0.5,"near_line":0.25,)"
                       R"("far_line":0.0625}},"extra":7,)"
                       R"("sites":[{{"where":"{}","per_task":0.125,"waited_ns":61.5}}]}})",
                       seconds, far_lines, place);
}

simulations some_simulations() {
    simulations made;
    for (const char* scheduler : {"demand", "blaze"})
        for (const unsigned threads : {1U, 4U})
            made.rows.push_back(
                read_simulated_row(some_simulation(threads, scheduler), simulator_line(0.008 / threads)));
    add_speedups(made.rows);
    made.skipped.push_back({some_simulation(8), "over the limit of 60 s"});
    return made;
}

child_result ended_with(child_ending ending, int code, const std::string& output, const std::string& errors = "") {
    return {ending, code, output, errors};
}

TEST(simulated, a_line_becomes_a_row) {
    const simulated_row row = read_simulated_row(some_simulation(4), simulator_line(0.002, 0.5));
    EXPECT_EQ(row.tasks, 21891U);
    EXPECT_EQ(row.seconds, 0.002);
    EXPECT_EQ(row.far_lines_per_task, 0.5);
    ASSERT_EQ(row.shares.size(), 3U);
    EXPECT_EQ(row.shares[1].first, "near_line");
    EXPECT_DOUBLE_EQ(runtime_share(row), 1 - 0.5 - 0.25 - 0.0625);
    ASSERT_EQ(row.sites.size(), 1U);
    EXPECT_EQ(row.sites[0].where, "teff/a.hpp:1");
    EXPECT_FALSE(row.speedup);
}

TEST(simulated, the_speedup_is_over_the_same_line_on_one_thread) {
    simulations all = some_simulations();
    EXPECT_DOUBLE_EQ(*all.rows[1].speedup, 4);
    EXPECT_DOUBLE_EQ(*all.rows[2].speedup, 1);
    all.rows.erase(all.rows.begin() + 2);
    for (simulated_row& row : all.rows)
        row.speedup.reset();
    add_speedups(all.rows);
    EXPECT_TRUE(all.rows[1].speedup);
    EXPECT_FALSE(all.rows[2].speedup);
}

TEST(simulated, each_ending_of_the_simulator_has_its_meaning) {
    simulations all;
    const auto add = [&](const child_result& found) { add_simulation(all, some_simulation(2), found, 5); };
    add(ended_with(child_ending::exited, 0, simulator_line(1)));
    EXPECT_EQ(all.rows.size(), 1U);
    add(ended_with(child_ending::over_limit, 0, ""));
    add(ended_with(child_ending::signalled, SIGKILL, ""));
    ASSERT_EQ(all.skipped.size(), 2U);
    EXPECT_EQ(all.skipped[0].reason, "over the limit of 5 s");
    EXPECT_EQ(all.skipped[1].reason, "out of memory: stopped by the system");
    EXPECT_FALSE(all.failed);
    add(ended_with(child_ending::exited, 125, "",
                   "teff_simulator: a deadlock; this program is called by `teff simulate`\n"));
    EXPECT_EQ(all.skipped.back().reason, "failed: a deadlock");
    EXPECT_TRUE(all.failed);
    for (const child_result& broken :
         {ended_with(child_ending::exited, 0, "{"), ended_with(child_ending::exited, 0, "{\"tasks\": 1}"),
          ended_with(child_ending::signalled, SIGSEGV, ""), ended_with(child_ending::not_started, 0, "", "gone")}) {
        all.failed = false;
        add(broken);
        EXPECT_TRUE(all.failed);
    }
    EXPECT_EQ(all.rows.size(), 1U);
    EXPECT_EQ(all.skipped.size(), 7U);
    EXPECT_FALSE(all.partial);
    add(ended_with(child_ending::interrupted, 0, ""));
    EXPECT_TRUE(all.partial);
    EXPECT_EQ(all.skipped.size(), 7U);
}

TEST(simulated, the_table_has_all_columns_or_those_that_fit) {
    const simulations all = some_simulations();
    const auto programs = by_program(all.rows);
    ASSERT_EQ(programs.size(), 1U);
    const std::string table = simulation_table(programs[0], std::nullopt);
    EXPECT_TRUE(has(table, "fib reduce, size 20 (n): 21891 tasks\n\nscheduler  threads      ms  ns/task  speedup  "
                           "work %  near line %  far line %  runtime %  near/task  far/task\n"));
    EXPECT_TRUE(has(table, "\nblaze            4  2.0000     4.50     4.00    50.0         25.0         6.2       18.8 "
                           "    0.2500    0.0000\n"));
    const std::string narrow = simulation_table(programs[0], 80);
    EXPECT_TRUE(has(narrow, "not shown: near line %, far line %, far/task; --wide shows all columns\n"));
    EXPECT_TRUE(has(narrow, "speedup"));
    // With several sockets the lines of the others are of more use than most.
    std::vector<simulated_row> far = {read_simulated_row(some_simulation(1), simulator_line(1, 0.5))};
    EXPECT_TRUE(has(simulation_table(by_program(far)[0], 80), "far/task\n"));
}

TEST(simulated, places_are_those_of_the_most_threads) {
    const simulations all = some_simulations();
    const std::string table = line_table(by_program(all.rows)[0], std::nullopt);
    EXPECT_TRUE(has(table, "places that make cache lines move, 4 threads\n"));
    EXPECT_TRUE(has(table, "\nblaze      teff/a.hpp:1      0.1250               61.5\n"));
    std::vector<simulated_row> without = all.rows;
    for (simulated_row& row : without)
        row.sites.clear();
    EXPECT_EQ(line_table(by_program(without)[0], std::nullopt), "");
}

TEST(simulated, what_no_real_machine_has_shown_is_said) {
    simulate_settings settings;
    const auto sentence = [&](const char* machine, unsigned threads) {
        settings.on = *simulator::machine::parse(machine);
        return simulated_sentence(settings.on, threads, settings);
    };
    EXPECT_EQ(sentence("1x16", 16), "simulated: 1 socket with 16 cores (1x16), seed 1; times are virtual\n");
    const std::string outside = "outside of what was compared with real machines";
    EXPECT_TRUE(has(sentence("1x24", 17), outside));
    EXPECT_TRUE(has(sentence("2x4", 2), outside));
    EXPECT_TRUE(has(sentence("1x4x2", 2), outside));
    EXPECT_TRUE(has(simulation_words(settings, 2), outside));
    settings.on = *simulator::machine::parse("1x24");
    EXPECT_EQ(simulation_words(settings, 4).find(outside), std::string::npos);
    settings.runs = 3;
    EXPECT_TRUE(has(sentence("1x16", 16), "mean of 3 runs"));
}

TEST(simulated, the_json_has_everything) {
    simulate_settings settings;
    settings.on = *simulator::machine::parse("2x3x2");
    const auto made = simulations_json(settings, some_simulations());
    EXPECT_EQ(made["partial"], false);
    EXPECT_EQ(made["machine"]["sockets"], 2);
    EXPECT_EQ(made["machine"]["costs"]["smt"], 1.6);
    EXPECT_EQ(made["machine"]["costs"].size(), settings.on.prices_by_name().size());
    ASSERT_EQ(made["rows"].size(), 4U);
    const auto& row = made["rows"][1];
    EXPECT_EQ(row["kernel"], "fib");
    EXPECT_EQ(row["threads"], 4);
    EXPECT_EQ(row["machine"], "2x3x2");
    EXPECT_TRUE(row["tracker"].is_null());
    EXPECT_EQ(row["speedup"], 4.0);
    EXPECT_EQ(row["share"]["near_line"], 0.25);
    // What the simulator says beyond what this command knows.
    EXPECT_EQ(row["extra"], 7);
    EXPECT_EQ(made["skipped"][0]["threads"], 8);
    EXPECT_EQ(made["skipped"][0]["reason"], "over the limit of 60 s");
}

TEST(simulated, the_page_has_plots_tables_and_words) {
    simulate_settings settings;
    settings.on = *simulator::machine::parse("1x4");
    settings.threads = {1, 4};
    const std::string page = simulation_page(settings, some_simulations(), "teff simulate fib");
    EXPECT_TRUE(has(page, "simulated machine of 1 socket with 4 cores (4 processors), on up to 4 threads."));
    EXPECT_TRUE(has(page, "all times are virtual"));
    EXPECT_TRUE(has(page, "those of one run with the seed 1"));
    EXPECT_TRUE(has(page, "<dt>near_line</dt><dd>60 ns</dd>"));
    EXPECT_TRUE(has(page, "<dt>smt</dt><dd>1.6 times</dd>"));
    EXPECT_TRUE(has(page, "aria-label=\"speed-up over threads, by scheduler\""));
    EXPECT_TRUE(has(page, "aria-label=\"time over threads, by scheduler\""));
    EXPECT_TRUE(has(page, "fib reduce 20, blaze, 4 threads: 2 ms, speed-up 4.00"));
    EXPECT_TRUE(has(page, "<strong>4.00</strong>"));
    EXPECT_TRUE(has(page, "<code>teff/a.hpp:1</code>"));
    EXPECT_TRUE(has(page, "<td>fib reduce 20, demand, 8 threads</td>"));
    EXPECT_EQ(page.find("http://"), std::string::npos);
    EXPECT_EQ(page.find("interrupted"), std::string::npos);
}

TEST(simulated, plots_have_a_line_for_each_scheduler) {
    const simulations all = some_simulations();
    const auto rows = by_program(all.rows)[0];
    for (const std::string& plot : {simulated_speedup_plot(rows), simulated_time_plot(rows)}) {
        EXPECT_TRUE(has(plot, ">demand</text>"));
        EXPECT_TRUE(has(plot, ">blaze</text>"));
        EXPECT_TRUE(has(plot, "stroke-teff series"));
        EXPECT_TRUE(has(plot, "stroke-teff-2 series"));
    }
    EXPECT_TRUE(has(simulated_time_plot(rows), "milliseconds"));
    // Without a row of one thread there is no speed-up to draw.
    std::vector<simulated_row> alone = {all.rows[1]};
    alone[0].speedup.reset();
    EXPECT_EQ(simulated_speedup_plot(by_program(alone)[0]), "");
}

TEST(simulated, text_of_the_simulator_is_escaped) {
    simulations all;
    all.rows.push_back(read_simulated_row(some_simulation(1), simulator_line(1, 0, "<script>a</script>")));
    all.rows[0].what.size_is = "<b>n</b>";
    all.skipped.push_back({some_simulation(2), "<i>why</i>"});
    simulate_settings settings;
    settings.threads = {1, 2};
    const std::string page = simulation_page(settings, all, "teff simulate '<u>'");
    for (const char* markup : {"<script>a", "<b>n", "<i>why", "<u>"})
        EXPECT_EQ(page.find(markup), std::string::npos) << markup;
    EXPECT_TRUE(has(page, "&lt;script&gt;a"));
}

TEST(simulated, the_page_is_one_that_a_browser_shows) {
    if (chromium() == nullptr)
        GTEST_SKIP() << "there is no Chromium";
    std::string folder = testing::TempDir() + "simulated_XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    simulate_settings settings;
    settings.threads = {1, 4};
    write_file(folder + "/page.html", simulation_page(settings, some_simulations(), "teff simulate"));
    const child_result shown = show(folder + "/page.html", {1200, 900, false});
    EXPECT_EQ(shown.code, 0) << shown.errors;
    EXPECT_TRUE(has(shown.output, "Simulated programs</h1>"));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace teff::cli
