// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `teff bench` as a whole: the built command in a folder of fake runners (fake_runner.sh). Each of their
// kernels misbehaves in one way. Only the hanging kernel takes time, as long as the limit says.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cli/bench/bench_fixture.hpp>
#include <cli/test_support.hpp>
#include <cli/text.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

TEST_F(bench_command, compares_all_that_is_installed) {
    install_all();
    const child_result result = run("good --threads 1,2 --runs 3");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto results = json();
    // serial has two rows; teff, libgomp, libomp and tbb have one for each number of threads.
    EXPECT_EQ(results["rows"].size(), 2U + 4U * 2U);
    const auto* teff = find(results["rows"], "teff");
    ASSERT_NE(teff, nullptr);
    EXPECT_EQ((*teff)["scheduler"], "demand");
    EXPECT_EQ((*teff)["seconds"], (std::vector<double>{0.1, 0.1, 0.1}));
    EXPECT_TRUE((*teff)["reclaimer"].is_null());
    // libiomp5 is not installed: it is named, and the command does not fail for it.
    const auto* missing = find(results["skipped"], "libiomp5");
    ASSERT_NE(missing, nullptr);
    EXPECT_TRUE(has((*missing)["reason"], "not installed"));
    EXPECT_TRUE(has(result.output, "teff beside the best peer"));
    EXPECT_TRUE(has(result.output, "  libiomp5: not installed"));
    EXPECT_TRUE(has(result.errors, "round 1/3: good quick"));
}

TEST_F(bench_command, hardware_counters_are_shown_for_every_runtime) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    const child_result result = run("good --threads 2 --runs 2 --hardware-counters --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(log(), "tbb-gcc library= omp=2,false,false, blas=1 --kernel good --variant nowait --size quick "
                           "--threads 2 --hardware-counters\n"));
    const auto results = json();
    for (const auto& row : results["rows"])
        EXPECT_EQ(row["counters"]["hardware"]["context_switches"], 7);
    EXPECT_TRUE(has(result.output, "hardware counters of the last run"));
    EXPECT_EQ(result.output.find("counters of the last run\n  good"), std::string::npos);
    EXPECT_TRUE(has(read(page_file), "Hardware counters</h2>"));
    // What is missing is told once, not for every runtime.
    const std::string complaint = "--hardware-counters: not counted: cycles: no PMU; get one\n";
    const std::size_t place = result.errors.find(complaint);
    ASSERT_NE(place, std::string::npos) << result.errors;
    EXPECT_EQ(result.errors.find(complaint, place + 1), std::string::npos);
    EXPECT_TRUE(has(read(page_file), "not counted: cycles: no PMU; get one."));
    ASSERT_EQ(run("good --threads 2 --runs 1").code, 0);
    EXPECT_FALSE(json()["rows"][0].contains("counters"));
}

TEST_F(bench_command, pairs_of_configurations_are_tested_for_a_difference) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    const child_result result = run("good --threads 2 --runs 4 --rank-sum --compiler gcc --runtime teff,tbb "
                                    "--scheduler demand,fifo --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    // Both schedulers take as long in each run; oneTBB always takes longer.
    const auto results = json();
    ASSERT_EQ(results["rank_sums"].size(), 3U);
    const auto& equal = results["rank_sums"][0];
    EXPECT_EQ(equal["first"], "good quick nowait teff gcc demand, 2 threads");
    EXPECT_EQ(equal["second"], "good quick nowait teff gcc fifo, 2 threads");
    EXPECT_EQ(equal["w"], 8.0);
    EXPECT_EQ(equal["p"], 1.0);
    const auto& other = results["rank_sums"][1];
    EXPECT_EQ(results["rows"][other["second_row"].get<std::size_t>()]["runtime"], "tbb");
    EXPECT_EQ(other["w"], 0.0);
    EXPECT_LT(other["p"], 0.05);
    EXPECT_TRUE(has(result.output, "Wilcoxon's rank sum test"));
    EXPECT_TRUE(has(result.output, "not significant\n"));
    EXPECT_TRUE(has(result.output, "yes\n"));
    EXPECT_TRUE(has(read(page_file), "Which of them differ</h2>"));
    EXPECT_TRUE(has(read(page_file), "<td>good quick</td>"));
    ASSERT_EQ(run("good --threads 2 --runs 1").code, 0);
    EXPECT_FALSE(json().contains("rank_sums"));
}

