// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of settings.hpp: the defaults, every LIST, and that the message for each mistake names it and its remedy.
#include <cli/bench/settings.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cli/test_support.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {
namespace {

std::string complaint_about(const std::function<void(bench_request&)>& change) {
    bench_request request;
    change(request);
    try {
        (void)check(request, 2);
    } catch (const usage_error& error) {
        return error.what();
    }
    return "";
}

TEST(settings, the_defaults) {
    const bench_settings settings = check(bench_request{}, 6);
    EXPECT_TRUE(settings.kernels.empty());
    EXPECT_EQ(settings.threads, std::vector<unsigned>{6});
    EXPECT_EQ(settings.thread_range, (std::vector<unsigned>{1, 2, 4, 6}));
    EXPECT_EQ(settings.runtimes.size(), 8U);
    EXPECT_TRUE(settings.variants.empty());
    EXPECT_EQ(settings.schedulers, std::vector<std::string>{"demand"});
    EXPECT_EQ(settings.reclaimers, std::vector<std::string>{"epoch"});
    EXPECT_TRUE(settings.cutoffs.empty());
    EXPECT_EQ(settings.runs, 5U);
    EXPECT_DOUBLE_EQ(settings.limit_for("quick"), 10);
    EXPECT_DOUBLE_EQ(settings.limit_for("paper"), 60);
}

TEST(settings, kernels_carry_their_own_size) {
    bench_request request;
    request.kernels = {"fib:30", "pi", "fib:30"};
    request.size = "paper";
    const bench_settings settings = check(request, 2);
    ASSERT_EQ(settings.kernels.size(), 2U);
    EXPECT_EQ(settings.kernels[0].size, "30");
    EXPECT_EQ(settings.kernels[1].size, "paper");
}

TEST(settings, all_stands_for_every_name_once) {
    bench_request request;
    request.schedulers = "blaze,all";
    request.threads = "all";
    const bench_settings settings = check(request, 6);
    EXPECT_EQ(settings.schedulers.front(), "blaze");
    EXPECT_EQ(std::count(settings.schedulers.begin(), settings.schedulers.end(), "blaze"), 1);
    EXPECT_EQ(settings.threads, (std::vector<unsigned>{1, 2, 4, 6}));
    EXPECT_EQ(settings.thread_range, settings.threads);
    request.variants = "wait,all";
    EXPECT_TRUE(check(request, 6).variants.empty());
}

TEST(settings, cutoffs_are_a_sorted_list) {
    bench_request request;
    request.cutoff = "16,2,0,16";
    EXPECT_EQ(check(request, 2).cutoffs, (std::vector<long>{0, 2, 16}));
}

TEST(settings, too_many_threads_are_clamped) {
    bench_request request;
    request.threads = "5000";
    EXPECT_EQ(check(request, 2).threads, std::vector<unsigned>{4096});
}

TEST(settings, an_unknown_name_gets_a_suggestion_and_the_list) {
    const std::string text = complaint_about([](bench_request& r) { r.runtimes = "libgom"; });
    EXPECT_TRUE(has(text, "--runtime 'libgom'"));
    EXPECT_TRUE(has(text, "did you mean 'libgomp'?"));
    EXPECT_TRUE(has(text, "starpu, or all"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.schedulers = "blase"; }), "did you mean 'blaze'?"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.reclaimers = ","; }), "the list is empty"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.trackers = "tickets"; }), "--tracker 'tickets'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.kind = "data"; }), "--kind 'data'"));
}

TEST(settings, the_openmp_runtimes_are_those_of_their_kind) {
    bench_request request;
    request.kind = "openmp";
    const bench_settings settings = check(request, 2);
    EXPECT_EQ(settings.runtimes, (std::vector<std::string>{"serial", "libgomp", "libomp", "libiomp5", "teff-omp"}));
    EXPECT_EQ(settings.trackers, std::vector<std::string>{"auto"});
    request.trackers = "all";
    EXPECT_GT(check(request, 2).trackers.size(), 1U);
    // In another kind it has to be named.
    request = {};
    request.runtimes = "libgomp,teff-omp";
    EXPECT_EQ(check(request, 2).runtimes, (std::vector<std::string>{"libgomp", "teff-omp"}));
}

TEST(settings, a_runtime_of_one_kind_is_left_out_of_the_others) {
    const auto has_boost = [](const bench_request& request) {
        const bench_settings settings = check(request, 2);
        return std::find(settings.runtimes.begin(), settings.runtimes.end(), "boost-fiber") != settings.runtimes.end();
    };
    bench_request request;
    EXPECT_FALSE(has_boost(request));
    request.kind = "threads";
    EXPECT_TRUE(has_boost(request));
    request.kind = "openmp";
    EXPECT_FALSE(has_boost(request));
}

TEST(settings, bad_numbers_are_refused) {
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.runs = "-3"; }), "--runs '-3'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.runs = "0"; }), "--runs '0'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.threads = "1,0"; }), "--threads '0'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.threads = "two"; }), "--threads 'two'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.limit = "-1"; }), "--limit '-1'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.cutoff = "2,x"; }), "--cutoff 'x'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.cutoff = "-1"; }), "--cutoff '-1'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.cutoff = ","; }), "--cutoff ',': the list is empty"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.size = "huge"; }), "--size 'huge'"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.kernels = {"fib:"}; }), "kernel 'fib:'"));
}

TEST(settings, a_rank_sum_test_needs_runs) {
    const auto of_runs = [](const char* runs) {
        return [=](bench_request& r) {
            r.rank_sum = true;
            r.runs = runs;
        };
    };
    EXPECT_TRUE(has(complaint_about(of_runs("3")), "--rank-sum with --runs 3"));
    EXPECT_TRUE(has(complaint_about(of_runs("3")), "use --runs 4 or more"));
    bench_request request;
    of_runs("4")(request);
    EXPECT_TRUE(check(request, 2).rank_sum);
}

TEST(settings, files_are_checked_before_anything_runs) {
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.json = "/nonexistent/out.json"; }),
                    "--json '/nonexistent/out.json': No such file or directory"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.report = testing::TempDir(); }), "Is a directory"));
    const auto missing_input = [](bench_request& r) {
        r.kernels = {"knapsack"};
        r.input = "/nonexistent/input";
    };
    EXPECT_TRUE(has(complaint_about(missing_input), "--input '/nonexistent/input': No such file or directory"));
    EXPECT_TRUE(has(complaint_about([](bench_request& r) { r.input = "/dev/null"; }), "name that kernel"));
}

TEST(settings, the_check_leaves_files_as_they_are) {
    const std::string fresh = testing::TempDir() + "settings_fresh" + std::to_string(::getpid()) + ".json";
    std::filesystem::remove(fresh);
    bench_request request;
    request.json = fresh;
    (void)check(request, 2);
    EXPECT_FALSE(std::filesystem::exists(fresh));

    const std::string old = testing::TempDir() + "settings_old" + std::to_string(::getpid()) + ".json";
    std::ofstream(old) << "old results";
    request.json = old;
    (void)check(request, 2);
    EXPECT_EQ(std::filesystem::file_size(old), 11U);
    std::filesystem::remove(old);
}

}  // namespace
}  // namespace teff::cli
