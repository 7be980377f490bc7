// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of rounds.hpp with made-up runs: order, skips, slow peers, failures. No process is started and no time passes.
#include <cli/bench/rounds.hpp>

#include <map>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

planned_run make(const std::string& kernel, const std::string& runtime, unsigned threads = 2) {
    planned_run what;
    what.kind = "reduce";
    what.kernel = kernel;
    what.size = "quick";
    what.variant = "nowait";
    what.runtime = runtime;
    what.compiler = "gcc";
    what.threads = threads;
    return what;
}

run_result good(double seconds) {
    run_result result;
    result.outcome = run_outcome::verified;
    result.seconds = seconds;
    result.tasks = 100;
    return result;
}

run_result bad(run_outcome outcome) {
    run_result result;
    result.outcome = outcome;
    result.reason = "a reason";
    result.seconds = 10;
    return result;
}

// The answer depends on the runtime and on how many runs it has had before, including the discarded one.
struct fake_runs {
    std::function<run_result(const std::string& runtime, unsigned turn)> answer;
    std::vector<std::string> order;
    std::map<std::string, unsigned> turns;

    measurements measure(const std::vector<planned_run>& runs, unsigned rounds) {
        plan planned;
        planned.runs = runs;
        const run_function run = [this](const planned_run& what) {
            order.push_back(what.kernel + "/" + what.runtime);
            return answer(what.runtime, turns[what.runtime]++);
        };
        return cli::measure(planned, rounds, run, {});
    }
};

TEST(rounds, configurations_take_turns_in_alternating_order) {
    fake_runs runs{[](const std::string&, unsigned) { return good(1); }, {}, {}};
    const auto result = runs.measure({make("fib", "serial"), make("fib", "teff"), make("pi", "libgomp")}, 2);
    // One run of each kernel to warm up; then one round forwards and one backwards.
    EXPECT_EQ(runs.order,
              (std::vector<std::string>{"fib/teff", "pi/libgomp", "fib/serial", "fib/teff", "pi/libgomp", "pi/libgomp",
                                        "fib/teff", "fib/serial"}));
    ASSERT_EQ(result.rows.size(), 3U);
    EXPECT_EQ(result.rows[0].what.runtime, "serial");
    EXPECT_EQ(result.rows[0].runs.size(), 2U);
    EXPECT_EQ(result.rows[1].tasks, 100U);
    EXPECT_FALSE(result.failed);
}

TEST(rounds, a_slow_peer_keeps_its_one_run) {
    fake_runs runs{[](const std::string& runtime, unsigned) { return good(runtime == "tbb" ? 0.1 : 1.5); }, {}, {}};
    const auto result = runs.measure(
        {make("fib", "teff"), make("fib", "libgomp"), make("fib", "serial", 1), make("fib", "tbb")}, 5);
    ASSERT_EQ(result.rows.size(), 4U);
    EXPECT_EQ(result.rows[0].runs.size(), 5U) << "teff is no peer";
    EXPECT_EQ(result.rows[1].runs.size(), 1U);
    EXPECT_EQ(result.rows[2].runs.size(), 5U) << "serial is no peer";
    EXPECT_EQ(result.rows[3].runs.size(), 5U);
}

TEST(rounds, the_fastest_peer_runs_in_all_of_them) {
    fake_runs runs{[](const std::string& runtime, unsigned) { return good(runtime == "teff" ? 0.01 : 1.5); }, {}, {}};
    const auto result = runs.measure({make("fib", "teff"), make("fib", "libgomp"), make("fib", "tbb")}, 5);
    EXPECT_EQ(result.rows[1].runs.size(), 5U);
    EXPECT_EQ(result.rows[2].runs.size(), 5U);
}

TEST(rounds, ten_times_slower_is_not_yet_too_slow) {
    fake_runs runs{[](const std::string& runtime, unsigned) { return good(runtime == "tbb" ? 0.1 : 1.0); }, {}, {}};
    const auto result = runs.measure({make("fib", "tbb"), make("fib", "libgomp")}, 3);
    EXPECT_EQ(result.rows[1].runs.size(), 3U);
}