TEST_F(bench_command, a_timeline_is_one_more_run_of_teff) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    const std::string folder = folder_ / "lines";
    const child_result result =
        run("good --threads 2 --runs 2 --scheduler demand,fifo --timeline " + folder + " --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto results = json();
    for (const std::string scheduler : {"demand", "fifo"}) {
        const std::string stem = folder + "/good-quick-nowait-teff-gcc-" + scheduler + "-2-threads";
        EXPECT_TRUE(has(read(stem + ".json"), "traceEvents"));
        EXPECT_TRUE(has(read(stem + ".svg"), ">75.0%</text>"));
        for (const auto& row : results["rows"]) {
            if (row["scheduler"] == scheduler) {
                EXPECT_EQ(row["timeline"], stem + ".json");
            }
        }
    }
    EXPECT_FALSE(find(results["rows"], "tbb")->contains("timeline"));
    EXPECT_EQ((*find(results["rows"], "teff"))["runs"], 2);
    const std::string page = read(page_file);
    EXPECT_TRUE(has(page, "What the threads did</h2>"));
    EXPECT_TRUE(has(page, "aria-label=\"timeline of good quick nowait teff gcc fifo, 2 threads\""));
    EXPECT_TRUE(has(page, ".t-work { fill:"));
    EXPECT_EQ(page.find("http://"), std::string::npos);
}

TEST_F(bench_command, a_timeline_that_is_not_there_is_told) {
    install_all();
    const std::string folder = folder_ / "lines";
    const child_result result = run("uneven --threads 2 --runs 1 --timeline " + folder);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, "--timeline: uneven quick nowait teff gcc demand, 2 threads: its timeline cannot be "
                                   "read: it is empty\n"));
    const child_result without = run("good --threads 2 --runs 1 --runtime tbb --timeline " + folder);
    EXPECT_EQ(without.code, 0);
    EXPECT_TRUE(has(without.errors, "no configuration of Teff was measured"));
}

TEST_F(bench_command, a_timeline_that_cannot_be_written_does_not_lose_the_results) {
    install_all();
    const std::string folder = folder_ / "lines";
    const std::string name = folder + "/good-quick-nowait-teff-gcc-demand-2-threads.json";
    fs::create_directories(name);
    const child_result result = run("good --threads 2 --runs 1 --timeline " + folder);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, "--timeline: good quick nowait teff gcc demand, 2 threads: '" + name + "'"))
        << result.errors;
    const auto results = json();
    ASSERT_NE(find(results["rows"], "teff"), nullptr);
    EXPECT_FALSE(find(results["rows"], "teff")->contains("timeline"));
}

TEST_F(bench_command, a_task_graph_is_one_more_run_of_teff) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    const std::string folder = folder_ / "graphs";
    const child_result result = run("--kind dataflow flow:3,500 --threads 2 --runs 2 --tracker tickets,list --graph " +
                                    folder + " --timeline " + folder + " --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, "teff bench: task graphs written to " + folder + "\n")) << result.errors;
    const auto results = json();
    for (const std::string tracker : {"tickets", "list"}) {
        for (const std::string size : {"3", "500"}) {
            const std::string stem = folder + "/flow-" + size + "-tasks-teff-gcc-demand-" + tracker + "-2-threads";
            EXPECT_TRUE(has(read(stem + "-graph.json"), "teff_dataflow_graph"));
            EXPECT_TRUE(has(read(stem + "-graph.svg"), ">" + size + " tasks, work "));
            EXPECT_TRUE(has(read(stem + ".json"), "traceEvents"));
            for (const auto& row : results["rows"]) {
                if (row["tracker"] != tracker || row["size"] != size)
                    continue;
                EXPECT_EQ(row["graph"]["file"], stem + "-graph.json");
                EXPECT_EQ(row["graph"]["tasks"], std::stoi(size));
                EXPECT_EQ(row["graph"]["tasks_left_out"], 7);
                EXPECT_EQ(row["graph"]["work_seconds"], std::stoi(size) / 1e6);
                EXPECT_EQ(row["graph"]["span_seconds"], 2e-6);
                EXPECT_EQ(row["graph"]["parallelism"], 1.5);
                EXPECT_EQ(row["runs"], 2);
            }
        }
    }
    EXPECT_FALSE(find(results["rows"], "tbb")->contains("graph"));
    const std::string page = read(page_file);
    EXPECT_TRUE(has(page, "The task graphs</h2>"));
    EXPECT_TRUE(has(page, "aria-label=\"task graph of flow 3 tasks teff gcc demand list, 2 threads\"")) << page;
    EXPECT_TRUE(has(page, ".g-critical { stroke:"));
    EXPECT_TRUE(has(page, "<td class=\"number\" data-value=\"1.5\"><strong>1.5</strong></td>"));
    EXPECT_EQ(page.find("http://"), std::string::npos);
    // Only the pictures of 500 tasks are summaries; all graphs have lost tasks.
    const auto count_of = [&page](const std::string& part) {
        std::size_t count = 0;
        for (std::size_t place = page.find(part); place != std::string::npos; place = page.find(part, place + 1))
            ++count;
        return count;
    };
    EXPECT_EQ(count_of("A summary: there are too many tasks to draw each"), 2U);
    EXPECT_EQ(count_of("; 7 later ones were not recorded."), 4U);
}

