// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runner's command line and the JSON that the runner prints.
#include <bench/harness/command_line.hpp>
#include <bench/harness/figure.hpp>
#include <bench/harness/report.hpp>

#include <gtest/gtest.h>

namespace bench {
namespace {

command_line parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "runner");
    return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

bool has_part(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr kernel_description example = {
    .name = "example", .sizes = {"12", "34", "1", "2"},
    .has_cutoff = true, .variants = [](runtime_family family) { return usual_variants(family, true); },
    .memory_bytes = [](const parameters& p, runtime_family) { return std::uint64_t{p.threads}; },
};

TEST(command_line, every_flag_reaches_the_run) {
    const command_line line = parse({"--kernel", "fib", "--size=30", "--variant", "wait", "--threads=7", "--scheduler",
                                     "blaze", "--reclaimer", "arena", "--cutoff", "12", "--input", "file",
                                     "--counters", "--hardware-counters", "--pace", "3000", "--kind", "threads"});
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
    EXPECT_TRUE(line.run.hardware_counters);
    EXPECT_EQ(line.run.pace, 3000U);
    EXPECT_EQ(line.kind, "threads");
    EXPECT_FALSE(line.calibrate);
    EXPECT_TRUE(parse({"--calibrate"}).calibrate);
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
    EXPECT_THROW(parse({"--kernel", "fib", "--pace=0"}), usage_error);
}

TEST(report, describes_a_kernel) {
    const kernel kernels[] = {{example, nullptr}};
    EXPECT_EQ(described(kernels, runtime_family::openmp),
              R"([{"kernel":"example","variants":["nowait","wait"],"check":"2","ratio":{"nowait":true,"wait":true},)"
              R"("sizes":{"quick":"12","paper":"34"},"cutoff":true,"input":false}])");
    EXPECT_EQ(described(kernels, runtime_family::tbb),
              R"([{"kernel":"example","variants":["nowait"],"check":"2","ratio":{"nowait":true},)"
              R"("sizes":{"quick":"12","paper":"34"},"cutoff":true,"input":false}])");
}

TEST(report, describes_a_micro_benchmark) {
    const micro_description micro = {
        .headline = "cost_ns",
        .headline_title = "cost ns",
        .figures = {{figure_description::shape::lines, "Cost", "cost_ns", "cost, ns", "length", "length, ns"},
                    {figure_description::shape::boxes, "Tasks", "tasks_by_worker", "tasks"}},
        .paced = true,
        .peer_quick = "0",
        .peer_paper = "00",
    };
    kernel_description description = example;
    description.micro = &micro;
    const kernel kernels[] = {{description, nullptr}};
    const std::string text = described(kernels, runtime_family::tbb);
    EXPECT_NE(text.find(R"("sizes":{"quick":"0","paper":"00"})"), std::string::npos) << text;
    EXPECT_NE(text.find(R"("kind":"micro","variants_differ":false,"by_threads":false,"own_threads":false,"paced":true,)"
                        R"("compared":"","headline":"cost_ns","headline_title":"cost ns",)"
                        R"("figures":[{"shape":"lines","title":"Cost",)"
                        R"("measured":"cost_ns","measured_title":"cost, ns","across":"length",)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"({"shape":"boxes","title":"Tasks","measured":"tasks_by_worker")"), std::string::npos);
    EXPECT_NE(described(kernels, runtime_family::teff).find(R"("quick":"12")"), std::string::npos);
}

TEST(report, a_kernel_without_a_variant_is_not_there) {
    kernel_description description = example;
    description.variants = [](runtime_family) { return std::vector<variant_description>{}; };
    const kernel kernels[] = {{description, nullptr}, {example, nullptr}};
    EXPECT_EQ(described(kernels, runtime_family::teff).find(R"([{"kernel":"example")"), 0U);
    EXPECT_EQ(described({kernels, 1}, runtime_family::teff), "[]");
}

TEST(report, a_kernel_that_waits_is_of_another_kind_too) {
    kernel_description description = example;
    description.waits = true;
    const kernel kernels[] = {{description, nullptr}};
    const kernel reducing_kernels[] = {{example, nullptr}};
    const std::string reducing = described(reducing_kernels, runtime_family::openmp);
    EXPECT_EQ(described(kernels, runtime_family::openmp),
              reducing.substr(0, reducing.size() - 1) +
                  R"(,{"kernel":"example","variants":["wait"],"check":"2","ratio":{"wait":true},)"
                  R"("sizes":{"quick":"12","paper":"34"},"cutoff":true,"input":false,"kind":"fork_join"}])");
    EXPECT_EQ(all_variants(description, runtime_family::openmp).size(), 2U);
    EXPECT_EQ(all_variants(description, runtime_family::tbb).size(), 2U);
    description.variants = nullptr;
    EXPECT_TRUE(described(kernels, runtime_family::serial).starts_with(R"([{"kernel":"example","variants":["recur)"));
    EXPECT_EQ(all_variants(description, runtime_family::tbb).size(), 1U);
}

TEST(report, kind_openmp_has_sizes_and_a_cutoff_of_its_own) {
    constexpr kind_sizes sizes = {"3,5@2", "7", true};
    kernel_description description = example;
    description.has_cutoff = false;
    description.openmp = sizes;
    const kernel kernels[] = {{description, nullptr}};
    const std::string text = described(kernels, runtime_family::openmp);
    EXPECT_TRUE(has_part(text, R"("sizes":{"quick":"12","paper":"34"},"cutoff":false,"input":false},)")) << text;
    EXPECT_TRUE(has_part(text, R"({"kernel":"example","variants":["wait"],"check":"2","ratio":{"wait":true},)"
                               R"("sizes":{"quick":"3,5@2","paper":"7"},"cutoff":true,"input":false,)"
                               R"("kind":"openmp"}])"))
        << text;
    EXPECT_TRUE(has_part(described(kernels, runtime_family::serial), R"("variants":["recursive"],)"));
    EXPECT_FALSE(has_part(described(kernels, runtime_family::tbb), "openmp"));
    EXPECT_FALSE(has_part(described(kernels, runtime_family::teff), "openmp"));
}

TEST(report, kind_mpi_has_sizes_of_its_own_and_no_variants_that_wait) {
    constexpr kind_sizes sizes = {"3,5", "7"};
    kernel_description description = example;
    description.mpi = sizes;
    const kernel kernels[] = {{description, nullptr}};
    const std::string members = R"("sizes":{"quick":"3,5","paper":"7"},"cutoff":true,"input":false,"kind":"mpi")";
    const std::string begin = R"({"kernel":"example","variants":["nowait"],"check":"2","ratio":{"nowait":true},)";
    EXPECT_TRUE(has_part(described(kernels, runtime_family::openmp), begin + members + "}]"));
    EXPECT_TRUE(has_part(described(kernels, runtime_family::teff), begin + members + "}]"));
    EXPECT_TRUE(has_part(described(kernels, runtime_family::serial), R"("variants":["recursive","stack"],)"));
    // On ranks.
    EXPECT_EQ(described_on_ranks(description, {{"nowait", true}}, "teff-mpi", "gcc"),
              begin + members + R"(,"runtime":"teff-mpi","compiler":"gcc"})");
}

TEST(report, kind_openmp_may_have_measures_and_accesses) {
    constexpr kind_sizes sizes = {"3", "7"};
    const micro_description micro = {
        .headline = "cost_ns",
        .headline_title = "cost ns",
        .figures =
            {{.form = figure_description::shape::dots, .title = "Cost", .measured = "cost_ns", .measured_title = "ns"}},
        .compared = "all_ns",
    };
    kernel_description description = example;
    description.openmp = sizes;
    description.micro = &micro;
    description.variants = [](runtime_family) {
        return std::vector<variant_description>{{"one", true}, {.name = "two", .ratio = true, .has_accesses = true}};
    };
    const kernel kernels[] = {{description, nullptr}};
    const std::string text = described(kernels, runtime_family::openmp);
    EXPECT_TRUE(has_part(text, R"("accesses":["two"],"kind":"openmp",)")) << text;
    EXPECT_TRUE(has_part(text, R"("compared":"all_ns","headline":"cost_ns",)")) << text;
    EXPECT_TRUE(has_part(text, R"([{"shape":"dots","title":"Cost",)")) << text;
    EXPECT_FALSE(has_part(text, R"("kind":"micro")"));
}

TEST(report, kind_threads_has_variants_on_threads_of_the_system) {
    const micro_description micro = {.headline = "thread_ns", .headline_title = "ns", .figures = {}};
    kernel_description description = example;
    description.micro = &micro;
    description.threads = true;
    description.variants = [](runtime_family) {
        return std::vector<variant_description>{{"recursive", true},
                                                {.name = "threads", .ratio = true, .own_threads = true}};
    };
    const kernel kernels[] = {{description, nullptr}};
    const std::string text = described(kernels, runtime_family::serial);
    EXPECT_TRUE(has_part(text, R"("own_threads_in":["threads"],"kind":"threads",)")) << text;
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
    run.scheduler = "sherwood";
    EXPECT_EQ(task_memory_bytes(run, runtime_family::teff, 3'000'000, 100), little);
}

TEST(report, reports_a_run) {
    parameters run;
    run.variant = "nowait";
    EXPECT_EQ(reported("example", run, exact_outcome(0.25, 7, "4", "5"), ""),
              R"({"kernel":"example","size":"quick","variant":"nowait","seconds":0.250000000,"tasks":7,)"
              R"("answer":"4","expected":"5","verified":false})");
    EXPECT_TRUE(reported("example", run, outcome{}, "", {"/lib/a.so", "/lib/b.so"})
                    .ends_with(R"("verified":false,"openmp_libraries":["/lib/a.so","/lib/b.so"]})"));
    EXPECT_TRUE(reported("example", run, outcome{}, "{\"a\":1}").ends_with(R"("verified":false,"counters":{"a":1}})"));
    outcome measured = exact_outcome(0.25, 7, "5", "5");
    measured.measures = {{"length", measure::role::given, {100}},
                         {"cost_ns", measure::role::found, {1.25}},
                         {"tasks_by_worker", measure::role::by_worker, {3, 8'000'000'000}}};
    EXPECT_TRUE(reported("example", run, measured, "")
                    .ends_with(R"("given":{"length":100},"found":{"cost_ns":1.25,"tasks_by_worker":[3,8000000000]}})"));
    EXPECT_TRUE(near_outcome(0, 1, 1.5, 1.25, 0.25).verified);
    EXPECT_FALSE(near_outcome(0, 1, 1.5, 1.25, 0.24).verified);
}

}  // namespace
}  // namespace bench
