// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `teff simulate` as a whole: the built command beside a fake simulator (fake_simulator.sh), each of whose
// kernels behaves in one way; and, where it is built, with the real one. Only the slow kernel takes time, as long as
// the limit says.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <simulator/machine.hpp>

#include <cli/bench/bench_fixture.hpp>
#include <cli/test_support.hpp>
#include <cli/text.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

class simulate_command : public bench_command {
protected:
    void install_fake() const {
        fs::copy_file(fs::path(TEFF_SOURCE_DIR) / "cli/simulate/fake_simulator.sh",
                      folder_ / "build/bin/teff_simulator");
    }
    void install_real() const {
        fs::create_symlink(fs::path(TEFF_COMMAND).parent_path() / "teff_simulator",
                           folder_ / "build/bin/teff_simulator");
    }
    child_result simulate(const std::string& words) const {
        return start(command(), split_list("simulate " + words, ' '));
    }
    std::string calls() const { return read(folder_ / "build/bin/calls"); }
};

TEST_F(simulate_command, without_a_simulator_there_is_one_message) {
    const child_result result = simulate("fib");
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(has(result.errors, "teff simulate: nothing can be simulated: there is no teff_simulator in "));
    EXPECT_TRUE(has(result.errors, "`make install`)\n"));
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1);
    EXPECT_TRUE(has(simulate("--help").output, "this help lists them when teff_simulator is beside the command"));
}

TEST_F(simulate_command, a_simulator_in_libexec_is_found) {
    fs::create_directories(folder_ / "build/libexec/teff");
    fs::copy_file(fs::path(TEFF_SOURCE_DIR) / "cli/simulate/fake_simulator.sh",
                  folder_ / "build/libexec/teff/teff_simulator");
    EXPECT_EQ(simulate("good --threads 1").code, 0);
}