TEST_F(bench_command, a_task_graph_that_is_not_there_is_told) {
    install_all();
    const std::string folder = folder_ / "graphs";
    const child_result result = run("--kind dataflow flow:5 --threads 2 --runs 1 --graph " + folder);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, "--graph: flow 5 tasks teff gcc demand auto, 2 threads: its task graph cannot be "
                                   "read: it is empty\n"))
        << result.errors;
    EXPECT_FALSE(find(json()["rows"], "teff")->contains("graph"));
    const child_result without = run("--kind dataflow flow --threads 2 --runs 1 --runtime tbb --graph " + folder);
    EXPECT_EQ(without.code, 0);
    EXPECT_TRUE(has(without.errors,
                    "--graph: no configuration of Teff was measured, so there is no task graph\n"));
}

TEST_F(bench_command, a_task_graph_that_cannot_be_written_does_not_lose_the_results) {
    install_all();
    const std::string folder = folder_ / "graphs", page_file = folder_ / "page.html";
    const std::string name = folder + "/flow-3-tasks-teff-gcc-demand-auto-2-threads-graph.svg";
    fs::create_directories(name);
    const child_result result =
        run("--kind dataflow flow:3 --threads 2 --runs 1 --graph " + folder + " --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, "2 threads: '" + name + "'")) << result.errors;
    const auto results = json();
    ASSERT_NE(find(results["rows"], "teff"), nullptr);
    EXPECT_FALSE(find(results["rows"], "teff")->contains("graph"));
    EXPECT_FALSE(has(read(page_file), "The task graphs"));
}

TEST_F(bench_command, every_child_gets_the_same_environment) {
    install_all();
    environment_ = {{"OMP_WAIT_POLICY", "active"}, {"LD_LIBRARY_PATH", ""}};
    ASSERT_EQ(run("good --threads 2 --runs 1 --runtime libgomp").code, 0);
    EXPECT_TRUE(has(log(), "libgomp-gcc library= omp=2,false,false, blas=1 --kernel good --variant nowait --size quick "
                           "--threads 2\n"));
}

TEST_F(bench_command, libiomp5_is_the_runner_of_libomp_with_another_library) {
    install_all();
    fs::create_directories(folder_ / "private");
    std::ofstream(folder_ / "private/libomp.so.5") << "";
    environment_ = {{"TEFF_BENCH_LIBIOMP5", (folder_ / "private").string()}};
    ASSERT_EQ(run("good --threads 1 --runs 1 --runtime libomp,libiomp5").code, 0);
    EXPECT_TRUE(has(log(), "libomp-clang library=" + fs::canonical(folder_ / "private").string() + " omp=1"));
    EXPECT_NE(find(json()["rows"], "libomp"), nullptr);
    EXPECT_NE(find(json()["rows"], "libiomp5"), nullptr);
}

TEST_F(bench_command, kind_openmp_runs_the_same_programs_on_every_runtime) {
    install_all();
    install_teff_openmp();
    const child_result result =
        run("--kind openmp tasks --threads 1,2 --runs 2 --scheduler demand,fifo --tracker list");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto results = json();
    // Two sizes; for each serial, and with two numbers of threads libgomp, libomp, and two compilers on Teff with two
    // schedulers.
    ASSERT_EQ(results["rows"].size(), 2U * (1U + 2U * (1U + 1U + 2U * 2U)));
    for (const auto& row : results["rows"]) {
        EXPECT_EQ(row["kind"], "openmp");
        EXPECT_EQ(row["scheduler"].is_null(), row["runtime"] != "teff-omp");
        EXPECT_TRUE(row["tracker"].is_null()) << "no task has accesses";
        EXPECT_EQ(row["cutoff"].is_null(), row["size"] == "3");
    }
    EXPECT_EQ(find(results["skipped"], "tbb"), nullptr);
    ASSERT_NE(find(results["skipped"], "libiomp5"), nullptr);
    const std::string folder = fs::canonical(folder_ / "build/lib/teff").string();
    EXPECT_EQ(results["machine"]["teff_openmp"], folder + "/libomp.so.5");
    EXPECT_FALSE(results["machine"]["peers"].contains("teff-omp"));
    // The scheduler goes to the runtime, which the program does not know.
    for (const char* program : {"libgomp-gcc", "libomp-clang"}) {
        const std::string name = program;
        EXPECT_TRUE(has(log(), name + " library=" + folder + " omp=2,false,false, blas=1 --kernel tasks --variant wait "
                                                             "--size 5 --cutoff 2 --threads 2\n"));
        EXPECT_TRUE(has(log(), name + " teff=fifo,, --kernel tasks --variant wait --size 3 --threads 1\n"));
    }
    EXPECT_TRUE(has(result.output, "Teff's OpenMP runtime beside the others"));
    EXPECT_TRUE(has(result.output, "/libiomp5"));
}

TEST_F(bench_command, another_openmp_library_than_the_wanted_one_is_an_error) {
    install_all();
    install_teff_openmp();
    const child_result result = run("--kind openmp stray:3 --threads 2 --runs 1");
    EXPECT_EQ(result.code, 1);
    const auto results = json();
    ASSERT_EQ(results["rows"].size(), 4U) << "serial, libgomp, libomp, and GCC's program on Teff";
    const auto* const skipped = find(results["skipped"], "teff-omp");
    ASSERT_NE(skipped, nullptr);
    EXPECT_EQ((*skipped)["compiler"], "clang");
    EXPECT_EQ((*skipped)["reason"], "broken: it used /elsewhere/libomp.so instead of " +
                                        fs::canonical(folder_ / "build/lib/teff/libomp.so.5").string());
}

TEST_F(bench_command, the_library_of_another_runtime_does_not_pass_for_the_systems) {
    install_all();
    install_teff_openmp();
    const std::string folder = fs::canonical(folder_ / "build/lib/teff").string();
    environment_ = {{"LD_LIBRARY_PATH", folder}};
    EXPECT_EQ(run("--kind openmp tasks:3 --threads 2 --runs 1 --runtime libgomp").code, 1);
    EXPECT_EQ((*find(json()["skipped"], "libgomp"))["reason"],
              "broken: it used " + folder + "/libomp.so.5, which is not libgomp: unset LD_LIBRARY_PATH and LD_PRELOAD");
}

TEST_F(bench_command, constructs_are_compared_by_their_measure) {
    install_all();
    install_teff_openmp();
    const std::string page_file = folder_ / "page.html";
    const child_result result =
        run("--kind openmp tasks:3 ways --threads 1,2 --runs 2 --tracker list,tickets --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.output, "Nanoseconds of one construct"));
    EXPECT_TRUE(has(result.output, "0.500")) << result.output;
    const auto results = json();
    for (const auto& row : results["rows"]) {
        if (row["kernel"] == "ways" && row["runtime"] == "teff-omp") {
            EXPECT_EQ(row["tracker"].is_null(), row["variant"] == "first");
            EXPECT_EQ(row["cost_ns_median"], 0.5);
        }
    }
    EXPECT_TRUE(has(log(), "libgomp-gcc teff=demand,list, --kernel ways --variant second --size 1 --threads 2\n"));
    const std::string page = read(page_file);
    EXPECT_TRUE(has(page, "aria-label=\"cost, ns, 1 thread\""));
    EXPECT_TRUE(has(page, "aria-label=\"cost, ns, 2 threads\""));
    EXPECT_TRUE(has(page, "Teff's OpenMP runtime beside the others</h2>"));
    EXPECT_TRUE(has(page, "Teff's OpenMP runtime beside the others: constructs</h2>"));
    EXPECT_TRUE(has(page, "aria-label=\"time by runtime\""));
    EXPECT_EQ(page.find("http://"), std::string::npos);
}

TEST_F(bench_command, only_teff_gets_a_row_per_scheduler_and_reclaimer) {
    install_all();
    const std::string schedulers = "--scheduler demand,blaze --reclaimer epoch,hazard ";
    ASSERT_EQ(run("good --threads 2 --runs 1 --runtime teff,tbb " + schedulers).code, 0);
    const auto rows = json()["rows"];
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0]["scheduler"], "demand");
    EXPECT_EQ(rows[1]["scheduler"], "blaze");
    EXPECT_EQ(rows[1]["reclaimer"], "epoch");
    EXPECT_EQ(rows[2]["reclaimer"], "hazard");
    EXPECT_TRUE(rows[3]["scheduler"].is_null());
}