TEST(rounds, only_the_same_kernel_and_threads_make_a_peer_slow) {
    fake_runs runs{[](const std::string& runtime, unsigned) { return good(runtime == "tbb" ? 0.01 : 1.0); }, {}, {}};
    const auto result = runs.measure({make("fib", "tbb", 2), make("fib", "libgomp", 1), make("pi", "libgomp", 2)}, 3);
    EXPECT_EQ(result.rows[1].runs.size(), 3U);
    EXPECT_EQ(result.rows[2].runs.size(), 3U);
}

TEST(rounds, over_the_limit_is_a_skip_with_its_bound) {
    // The warm-up run is Teff's, so turn 0 of libgomp is its run in the first round.
    const auto answer = [](const std::string& runtime, unsigned turn) {
        return runtime == "libgomp" && turn == 1 ? bad(run_outcome::over_limit) : good(1);
    };
    fake_runs runs{answer, {}, {}};
    const auto result = runs.measure({make("fib", "teff"), make("fib", "libgomp")}, 3);
    ASSERT_EQ(result.rows.size(), 1U);
    ASSERT_EQ(result.skipped.size(), 1U);
    EXPECT_EQ(result.skipped[0].what.runtime, "libgomp");
    EXPECT_EQ(result.skipped[0].lower_bound_seconds, 10.0);
    EXPECT_EQ(result.skipped[0].reason, "a reason in round 2, after 1 that counted");
    EXPECT_FALSE(result.failed);
    EXPECT_EQ(runs.turns["libgomp"], 2U) << "it does not run again";
}

TEST(rounds, memory_and_refusals_are_skips_without_a_bound) {
    for (const run_outcome outcome : {run_outcome::out_of_memory, run_outcome::refused}) {
        fake_runs runs{[&](const std::string&, unsigned) { return bad(outcome); }, {}, {}};
        const auto result = runs.measure({make("fib", "tbb")}, 2);
        EXPECT_TRUE(result.rows.empty());
        ASSERT_EQ(result.skipped.size(), 1U);
        EXPECT_FALSE(result.skipped[0].lower_bound_seconds);
        EXPECT_FALSE(result.failed);
    }
}

TEST(rounds, a_wrong_answer_in_any_round_fails_the_comparison) {
    for (const run_outcome outcome : {run_outcome::wrong_answer, run_outcome::broken}) {
        const auto answer = [&](const std::string& runtime, unsigned turn) {
            return runtime == "tbb" && turn == 2 ? bad(outcome) : good(1);
        };
        fake_runs runs{answer, {}, {}};
        const auto result = runs.measure({make("fib", "teff"), make("fib", "tbb")}, 3);
        EXPECT_TRUE(result.failed);
        ASSERT_EQ(result.rows.size(), 1U);
        EXPECT_EQ(result.rows[0].runs.size(), 3U) << "the others go on";
    }
}

// Tests of rounds.hpp.

TEST(time_left, is_unknown_before_the_first_run) {
    EXPECT_FALSE(seconds_left({{5}, {5}}));
    EXPECT_FALSE(seconds_left({}));
}

TEST(time_left, takes_the_last_run_of_each_and_the_mean_for_others) {
    EXPECT_DOUBLE_EQ(*seconds_left({{2, 10.0}, {3, 1.0}}), 23);
    EXPECT_DOUBLE_EQ(*seconds_left({{2, 10.0}, {3, 2.0}, {4}}), 26 + 4 * 6);
    // A configuration that is done counts for the mean alone.
    EXPECT_DOUBLE_EQ(*seconds_left({{0, 10.0}, {2}}), 20);
}

TEST(time_left, is_told_roughly) {
    EXPECT_EQ(rough_duration(0), "0 s");
    EXPECT_EQ(rough_duration(3.2), "4 s");
    EXPECT_EQ(rough_duration(89), "89 s");
    EXPECT_EQ(rough_duration(91), "2 min");
    EXPECT_EQ(rough_duration(5399), "90 min");
    EXPECT_EQ(rough_duration(7200), "2 h");
    EXPECT_EQ(rough_duration(7201), "2 h 10 min");
}

}  // namespace
}  // namespace teff::cli
