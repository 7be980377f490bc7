// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of completions, on a command line of their own and, for the names of the library, against its tables.
#include <cli/complete/completion.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <teff/depend/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/bench/bench_command.hpp>
#include <cli/graph/graph_command.hpp>
#include <cli/info/info_command.hpp>
#include <cli/run/run_command.hpp>
#include <cli/simulate/simulate_command.hpp>
#include <cli/trace/trace_command.hpp>

namespace teff::cli {
namespace {

using strings = std::vector<std::string>;

class completions : public testing::Test {
protected:
    completions() {
        add_bench_command(app_, bench_);
        add_info_command(app_, info_);
        add_graph_command(app_, graph_);
        add_run_command(app_, run_);
        add_trace_command(app_, trace_);
        add_simulate_command(app_, simulate_);
    }
    strings after(const strings& words) const {
        strings texts;
        for (const candidate& each : complete(app_, words).candidates)
            texts.push_back(each.text);
        return texts;
    }
    bool wants_files(const strings& words) const { return complete(app_, words).files; }

    CLI::App app_{"", "teff"};
    bench_request bench_;
    info_request info_;
    graph_request graph_;
    run_request run_;
    trace_request trace_;
    simulate_request simulate_;
};

TEST_F(completions, commands_come_first) {
    EXPECT_EQ(after({""}), (strings{"bench", "info", "graph", "run", "trace", "simulate"}));
    EXPECT_EQ(after({"in"}), strings{"info"});
    EXPECT_EQ(after({"help", "gr"}), strings{"graph"});
    EXPECT_EQ(after({"unknown", ""}), strings{});
}

TEST_F(completions, every_option_of_a_command_is_offered) {
    for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
        const strings offered = after({command->get_name(), "-"});
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames())
                EXPECT_EQ(std::count(offered.begin(), offered.end(), "--" + name), 1)
                    << command->get_name() << " --" << name;
    }
}

TEST_F(completions, values_are_those_of_the_tables) {
    strings names;
    for (const scheduler_traits& each : schedulers())
        names.emplace_back(each.name);
    EXPECT_EQ(after({"run", "--scheduler", ""}), names);
    names.emplace_back("all");
    EXPECT_EQ(after({"bench", "--scheduler", ""}), names);
    EXPECT_EQ(after({"simulate", "--scheduler", ""}), names);
    strings trackers;
    for (const auto& each : tracker_names)
        trackers.emplace_back(each.name);
    EXPECT_EQ(after({"run", "--tracker", ""}), trackers);
    EXPECT_EQ(after({"bench", "--kind", "d"}), strings{"dataflow"});
    EXPECT_EQ(after({"bench", "--size", ""}), (strings{"quick", "paper"}));
    EXPECT_EQ(after({"run", "--threads", ""}), strings{});
}

TEST_F(completions, a_list_is_completed_at_its_last_member) {
    EXPECT_EQ(after({"bench", "--scheduler", "demand,xqueue_w"}), strings{"demand,xqueue_wait"});
    EXPECT_EQ(after({"bench", "--scheduler=demand,xqueue_w"}), strings{"--scheduler=demand,xqueue_wait"});
    // As bash splits it.
    EXPECT_EQ(after({"bench", "--scheduler", "=", "demand,xqueue_w"}), strings{"demand,xqueue_wait"});
    EXPECT_EQ(after({"bench", "--size", "="}), (strings{"quick", "paper"}));
}

TEST_F(completions, files_are_left_to_the_shell) {
    EXPECT_TRUE(wants_files({"graph", ""}));
    EXPECT_TRUE(wants_files({"bench", "--json", "res"}));
    EXPECT_TRUE(wants_files({"simulate", "--machine", ""}));
    EXPECT_EQ(after({"simulate", "--machine", "8x24x"}), strings{"8x24x2"});
    EXPECT_FALSE(wants_files({"info", ""}));
    // The program of `run`, and all that comes after it.
    EXPECT_TRUE(wants_files({"run", "pro"}));
    EXPECT_TRUE(wants_files({"run", "--", "--pro"}));
    EXPECT_TRUE(wants_files({"trace", "--html", "page.html", "pro"}));
    EXPECT_TRUE(wants_files({"trace", "-o", "file", "program", "--summary"}));
    EXPECT_EQ(after({"trace", "-o", "file", "--su"}), strings{"--summary"});
    EXPECT_TRUE(wants_files({"trace", "--read", ""}));
    EXPECT_TRUE(wants_files({"run", "--threads", "2", "program", "--scheduler", ""}));
    EXPECT_FALSE(wants_files({"run", "--threads", ""}));
}

}  // namespace
}  // namespace teff::cli