TEST_F(bench_command, a_run_over_the_limit_is_stopped_and_skipped) {
    install_all();
    const child_result result = run("hang --threads 2 --runs 2 --limit 3");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto results = json();
    const auto* skipped = find(results["skipped"], "libgomp");
    ASSERT_NE(skipped, nullptr);
    EXPECT_EQ((*skipped)["lower_bound_seconds"], 3);
    EXPECT_EQ((*skipped)["reason"], "over the limit of 3 s");
    EXPECT_EQ(find(results["rows"], "libgomp"), nullptr);
    EXPECT_NE(find(results["rows"], "tbb"), nullptr);
}

TEST_F(bench_command, a_slow_peer_keeps_one_run) {
    install_all();
    const child_result result = run("uneven --threads 2 --runs 4");
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ((*find(json()["rows"], "libgomp"))["runs"], 1);
    EXPECT_EQ((*find(json()["rows"], "tbb"))["runs"], 4);
    EXPECT_TRUE(has(result.errors, "keeps one run"));
}

TEST_F(bench_command, memory_that_is_not_there_is_a_skip) {
    install_all();
    EXPECT_EQ(run("memory --threads 2 --runs 1").code, 0);
    EXPECT_TRUE(has((*find(json()["skipped"], "libgomp"))["reason"], "out of memory"));
    // A run of that size is not even started.
    EXPECT_EQ(run("huge --threads 2 --runs 1").code, 0);
    EXPECT_TRUE(json()["rows"].empty());
    EXPECT_TRUE(has((*find(json()["skipped"], "teff"))["reason"], "refused: needs about 909.5 TiB"));
    EXPECT_EQ(log().find("--kernel huge --variant nowait --size quick --threads 2\n"), std::string::npos);
}

