// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of settings.hpp and simulation_plan.hpp: the defaults, what becomes a simulation, and each refusal.
#include <cli/simulate/settings.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <teff/depend/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/simulate/simulation_plan.hpp>
#include <cli/test_support.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {
namespace {

const simulator_program two_kernels{
    "teff_simulator",
    {{"fib", "reduce", "n", 20}, {"fib", "fork_join", "n", 18}, {"potrf", "dataflow", "tiles in a row", 24}}};

using request_change = std::function<void(simulate_request&)>;

std::vector<simulation> planned_by(const request_change& change) {
    simulate_request request;
    change(request);
    return plan_simulations(check_simulation(request, 2), two_kernels);
}

std::string refused_by(const request_change& change) {
    return complaint_of<usage_error>([&] { (void)planned_by(change); });
}

TEST(simulate_settings, the_defaults) {
    const simulate_settings settings = check_simulation({}, 3);
    EXPECT_TRUE(settings.kernels.empty());
    EXPECT_EQ(settings.on.name(), "1x16");
    EXPECT_EQ(settings.schedulers, std::vector<std::string>{"demand"});
    EXPECT_EQ(settings.threads, (std::vector<unsigned>{1, 2, 4, 8, 16}));
    EXPECT_EQ(settings.trackers, std::vector<std::string>{"auto"});
    EXPECT_EQ(settings.seed, 1U);
    EXPECT_EQ(settings.runs, 1U);
    EXPECT_EQ(settings.limit_seconds, 60);
    EXPECT_EQ(settings.lines, 0U);
    EXPECT_EQ(settings.jobs, 3U);
}

TEST(simulate_settings, all_threads_are_those_of_the_machine) {
    simulate_request request;
    request.machine = "3x4x2";
    EXPECT_EQ(check_simulation(request, 1).threads, (std::vector<unsigned>{1, 2, 4, 8, 16, 24}));
    request.threads = "30,all,2";
    EXPECT_EQ(check_simulation(request, 1).threads, (std::vector<unsigned>{1, 2, 4, 8, 16, 24, 30}));
    request.threads = "1024";
    EXPECT_EQ(check_simulation(request, 1).threads, std::vector<unsigned>{1024});
}

TEST(simulate_settings, bad_values_are_refused) {
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.machine = "0x4"; }), "--machine '0x4'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.machine = "9x99999"; }), "--machine '9x99999'"));
    for (const char* threads : {"0", "1025", "-1", "two", "1,2.5"})
        EXPECT_TRUE(has(refused_by([&](simulate_request& r) { r.threads = threads; }),
                        "not a whole number from 1 to 1024"))
            << threads;
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.threads = "1,,2"; }), "is missing at a comma"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.threads = ","; }), "--threads ',': the list is empty"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.schedulers = "blase"; }), "did you mean 'blaze'?"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.trackers = "ticket"; }), "did you mean 'tickets'?"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.seed = "-1"; }), "--seed '-1'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.seed = "1000000000000001"; }), "--seed '1000000000000001'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.runs = "0"; }), "--runs '0'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.runs = "1001"; }), "--runs '1001'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.limit = "0"; }), "--limit '0'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.limit = "inf"; }), "--limit 'inf'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.lines = "some"; }), "--lines 'some'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.jobs = "0"; }), "--jobs '0'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.jobs = "257"; }), "--jobs '257'"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.kernels = {"fib:"}; }), "a name or a size is missing"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.json = "/nonexistent/x"; }),
                    "--json '/nonexistent/x': No such file or directory"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.report = testing::TempDir(); }), "Is a directory"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.json = r.report = testing::TempDir() + "same"; }),
                    "--json names the same file"));
}

TEST(simulate_settings, names_are_those_of_the_simulator) {
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.kernels = {"fub"}; }),
                    "kernel 'fub': there is no such kernel (did you mean 'fib'?); use one of fib and potrf"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.faces = "reduse"; }),
                    "--face 'reduse': there is no such name (did you mean 'reduce'?)"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) { r.faces = ""; }), "--face '': the list is empty"));
    EXPECT_TRUE(has(refused_by([](simulate_request& r) {
                        r.kernels = {"fib", "potrf"};
                        r.faces = "reduce";
                    }),
                    "--face 'reduce': kernel potrf does not have it; use a list of dataflow, or all"));
    for (const char* size : {"x", "0", "-4", "3.5", "1000000000001"})
        EXPECT_TRUE(has(refused_by([&](simulate_request& r) { r.kernels = {std::string("fib:") + size}; }),
                        "the size is not a positive whole number; write fib:20"))
            << size;
    EXPECT_TRUE(has(refused_by([](simulate_request& r) {
                        r.kernels = {"fib"};
                        r.trackers = "list";
                    }),
                    "--tracker 'list': no kernel that was asked for declares accesses"));
}

TEST(simulation_plan, every_face_of_every_kernel_unless_named) {
    const auto all = planned_by([](simulate_request& r) { r.threads = "4,1"; });
    ASSERT_EQ(all.size(), 6U);
    EXPECT_EQ(all[0].text(), "fib reduce 20, demand, 1 thread");
    EXPECT_EQ(all[1].text(), "fib reduce 20, demand, 4 threads");
    EXPECT_EQ(all[2].text(), "fib fork_join 18, demand, 1 thread");
    EXPECT_EQ(all[5].text(), "potrf dataflow 24, demand auto, 4 threads");
    const auto some = planned_by([](simulate_request& r) {
        r.faces = "reduce";
        r.threads = "1";
    });
    ASSERT_EQ(some.size(), 1U);
    EXPECT_EQ(some[0].face, "reduce");
    const auto sized = planned_by([](simulate_request& r) {
        r.kernels = {"fib:7"};
        r.threads = "1";
    });
    ASSERT_EQ(sized.size(), 2U);
    EXPECT_EQ(sized[1].size, 7);
}

TEST(simulation_plan, schedulers_and_trackers_multiply) {
    const auto all = planned_by([](simulate_request& r) {
        r.schedulers = r.trackers = "all";
        r.threads = "1";
    });
    const std::size_t count = std::size(schedulers());
    EXPECT_EQ(all.size(), count * (2 + std::size(tracker_names)));
    const auto of_faces = [&](const char* face) {
        return std::count_if(all.begin(), all.end(), [&](const simulation& each) { return each.face == face; });
    };
    EXPECT_EQ(of_faces("reduce"), static_cast<std::ptrdiff_t>(count));
}

TEST(simulation_plan, the_simulator_is_told_all) {
    simulate_request request;
    request.kernels = {"potrf"};
    request.machine = "2x2";
    request.threads = "3";
    request.seed = "9";
    request.runs = "2";
    request.lines = "5";
    simulate_settings settings = check_simulation(request, 1);
    ASSERT_TRUE(settings.on.set("wake", 1234.5));
    const auto all = plan_simulations(settings, two_kernels);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(simulator_arguments(all[0], settings),
              (std::vector<std::string>{"potrf", "dataflow", "machine=2x2", "threads=3", "scheduler=demand", "size=24",
                                        "seed=9", "runs=2", "sites=5", "tracker=auto", "wake=1234.5"}));
}

}  // namespace
}  // namespace teff::cli
