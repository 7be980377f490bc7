// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of where the output of `teff bench` goes: terminals of some width, files and streams that take nothing, and an
// interruption in the middle. The runners are fakes (bench_fixture.hpp).
#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cli/bench/bench_fixture.hpp>
#include <cli/test_support.hpp>
#include <cli/text.hpp>

namespace teff::cli {
namespace {

class bench_output : public bench_command {
protected:
    void SetUp() override {
        bench_command::SetUp();
        install_all();
    }

    // Under qemu's user mode there are none.
    static bool has_terminals() {
        int terminal = -1, other = -1;
        if (::openpty(&terminal, &other, nullptr, nullptr, nullptr) != 0)
            return false;
        ::close(terminal);
        ::close(other);
        return true;
    }

    // What `teff bench` writes on a terminal of that width, as lines; standard error comes first, if it is to be there,
    // too.
    std::vector<std::string> on_terminal(unsigned short columns, const std::string& words, bool with_errors = false) {
        int terminal = -1;
        winsize size{};
        size.ws_col = columns;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
        EXPECT_GE(child, 0);
        if (child == 0) {
            std::string line = command() + " bench " + words + (with_errors ? "" : " 2>/dev/null");
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(1);
        }
        std::string text;
        std::array<char, 4096> buffer;
        // The end of the terminal is an error of the read.
        for (ssize_t count = 0; (count = ::read(terminal, buffer.data(), buffer.size())) > 0;)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        ::close(terminal);
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << text;
        std::erase(text, '\r');
        return split_list(text, '\n');
    }
};

std::size_t longest_of_table(const std::vector<std::string>& lines) {
    // Tables begin with a rule below their titles; sentences may be of any length.
    std::size_t longest = 0;
    for (const std::string& line : lines)
        if (line.starts_with("---"))
            longest = std::max(longest, line.size());
    return longest;
}

bool has_line_with(const std::vector<std::string>& lines, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

TEST_F(bench_output, tables_fit_the_terminal) {
    if (!has_terminals())
        GTEST_SKIP() << "no terminal can be opened here";
    const std::string words = "good uneven --threads 1,2 --runs 2";
    const auto narrow = on_terminal(80, words);
    EXPECT_LE(longest_of_table(narrow), 80U);
    EXPECT_TRUE(has_line_with(narrow, "not shown: size (quick), "));
    EXPECT_TRUE(has_line_with(narrow, "--wide shows all columns"));
    EXPECT_TRUE(has_line_with(narrow, "median s"));
    EXPECT_FALSE(has_line_with(narrow, "max s  runs"));
    const auto all = on_terminal(80, words + " --wide");
    EXPECT_GT(longest_of_table(all), 80U);
    EXPECT_TRUE(has_line_with(all, "max s  runs"));
    EXPECT_FALSE(has_line_with(all, "not shown"));
    EXPECT_FALSE(has_line_with(on_terminal(200, words), "not shown"));
    // Without a terminal there is nothing to fit.
    EXPECT_TRUE(has(run(words).output, "max s  runs"));
}

TEST_F(bench_output, a_terminal_shows_the_time_that_is_left) {
    if (!has_terminals())
        GTEST_SKIP() << "no terminal can be opened here";
    const auto lines = on_terminal(60, "good --threads 2 --runs 2 --runtime teff,tbb", true);
    ASSERT_FALSE(lines.empty());
    EXPECT_TRUE(has(lines[0], "[1/4] round 1/2: good quick nowait teff gcc demand"));
    EXPECT_TRUE(has(lines[0], "[2/4] round 1/2, about "));
    EXPECT_TRUE(has(lines[0], " s left: good quick"));
    EXPECT_TRUE(has(lines[0], "warming up: good quick"));
    // Each text is shorter than the terminal is wide, so that it can be erased.
    std::string rest = lines[0];
    for (std::size_t end = 0; (end = rest.find("\x1b[K")) != std::string::npos; rest = rest.substr(end + 3))
        EXPECT_LT(end, 60U) << rest;
    const child_result result = run("good --threads 2 --runs 2 --runtime teff,tbb");
    EXPECT_FALSE(has(result.errors, "left"));
    EXPECT_FALSE(has(result.errors, "warming"));
    EXPECT_FALSE(has(result.errors, "\x1b"));
}

TEST_F(bench_output, output_that_cannot_be_written_is_found_before_anything_runs) {
    for (const std::string redirection : {">/dev/full", ">&-"}) {
        const child_result result = run_in_shell("good --threads 2 --runs 1", redirection);
        EXPECT_EQ(result.code, 2) << redirection;
        EXPECT_TRUE(has(result.errors, "teff bench: standard output cannot be written: "));
        EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    }
    for (const std::string option : {"--json", "--report"}) {
        const child_result result = start(command(), {"bench", "good", "--threads", "2", option, "/dev/full"});
        EXPECT_EQ(result.code, 2);
        EXPECT_TRUE(has(result.errors, option + " '/dev/full': No space left on device; make room, or name another "
                                                "file"))
            << option;
    }
    EXPECT_FALSE(has(log(), "--kernel good --variant nowait --size quick --threads 2\n"));
}

TEST_F(bench_output, two_results_in_one_file_are_refused) {
    const child_result result = run("good --report " + folder_.string() + "/./out.json");
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(has(result.errors, "--json names the same file"));
}

TEST_F(bench_output, a_reader_that_leaves_does_not_lose_the_files) {
    // The pipe has no reader when the tables come.
    const child_result result =
        start("/bin/sh", {"-c", "{ " + command() + " bench good --threads 2 --runs 1 --json " + json_file() +
                                    "; echo status $? >&2; } | true"});
    EXPECT_TRUE(has(result.errors, "standard output cannot be written, so results are missing there: Broken pipe"));
    EXPECT_TRUE(has(result.errors, "status 1\n"));
    EXPECT_NE(find(json()["rows"], "teff"), nullptr);
}

TEST_F(bench_output, a_closed_error_stream_does_not_matter) {
    for (const std::string redirection : {"2>&-", "2>/dev/full", "<&-"}) {
        EXPECT_EQ(run_in_shell("good --threads 2 --runs 1", redirection).code, 0) << redirection;
        EXPECT_EQ(run_in_shell("god", redirection).code, 2) << redirection;
    }
}

TEST_F(bench_output, a_name_of_the_greatest_length_can_be_written) {
    // Nothing fits beside such a file, so it is not replaced but written.
    const std::string file = folder_ / (std::string(250, 'n') + ".json");
    EXPECT_EQ(start(command(), {"bench", "good", "--threads", "2", "--runs", "1", "--json", file}).code, 0);
    EXPECT_TRUE(has(read(file), "\"rows\""));
}

TEST_F(bench_output, an_interruption_leaves_what_has_been_measured) {
    const std::string page = folder_ / "page.html";
    const child_result result = run("stop --threads 2 --runs 5 --report " + page);
    EXPECT_EQ(result.ending, child_ending::signalled);
    EXPECT_EQ(result.code, SIGINT);
    const auto results = json();
    EXPECT_EQ(results["partial"], true);
    // The second round was in reverse order.
    EXPECT_EQ((*find(results["rows"], "tbb"))["runs"], 2);
    EXPECT_EQ((*find(results["rows"], "libgomp"))["runs"], 1);
    EXPECT_EQ((*find(results["rows"], "teff"))["runs"], 1);
    EXPECT_EQ(find(results["skipped"], "libgomp"), nullptr);
    EXPECT_FALSE(results["machine"]["compilers"].is_null());
    EXPECT_TRUE(has(result.output, "teff beside the best peer"));
    EXPECT_TRUE(has(result.errors, "interrupted: the results are partial; 6 of 6 configurations have runs"));
    EXPECT_TRUE(has(read(page), "interrupted"));
    ASSERT_EQ(run("good --threads 2 --runs 1 --report " + page).code, 0);
    EXPECT_EQ(json()["partial"], false);
    EXPECT_FALSE(has(read(page), "interrupted"));
}

TEST_F(bench_output, an_interruption_of_the_first_runs_leaves_no_rows) {
    // The discarded run is the first of libgomp here.
    const child_result result = run("stop --threads 1,2 --runs 2 --runtime libgomp");
    EXPECT_EQ(result.ending, child_ending::signalled);
    EXPECT_EQ(json()["partial"], true);
    EXPECT_TRUE(json()["rows"].empty());
    EXPECT_TRUE(has(result.errors, "0 of 2 configurations have runs"));
}

TEST_F(bench_output, an_interruption_of_a_record_leaves_the_results) {
    const child_result result = run("stop --threads 2 --runs 1 --timeline " + (folder_ / "lines").string());
    EXPECT_EQ(result.code, SIGINT);
    EXPECT_EQ(json()["partial"], true);
    const auto rows = json()["rows"];
    ASSERT_NE(find(rows, "teff"), nullptr);
    EXPECT_EQ((*find(rows, "teff"))["runs"], 1);
    EXPECT_FALSE(find(rows, "teff")->contains("timeline"));
    EXPECT_TRUE(has(result.output, "teff beside the best peer"));
}

}  // namespace
}  // namespace teff::cli