TEST_F(bench_command, a_wrong_answer_fails) {
    install_all();
    const child_result result = run("wrong --threads 2 --runs 2");
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(has((*find(json()["skipped"], "tbb"))["reason"], "wrong answer: 41 instead of 42"));
    EXPECT_TRUE(has(result.errors, "failed: a run gave a wrong answer"));
}

TEST_F(bench_command, a_broken_runner_fails) {
    install_all();
    EXPECT_EQ(run("crash --threads 2 --runs 1").code, 1);
    EXPECT_TRUE(has((*find(json()["skipped"], "libgomp"))["reason"], "ended by signal 11"));
    EXPECT_EQ(run("garbage --threads 2 --runs 1").code, 1);
    EXPECT_TRUE(has((*find(json()["skipped"], "libgomp"))["reason"], "its answer cannot be read (hello)"));
}

TEST_F(bench_command, bad_usage_is_told_before_anything_runs) {
    install_all();
    const std::vector<std::pair<std::string, std::string>> complaints = {
        {"god", "kernel 'god': there is no such kernel (did you mean 'good'?)"},
        {"good:abc", "teff bench: good:abc: the kernel refuses it (teff-bench: size 'abc' is no number); use "
                     "quick (1), paper (2), or another size of that form"},
        {"good --runs -3", "--runs '-3'"},
        {"good --threads 1,,2", "--threads '1,,2': a member of the list is missing at a comma; write the members"},
        {"good --runtime teff,", "--runtime 'teff,': a member of the list is missing at a comma"},
        {"good --runtime gomp", "--runtime 'gomp'"},
        {"good --sched demand", "unknown option '--sched' (did you mean '--scheduler'?)"},
        {"good --size big", "--size 'big'"},
        {"wrong --cutoff 3,5", "--cutoff 3,5: kernel wrong has no cut-off; name kernels that have one: good"},
        {"good --input /nonexistent", "--input '/nonexistent'"},
        {"wrong --input /dev/null", "kernel wrong reads no input file"},
        {"good --report /nonexistent/page.html", "--report '/nonexistent/page.html'"},
        {"good --timeline /nonexistent/folder", "--timeline '/nonexistent/folder': No such file or directory"},
        {"good --timeline /dev/null", "--timeline '/dev/null': "},
        {"--kind dataflow --graph /nonexistent/folder", "--graph '/nonexistent/folder': No such file or directory"},
        {"--kind dataflow --graph /dev/null", "--graph '/dev/null': "},
        {"good --graph graphs", "--graph 'graphs': kernels of kind reduce declare no accesses, so they have no task "
                                "graph; add --kind dataflow, or leave --graph out"},
        {"good --kind", "--kind"},
        {"good --kind flow", "--kind 'flow': there are no kernels of that kind; use reduce, fork_join, openmp, "
                             "dataflow, threads, mpi or micro"},
        {"good --tracker list", "--tracker 'list': kernels of kind reduce declare no accesses"},
        {"--kind dataflow --tracker ticket", "--tracker 'ticket': there is no such name (did you mean 'tickets'?)"},
        {"good --variant nowit", "--variant 'nowit': there is no such name (did you mean 'nowait'?)"},
        {"spin", "kernel 'spin': it is of kind micro; add --kind micro"},
        {"good --kind micro", "kernel 'good': it is of kind reduce; add --kind reduce"},
        {"good --kind openmp", "kernel 'good': it is of kind reduce; add --kind reduce"},
        {"tasks:3@x --kind openmp", "size '3@x': after the @ is no whole number from 0 up; write SIZE@CUTOFF"},
        {"--kind openmp --runtime tbb", "--kind openmp: none of the chosen runtimes has such a kernel"},
        {"wrong --kind fork_join", "kernel 'wrong': it is of kind reduce; add --kind reduce"},
        {"good --kind fork_join --variant nowait", "--variant 'nowait': there is no such name"},
        {"good --kind fork_join --cutoff 3", "kernel good has no cut-off; leave --cutoff out"},
        {"--runtime pthread", "--kind reduce: none of the chosen runtimes has such a kernel"},
    };
    for (const auto& [words, complaint] : complaints) {
        const child_result result = run(words);
        EXPECT_EQ(result.code, 2) << words;
        EXPECT_TRUE(has(result.errors, complaint)) << words;
        EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    }
    for (const std::string& line : split_list(log(), '\n'))
        EXPECT_TRUE(has(line, "--describe"));
    EXPECT_FALSE(fs::exists(json_file()));
}

