// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runner's command line and the JSON that it answers with.
#include <bench/harness/command_line.hpp>
#include <bench/harness/report.hpp>

#include <gtest/gtest.h>

namespace bench {
namespace {

command_line parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "runner");
    return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

constexpr kernel_description example = {
    "example",
    "12",
    "34",
    "1",
    true,
    false,
    [](runtime_family family) { return usual_variants(family, true); },
    [](const parameters& p, runtime_family) { return std::uint64_t{p.threads}; },
};

TEST(command_line, every_flag_reaches_the_run) {
    const command_line line = parse({"--kernel", "fib", "--size=30", "--variant", "wait", "--threads=7", "--scheduler",
                                     "blaze", "--reclaimer", "arena", "--cutoff", "12", "--input", "file",
                                     "--counters"});
    EXPECT_FALSE(line.describe);
    EXPECT_EQ(line.kernel, "fib");
    EXPECT_EQ(line.run.size, "30");
    EXPECT_EQ(line.run.variant, "wait");
    EXPECT_EQ(line.run.threads, 7U);
    EXPECT_EQ(line.run.scheduler, "blaze");
    EXPECT_EQ(line.run.reclaimer, "arena");
    EXPECT_EQ(line.run.cutoff, 12);
    EXPECT_EQ(line.run.input, "file");
    EXPECT_TRUE(line.run.counters);
}

TEST(command_line, mistakes_are_refused) {
    EXPECT_THROW(parse({}), usage_error);
    EXPECT_THROW(parse({"--size", "30"}), usage_error);
    EXPECT_THROW(parse({"--kernel"}), usage_error);
    EXPECT_THROW(parse({"--kernel", "fib", "--colour", "red"}), usage_error);
    EXPECT_THROW(parse({"--kernel", "fib", "--colour=red"}), usage_error);
    for (const char* threads : {"--threads=0", "--threads=-1", "--threads=4097", "--threads=2x", "--threads="})
        EXPECT_THROW(parse({"--kernel", "fib", threads}), usage_error) << threads;
    EXPECT_THROW(parse({"--kernel", "fib", "--cutoff=-1"}), usage_error);
}

TEST(report, describes_a_kernel) {
    const kernel kernels[] = {{example, nullptr}};
    EXPECT_EQ(described(kernels, runtime_family::openmp),
              R"([{"kernel":"example","variants":["nowait","wait"],"ratio":{"nowait":true,"wait":true},)"
              R"("sizes":{"quick":"12","paper":"34"},"cutoff":true,"input":false}])");
    EXPECT_EQ(described(kernels, runtime_family::tbb),
              R"([{"kernel":"example","variants":["nowait"],"ratio":{"nowait":true},)"
              R"("sizes":{"quick":"12","paper":"34"},"cutoff":true,"input":false}])");
}

TEST(report, escapes_what_users_write) {
    parameters run;
    run.size = "a\"b\\c\n";
    run.variant = "nowait";
    run.threads = 5;
    EXPECT_EQ(described_run({example, nullptr}, run, runtime_family::teff),
              R"({"kernel":"example","size":"a\"b\\c\u000a","variant":"nowait","memory_bytes":5})");
}

TEST(report, a_first_in_first_out_queue_is_expected_to_need_more) {
    parameters run;
    const std::uint64_t little = task_memory_bytes(run, runtime_family::teff, 3'000'000, 100);
    EXPECT_EQ(task_memory_bytes(run, runtime_family::tbb, 3'000'000, 100), little);
    run.scheduler = "blaze";
    EXPECT_EQ(task_memory_bytes(run, runtime_family::tbb, 3'000'000, 100), little);
    EXPECT_EQ(task_memory_bytes(run, runtime_family::teff, 3'000'000, 100), little + 100'000'000);
}

TEST(report, reports_a_run) {
    parameters run;
    run.variant = "nowait";
    EXPECT_EQ(reported("example", run, exact_outcome(0.25, 7, "4", "5"), ""),
              R"({"kernel":"example","size":"quick","variant":"nowait","seconds":0.250000000,"tasks":7,)"
              R"("answer":"4","expected":"5","verified":false})");
    EXPECT_TRUE(reported("example", run, outcome{}, "{\"a\":1}").ends_with(R"("verified":false,"counters":{"a":1}})"));
    EXPECT_TRUE(near_outcome(0, 1, 1.5, 1.25, 0.25).verified);
    EXPECT_FALSE(near_outcome(0, 1, 1.5, 1.25, 0.24).verified);
}

}  // namespace
}  // namespace bench