TEST_F(simulate_command, all_that_was_asked_for_is_shown_and_written) {
    install_fake();
    const std::string page_file = folder_ / "page.html";
    const child_result result = simulate("good:30 --threads 1,4 --scheduler demand,blaze --machine 1x8 --lines 3 "
                                         "--seed 5 --jobs 3 --json " + json_file() + " --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.output, "good reduce, size 30 (n): 1000 tasks\n"));
    EXPECT_TRUE(has(result.output, "good fork_join, size 30 (n): 1000 tasks\n"));
    EXPECT_TRUE(has(result.output, "blaze            4  2.0000  8000.00     4.00 "));
    EXPECT_TRUE(has(result.output, "teff/queue/a.hpp:5"));
    EXPECT_TRUE(has(result.output, "\nsimulated: 1 socket with 8 cores (1x8), seed 5; times are virtual\n"));
    EXPECT_TRUE(has(calls(), "good fork_join machine=1x8 threads=4 scheduler=blaze size=30 seed=5 runs=1 sites=3\n"));
    const auto made = json();
    EXPECT_EQ(made["rows"].size(), 8U);
    EXPECT_EQ(made["rows"][3]["scheduler"], "blaze");
    EXPECT_EQ(made["rows"][3]["speedup"], 4.0);
    EXPECT_TRUE(made["skipped"].empty());
    EXPECT_TRUE(has(read(page_file), "<h1>Simulated programs</h1>"));
    EXPECT_TRUE(has(result.errors, "results written to"));
}

TEST_F(simulate_command, a_machine_file_reaches_the_simulator) {
    install_fake();
    const std::string machine = folder_ / "machine.json";
    std::ofstream(machine) << R"({"sockets": 2, "cores": 2, "costs": {"far_line": 200, "smt": 1.25}})";
    const child_result result = simulate("tiles --threads 4 --machine " + machine + " --tracker list");
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(calls(), "tiles dataflow machine=2x2 threads=4 scheduler=demand size=24 seed=1 runs=1 sites=0 "
                       "tracker=list far_line=200 smt=1.25\n");
    EXPECT_TRUE(has(result.output, "demand list"));
    EXPECT_TRUE(has(result.output, "This is outside of what was compared with real machines"));
}

TEST_F(simulate_command, a_slow_simulation_is_skipped) {
    install_fake();
    const child_result result = simulate("slow good --face reduce --threads 1 --limit 1 --json " + json_file());
    EXPECT_EQ(result.code, 0) << result.errors;
    const std::string skipped = "slow reduce 20, demand, 1 thread: over the limit of 1 s\n";
    EXPECT_TRUE(has(result.errors, "teff simulate: skipped: " + skipped));
    EXPECT_TRUE(has(result.output, "skipped\n  " + skipped));
    EXPECT_EQ(json()["rows"].size(), 1U);
    EXPECT_EQ(json()["skipped"].size(), 1U);
}

TEST_F(simulate_command, a_failure_is_told_and_ends_with_status_1) {
    install_fake();
    for (const auto& [kernel, reason] : std::vector<std::pair<std::string, std::string>>{
             {"wrong", "failed: the result of the kernel is wrong"},
             {"stuck", "failed: no thread can run"},
             {"garbled", "failed: its answer cannot be read: "},
             {"killed", "failed: ended by signal 11: no message"}}) {
        const child_result result = simulate(kernel + " good --face reduce --threads 1 --json " + json_file());
        EXPECT_EQ(result.code, 1) << kernel;
        EXPECT_TRUE(has(result.output, reason));
        EXPECT_TRUE(has(result.output, "good reduce"));
        EXPECT_EQ(json()["rows"].size(), 1U);
    }
}

TEST_F(simulate_command, an_interruption_ends_all_and_leaves_what_is_there) {
    install_fake();
    // The third one starts when the first has ended, and interrupts the command while the second runs.
    const std::string page_file = folder_ / "page.html";
    const child_result result = simulate("good slow stop wrong --face reduce --threads 1 --jobs 2 --json " +
                                         json_file() + " --report " + page_file);
    EXPECT_EQ(result.ending, child_ending::signalled);
    EXPECT_EQ(result.code, SIGINT);
    EXPECT_EQ(json()["partial"], true);
    ASSERT_EQ(json()["rows"].size(), 1U);
    EXPECT_EQ(json()["rows"][0]["kernel"], "good");
    EXPECT_TRUE(json()["skipped"].empty());
    EXPECT_TRUE(has(result.errors, "interrupted: the results are partial; 1 of 4 simulations have a row"));
    EXPECT_TRUE(has(result.output, "good reduce"));
    EXPECT_TRUE(has(read(page_file), "The simulations were interrupted"));
    EXPECT_EQ(calls().find("wrong"), std::string::npos);
}

TEST_F(simulate_command, bad_usage_runs_nothing) {
    install_fake();
    for (const std::string words :
         {"god", "good --face forkjoin", "good --machine 0x4", "good --machine /nonexistent.json",
          "good --threads 1025", "good:x", "good --json /nonexistent/x", "good --scheduler no", "good --unknown",
          "good --tracker list"}) {
        const child_result result = simulate(words);
        EXPECT_EQ(result.code, 2) << words;
        EXPECT_TRUE(has(result.errors, "teff simulate: ")) << words;
        EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << words;
    }
    EXPECT_FALSE(fs::exists(folder_ / "build/bin/calls"));
}

TEST_F(simulate_command, the_help_has_the_kernels) {
    install_fake();
    EXPECT_TRUE(has(simulate("--help").output, "\n  good          reduce (n: 20), fork_join (n: 10)\n"));
    const std::string completed = start(command(), {"complete", "simulate", "t"}).output;
    EXPECT_EQ(completed, "tiles\n");
    EXPECT_EQ(start(command(), {"complete", "simulate", "--face", "reduce,da"}).output, "reduce,dataflow\n");
}

TEST_F(simulate_command, its_page_names_every_option_and_cost) {
    const std::string page = read(fs::path(TEFF_SOURCE_DIR) / "docs/simulator.md");
    const std::string help = simulate("--help").output;
    std::size_t count = 0;
    for (std::size_t at = help.find("  --"); at != std::string::npos; at = help.find("  --", at + 1)) {
        const std::string option = help.substr(at + 2, help.find_first_of(" =", at + 2) - at - 2);
        EXPECT_TRUE(has(page, "| `" + option)) << option;
        ++count;
    }
    EXPECT_GE(count, 13U);
    for (const auto& [name, value] : simulator::machine().prices_by_name())
        EXPECT_TRUE(has(page, "| `" + std::string(name) + "` |"));
}

#if defined(TEFF_HAS_SIMULATOR)
// Virtual times are exact.
TEST_F(simulate_command, the_real_simulator_says_the_same_each_time) {
    install_real();
    const std::string words = "fib:12 --machine 1x4 --threads 1,4 --lines 2 --json " + json_file();
    const child_result first = simulate(words);
    ASSERT_EQ(first.code, 0) << first.errors;
    const auto results = json();
    ASSERT_GE(results["rows"].size(), 4U);
    for (const auto& row : results["rows"]) {
        EXPECT_EQ(row["size"], 12);
        EXPECT_GT(row["tasks"], row["face"] == "openmp" ? 10 : 400);
        EXPECT_GT(row["seconds"], 0.0);
        double sum = 0;
        for (const auto& [cause, share] : row["share"].items())
            sum += share.get<double>();
        EXPECT_GT(sum, 0);
        EXPECT_LE(sum, 1.0001);
        EXPECT_EQ(row["speedup"] == 1.0, row["threads"] == 1);
        EXPECT_EQ(row["sites"].empty(), row["near_lines_per_task"] == 0.0);
    }
    const child_result second = simulate(words + " --jobs 1");
    EXPECT_EQ(json(), results);
    EXPECT_EQ(second.output, first.output);
    // Other costs give other times.
    const std::string machine = folder_ / "machine.json";
    std::ofstream(machine) << R"({"sockets": 1, "cores": 4, "costs": {"near_line": 600}})";
    ASSERT_EQ(simulate("fib:12 --threads 1,4 --json " + json_file() + " --machine " + machine).code, 0);
    EXPECT_NE(json()["rows"][1]["seconds"], results["rows"][1]["seconds"]);
}

// On one thread lines move only where a cache is too small for them: 5461 villages of ten lines each.
TEST_F(simulate_command, the_real_simulator_has_caches_with_a_limit) {
    install_real();
    const std::string machine = folder_ / "machine.json";
    const auto row_with = [&](const std::string& costs) {
        std::ofstream(machine) << R"({"sockets": 1, "cores": 2, "costs": {)" << costs << "}}";
        EXPECT_EQ(simulate("health:2 --threads 1 --json " + json_file() + " --machine " + machine).code, 0);
        return json()["rows"][0];
    };
    EXPECT_EQ(row_with("")["near_lines_per_task"], 0.0);
    EXPECT_LT(row_with(R"("private_kib": 65536)")["near_lines_per_task"], 0.1);
    const auto in_shared = row_with(R"("private_kib": 256)");
    EXPECT_GT(in_shared["near_lines_per_task"], 9.0);
    const auto in_memory = row_with(R"("private_kib": 256, "shared_kib": 512)");
    EXPECT_GT(in_memory["seconds"], in_shared["seconds"]);
}

// A fiber for each part of a loop, so four threads at most have a part of four; and a search.
TEST_F(simulate_command, the_real_simulator_runs_fibers) {
    install_real();
    const child_result result = simulate("stream:4 search:6 --face threads --threads 1,8 --machine 1x8 --scheduler "
                                         "nemesis,distrib --json " + json_file());
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto made = json();
    ASSERT_EQ(made["rows"].size(), 8U);
    for (const auto& row : made["rows"]) {
        const bool is_stream = row["kernel"] == "stream";
        // Both ends of 16 edges of each of 64 vertices, but for those of vertices that are not reached.
        EXPECT_GE(row["tasks"], is_stream ? 20 : 1024);
        EXPECT_LE(row["tasks"], is_stream ? 20 : 2048);
        const double mean = row["work_delta"]["mean"], most = row["work_delta"]["most"];
        EXPECT_GE(most, mean);
        EXPECT_EQ(most == 0.0, row["threads"] == 1) << row["kernel"];
    }
}

#if defined(TEFF_SIMULATES_OPENMP)
TEST_F(simulate_command, the_real_simulator_has_the_micro_benchmarks_of_x_openmp) {
    install_real();
    const child_result result = simulate("overhead:20 distribution:20 steal:20 queue_size:5 strassen:2048 "
                                         "--threads 1,5 --machine 1x8 --scheduler xqueue_static --json " + json_file());
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto made = json();
    ASSERT_EQ(made["rows"].size(), 10U);
    for (const auto& row : made["rows"]) {
        const unsigned threads = row["threads"];
        const std::string kernel = row["kernel"];
        // In queue_size ten long tasks for each thread come first; in strassen seven tasks make seven each.
        const unsigned expected = kernel == "steal"        ? 20
                                  : kernel == "queue_size" ? 15 * threads
                                  : kernel == "strassen"   ? 56
                                                           : 20 * threads;
        EXPECT_EQ(row["tasks"], expected) << kernel;
        EXPECT_EQ(row["near_lines_per_task"] == 0.0, threads == 1) << kernel;
    }
}

TEST_F(simulate_command, the_real_simulator_runs_programs_with_openmp) {
    install_real();
    const child_result result = simulate("parallel:30 barrier:30 reduction:30 nqueens:6 --face openmp --threads 1,5 "
                                         "--machine 1x8 --lines 4 --json " + json_file());
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto made = json();
    ASSERT_EQ(made["rows"].size(), 8U);
    for (const auto& row : made["rows"]) {
        EXPECT_EQ(row["face"], "openmp");
        const bool is_construct = row["kernel"] != "nqueens";
        EXPECT_EQ(row["tasks"] == 30, is_construct) << row["kernel"];
        EXPECT_EQ(row["near_lines_per_task"] == 0.0, row["threads"] == 1);
    }
    // The threads meet at the barrier of the runtime, and add to the sum of the program.
    EXPECT_TRUE(has(result.output, "teff/team/region_barriers.hpp:"));
    EXPECT_TRUE(has(result.output, "compiler_hooks.cpp:"));
    // The scheduler reaches the runtime.
    const std::string words = "nqueens:6 --face openmp --threads 5 --json " + json_file() + " --scheduler ";
    ASSERT_EQ(simulate(words + "sherwood").code, 0);
    const auto with_sherwood = json()["rows"][0]["seconds"];
    ASSERT_EQ(simulate(words + "demand").code, 0);
    EXPECT_NE(json()["rows"][0]["seconds"], with_sherwood);
}
#endif
#endif

}  // namespace
}  // namespace teff::cli