TEST_F(bench_command, says_what_a_choice_of_compilers_leaves_out) {
    install_all();
    const child_result result = run("good --threads 1 --runs 1 --compiler clang");
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.output, "tbb: left out by --compiler; its runner is compiled by gcc"));
}

TEST_F(bench_command, without_runners_there_is_nothing_to_run) {
    const child_result result = run("good");
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(has(result.errors, "teff: not installed"));
    EXPECT_TRUE(has(result.errors, "nothing to run"));
}

TEST_F(bench_command, a_runner_that_does_not_start_is_missing) {
    install_all();
    std::ofstream(folder_ / "build/bin/teff-bench-tbb-gcc")
        << "#!/bin/sh\necho 'libtbb.so.12 is missing' >&2; exit 127\n";
    EXPECT_EQ(run("good --threads 2 --runs 1").code, 0);
    EXPECT_TRUE(has((*find(json()["skipped"], "tbb"))["reason"], "libtbb.so.12 is missing"));
}

TEST_F(bench_command, an_input_file_stands_for_the_size) {
    install_all();
    std::ofstream(folder_ / "some.input") << "1 2 3\n";
    const std::string file = folder_ / "some.input";
    ASSERT_EQ(run("good --threads 2 --runs 1 --runtime teff --cutoff 7 --input " + file).code, 0);
    EXPECT_EQ(json()["rows"][0]["size"], "some.input");
    EXPECT_TRUE(has(log(), "--kernel good --variant nowait --input " + file +
                               " --cutoff 7 --threads 2 --scheduler demand\n"));
}

