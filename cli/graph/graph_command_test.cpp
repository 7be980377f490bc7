// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `teff graph`: the built command on what the library has written of a program, and on files that are none.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <teff/dataflow.hpp>
#include <teff/dataflow_graph.hpp>
#include <teff/fork_join.hpp>

#include <cli/report/graph/task_graph.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

// A wavefront of tasks, each of which has tasks of its own.
void run_program() {
    constexpr std::size_t size = 5;
    std::vector<object<int>> cells(size * size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < size; ++k) {
            object<int>& here = cells[i * size + k];
            object<int>& above = cells[i == 0 ? (size - 1) * size + k : (i - 1) * size + k];
            spawn([&here](const int&, int&) {
                name_task("cell");
                for (int part = 0; part < 3; ++part)
                    spawn([](int& value) {
                        name_task("part");
                        ++value;
                    }, commutative(here));
            }, in(above), inout(here));
        }
    }
    sync();
}

class graph_command : public test_in_folder {
protected:
    [[nodiscard]] std::string name(const std::string& file) const { return folder_ / file; }
    [[nodiscard]] std::string text(const std::string& file) const {
        std::ifstream stream(name(file));
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }

    // In a process of its own, whose exit writes the file.
    void record(const std::string& file, const char* tracker, unsigned threads) const {
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv("TEFF_DATAFLOW_GRAPH", name(file).c_str(), 1);
            execute({.threads = threads, .tracker = tracker}, run_program);
            std::exit(0);
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        ASSERT_EQ(status, 0);
    }

    // Its exit status; the output is in `output` and `errors`.
    [[nodiscard]] int run(const std::string& arguments) const {
        const std::string command =
            std::string(TEFF_COMMAND) + " graph " + arguments + " > " + name("output") + " 2> " + name("errors");
        return WEXITSTATUS(std::system(command.c_str()));
    }
};

TEST_F(graph_command, shows_what_a_program_did) {
    record("graph.json", "list", 2);
    ASSERT_EQ(run(name("graph.json") + " --svg " + name("graph.svg")), 0) << text("errors");
    EXPECT_TRUE(has(text("output"), "100 tasks, work "));
    EXPECT_TRUE(has(text("output"), "\ncell "));
    EXPECT_TRUE(has(text("output"), "\npart "));
    EXPECT_TRUE(has(text("graph.svg"), ">graph.json</text>"));
    EXPECT_TRUE(has(text("graph.svg"), "<title>part: task "));
    EXPECT_EQ(text("errors"), "");
}

// The file says what ran when, so it can be compared with what it says of the order.
TEST_F(graph_command, tasks_ran_in_the_order_that_the_graph_says) {
    for (const char* tracker : {"tickets", "list", "hypergraph", "graph"}) {
        record("graph.json", tracker, 4);
        const task_graph seen = read_task_graph(text("graph.json"));
        ASSERT_EQ(seen.tasks.size(), 100U);
        std::size_t pairs = 0;
        for (const task_graph::dependence& each : seen.dependences)
            for (const std::size_t from : each.from)
                for (const std::size_t to : each.to) {
                    ++pairs;
                    EXPECT_LT(from, to);
                    EXPECT_LE(seen.tasks[from].end_us, seen.tasks[to].begin_us) << from << ' ' << to;
                    EXPECT_LT(seen.tasks[from].depth, seen.tasks[to].depth);
                }
        EXPECT_GE(pairs, 20U);
        double work_us = 0, critical_us = 0;
        for (const task_graph::task& each : seen.tasks) {
            EXPECT_EQ(each.outcome, "ended");
            EXPECT_LE(each.own_us, each.end_us - each.begin_us + 1e-6);
            work_us += each.own_us;
            critical_us += each.critical_us;
            if (each.parent == no_index)
                continue;
            EXPECT_LE(seen.tasks[each.parent].begin_us, each.begin_us);
            EXPECT_GE(seen.tasks[each.parent].end_us, each.end_us);
        }
        EXPECT_NEAR(seen.work_us, work_us, 1e-3);
        EXPECT_NEAR(seen.span_us, critical_us, 1e-3);
        EXPECT_LE(seen.span_us, seen.work_us);
    }
}

TEST_F(graph_command, tells_what_is_wrong_with_a_file) {
    EXPECT_EQ(run(""), 2);
    EXPECT_TRUE(has(text("errors"), "teff graph: no file: "));
    EXPECT_EQ(run(name("missing.json")), 2);
    EXPECT_TRUE(has(text("errors"), "missing.json' cannot be read: No such file or directory; name a file that"));
    std::ofstream(name("other.json")) << "{}";
    EXPECT_EQ(run(name("other.json")), 2);
    EXPECT_TRUE(has(text("errors"), "other.json' cannot be shown: it is no task graph of Teff ("));
    EXPECT_EQ(run(name("other.json") + " --svgg x"), 2);
    EXPECT_TRUE(has(text("errors"), "did you mean '--svg'?"));
}

TEST_F(graph_command, a_picture_that_cannot_be_written_is_told) {
    record("graph.json", "tickets", 1);
    EXPECT_EQ(run(name("graph.json") + " --svg /nonexistent/x.svg"), 1);
    EXPECT_TRUE(has(text("errors"), "/nonexistent/x.svg"));
}

}  // namespace
}  // namespace teff::cli