TEST_F(bench_command, several_cutoffs_are_problems_of_their_own_and_one_plot) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    const child_result result = run("good --threads 2 --runs 2 --runtime serial,teff,tbb --cutoff 20,3 --report " +
                                    page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto rows = json()["rows"];
    // For each cut-off, two rows of serial, one of teff and one of tbb; the smaller cut-off is first.
    ASSERT_EQ(rows.size(), 2U * 4U);
    EXPECT_EQ(rows[0]["cutoff"], 3);
    EXPECT_EQ(rows[3]["cutoff"], 3);
    EXPECT_EQ(rows[4]["cutoff"], 20);
    EXPECT_EQ(rows[4]["size"], "quick");
    EXPECT_TRUE(has(log(), "--kernel good --variant nowait --size quick --cutoff 20 --threads 2 --scheduler demand\n"));
    EXPECT_TRUE(has(result.output, "median seconds by cut-off"));
    EXPECT_EQ(result.output.find("geometric mean"), std::string::npos);
    const std::string page = read(page_file);
    EXPECT_TRUE(has(page, "aria-label=\"Time by cut-off with 2 threads\""));
    EXPECT_TRUE(has(page, "good quick cut-off 20 nowait tbb gcc, 2 threads: 0.2 seconds"));
    EXPECT_EQ(page.find("aria-label=\"time by runtime\""), std::string::npos);
    EXPECT_EQ(page.find("All kernels"), std::string::npos);
}

TEST_F(bench_command, one_cutoff_is_shown_like_any_run) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    const child_result result = run("good --threads 2 --runs 1 --cutoff 3 --report " + page_file);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.output, "good    quick cut-off 3"));
    EXPECT_EQ(result.output.find("by cut-off"), std::string::npos);
    EXPECT_TRUE(has(read(page_file), "aria-label=\"time by runtime\""));
}

TEST_F(bench_command, a_kernel_of_two_kinds_has_the_variants_of_the_chosen_one) {
    install_all();
    const child_result result = run("--kind fork_join --threads 1,2 --runs 2");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto rows = json()["rows"];
    // One row of serial, and four runtimes with each number of threads; the other kernels are of other kinds.
    ASSERT_EQ(rows.size(), 1U + 4U * 2U);
    for (const auto& row : rows) {
        EXPECT_EQ(row["kind"], "fork_join");
        EXPECT_EQ(row["kernel"], "good");
        EXPECT_EQ(row["variant"], row["runtime"] == "serial" ? "recursive" : "wait");
    }
    EXPECT_TRUE(has(log(), "--kernel good --variant wait --size quick --threads 2 --scheduler demand\n"));
    EXPECT_TRUE(has(result.output, "teff beside the best peer"));
    ASSERT_EQ(run("good --threads 2 --runs 1").code, 0);
    const auto others = json();
    for (const auto& row : others["rows"])
        EXPECT_NE(row["variant"], "wait");
}

TEST_F(bench_command, a_micro_benchmark_has_a_row_per_size) {
    install_all();
    const child_result result = run("--kind micro spin --threads 2 --runs 2");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto results = json();
    // Two sizes; for each, two rows of serial, and four runtimes.
    EXPECT_EQ(results["rows"].size(), 2U * (2U + 4U));
    EXPECT_EQ(results["rows"][0]["size"], "1x5");
    EXPECT_EQ(results["rows"][6]["size"], "10x5");
    EXPECT_EQ(results["machine"]["delay_iterations_per_microsecond"], 3000);
    const auto* teff = find(results["rows"], "teff");
    ASSERT_NE(teff, nullptr);
    EXPECT_EQ((*teff)["kind"], "micro");
    EXPECT_EQ((*teff)["delay_ns"], 1);
    EXPECT_EQ((*teff)["cost_ns"], (std::vector<double>{2.5, 2.5}));
    EXPECT_TRUE(has(log(), "--kernel spin --variant nowait --size 10x5 --threads 2 --scheduler demand --pace 3000\n"));
    EXPECT_TRUE(has(result.output, "cost ns"));
    EXPECT_EQ(run("--kind micro spin:3x4,5x6 --runs 1 --runtime teff").code, 0);
    EXPECT_EQ(json()["rows"][0]["delay_ns"], 3);
    EXPECT_EQ(json()["rows"][1]["size"], "5x6");
}

TEST_F(bench_command, kernels_on_threads_of_their_own_have_no_scheduler) {
    install_all();
    const child_result result = run("--kind micro lock --threads 1,2 --runs 1 --scheduler all");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto rows = json()["rows"];
    // Two variants with two numbers of threads, on the system's threads and on Teff's.
    ASSERT_EQ(rows.size(), 2U * 2U * 2U);
    EXPECT_EQ(find(rows, "serial"), nullptr);
    ASSERT_NE(find(rows, "pthread"), nullptr);
    EXPECT_TRUE((*find(rows, "teff"))["scheduler"].is_null());
    // The variants are separate problems, and the rows of one problem are adjacent.
    EXPECT_EQ(rows[0]["variant"], rows[3]["variant"]);
    EXPECT_NE(rows[0]["variant"], rows[4]["variant"]);
}

TEST_F(bench_command, kind_threads_has_serial_rows_and_those_of_the_systems_threads) {
    install_all();
    install("boost-fiber-gcc");
    const child_result result = run("--kind threads --threads 2 --runs 2 --scheduler fifo,demand --compiler gcc");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto rows = json()["rows"];
    // Two sizes of each kernel. good: serial, pthread, two schedulers, libgomp, oneTBB, Boost; hand: pthread, two
    // schedulers, Boost.
    EXPECT_EQ(rows.size(), 2U * (7U + 4U));
    ASSERT_NE(find(rows, "serial"), nullptr);
    EXPECT_EQ((*find(rows, "serial"))["variant"], "recursive");
    EXPECT_EQ((*find(rows, "pthread"))["variant"], "threads");
    EXPECT_EQ((*find(rows, "boost-fiber"))["kind"], "threads");
    for (const auto& row : rows)
        EXPECT_TRUE(row["kernel"] == "good" || row["runtime"] != "serial") << row;
    // The kernel has the name of another one, so the runner has to be told the kind.
    EXPECT_TRUE(has(log(), "teff-gcc library= omp=2,false,false, blas=1 --kernel good --variant threads --kind threads "
                           "--size 8 --threads 2 --scheduler fifo\n"))
        << log();
    // Teff takes half of the time of each.
    EXPECT_TRUE(has(result.output, "/pthread")) << result.output;
    EXPECT_TRUE(has(result.output, "/boost-fiber"));
    EXPECT_FALSE(has(result.output, "teff beside the best peer"));
    // In another kind Boost's fibers have to be named.
    ASSERT_EQ(run("good --threads 2 --runs 1").code, 0);
    EXPECT_EQ(find(json()["rows"], "boost-fiber"), nullptr);
}

TEST_F(bench_command, a_dataflow_program_has_a_row_per_tracker) {
    install_all();
    const child_result result = run("--kind dataflow flow --threads 2 --runs 1 --tracker all --compiler gcc");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto rows = json()["rows"];
    // Two sizes; for each serial, libgomp, tbb, and six trackers.
    EXPECT_EQ(rows.size(), 2U * (3U + 6U));
    const auto* const teff = find(rows, "teff");
    ASSERT_NE(teff, nullptr);
    EXPECT_EQ((*teff)["kind"], "dataflow");
    EXPECT_EQ((*teff)["tracker"], "tickets");
    EXPECT_TRUE((*find(rows, "tbb"))["tracker"].is_null());
    EXPECT_TRUE(has(log(), "--scheduler demand --tracker embedded_graph\n"));
    EXPECT_TRUE(has(result.output, "demand/hypergraph"));
    // Of the version without threads, though that has no recursion.
    EXPECT_TRUE(has(result.output, "0.250"));
    EXPECT_EQ(run("--kind dataflow flow --runs 1 --runtime teff").code, 0);
    EXPECT_EQ(json()["rows"].size(), 2U);
}

TEST_F(bench_command, the_report_of_micro_benchmarks_has_their_plots) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    ASSERT_EQ(run("--kind micro --runs 2 --report " + page_file).code, 0);
    const std::string page = read(page_file);
    EXPECT_TRUE(has(page, "aria-label=\"Lines\""));
    EXPECT_TRUE(has(page, "aria-label=\"Boxes\""));
    EXPECT_TRUE(has(page, "delay loop / us"));
    EXPECT_EQ(page.find("speed-up over threads"), std::string::npos);
}

TEST_F(bench_command, the_report_is_one_page_without_outside_parts) {
    install_all();
    const std::string page_file = folder_ / "page.html";
    ASSERT_EQ(run("good uneven --threads 1,2 --runs 2 --report " + page_file).code, 0);
    const std::string page = read(page_file);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(has(page, "aria-label=\"time by runtime\""));
    EXPECT_TRUE(has(page, "aria-label=\"speed-up over threads\""));
    EXPECT_TRUE(has(page, "nanoseconds per task"));
    for (const char* outside : {"<script ", "<link", "<img", "http://", "https://", "url("})
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

}  // namespace
}  // namespace teff::cli
