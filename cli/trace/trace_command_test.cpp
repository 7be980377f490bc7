// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff trace` as a whole: the built command runs programs, and what they have written is checked against the
// description of the Trace Event format: which members an event of each phase must have, and of which type.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cli/bench/child_process.hpp>
#include <cli/report/trace/trace_file.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

using trace_words = std::vector<std::string>;

// The first event that breaks the format; empty: none does.
std::string broken_event(const nlohmann::json& file) {
    std::map<std::pair<long, std::string>, int> open;
    for (const nlohmann::json& event : file.at("traceEvents")) {
        const std::string phase = event.value("ph", "");
        const bool is_named = event.contains("name") && event["name"].is_string() && event.contains("pid") &&
                              event["pid"].is_number_integer();
        const bool has_time = event.contains("ts") && event["ts"].is_number() && event["ts"].get<double>() >= 0;
        const bool has_thread = event.contains("tid") && event["tid"].is_number_integer();
        bool is_right = is_named && has_thread;
        if (phase == "X") {
            is_right = is_right && has_time && event.contains("dur") && event["dur"].is_number() &&
                       event["dur"].get<double>() >= 0 && event.contains("cat") && event["cat"].is_string();
        } else if (phase == "i") {
            is_right = is_right && has_time && event.value("s", "") == "t";
        } else if (phase == "C") {
            is_right = is_right && has_time && event.at("args").is_object() && !event["args"].empty();
            for (const auto& [key, value] : event["args"].items())
                is_right = is_right && value.is_number();
        } else if (phase == "M") {
            const std::string name = event.value("name", "");
            is_right = is_right && event.contains("args") &&
                       (name == "thread_sort_index" ? event["args"].at("sort_index").is_number_integer()
                                                    : (name == "process_name" || name == "thread_name") &&
                                                          event["args"].at("name").is_string());
        } else if (phase == "b" || phase == "e") {
            is_right = is_right && has_time && event.contains("id") && event.contains("cat");
            if (is_right)
                open[{event["id"].get<long>(), event["cat"].get<std::string>()}] += phase == "b" ? 1 : -1;
        } else {
            is_right = false;
        }
        if (!is_right)
            return event.dump();
    }
    for (const auto& [key, count] : open)
        if (count != 0)
            return "a begin or an end alone: " + std::to_string(key.first);
    return {};
}

class trace_command : public test_in_folder {
protected:
    static child_result trace(const trace_words& arguments) {
        child_request request;
        request.program = TEFF_COMMAND;
        request.arguments = {"trace"};
        request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
        request.removed_prefixes = {"TEFF_", "OMP_", "LD_"};
        request.limit_seconds = 60;
        return run_child(request);
    }
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string text(const std::string& name) const {
        std::ifstream stream(folder_ / name);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }
};

TEST_F(trace_command, the_record_keeps_the_format_and_has_the_tasks) {
    const child_result result = trace({"-o", file("a"), "--threads", "3", "--", TEFF_SAMPLE_TASKS});
    ASSERT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.output, "done\n");
    const auto record = nlohmann::json::parse(text("a"));
    EXPECT_EQ(broken_event(record), "");
    EXPECT_EQ(record["displayTimeUnit"], "ms");
    EXPECT_EQ(record["otherData"]["threads"], 3);
    EXPECT_EQ(record["otherData"]["dropped_events"], 0);
    EXPECT_EQ(record["otherData"]["program"], fs::path(TEFF_SAMPLE_TASKS).filename().string());
    const recorded_trace seen = read_trace(text("a"));
    std::size_t tasks = 0, labels = 0;
    for (const recorded_trace::thread& thread : seen.threads)
        for (const recorded_trace::slice& each : thread.slices) {
            const std::string& name = seen.names[each.name];
            EXPECT_TRUE(!seen.is(each, "task") || name.ends_with("sample_task")) << name;
            tasks += seen.is(each, "task") ? 1 : 0;
            labels += seen.is(each, "label") ? 1 : 0;
            EXPECT_LE(each.end_us, seen.span_us + 0.001);
            EXPECT_GE(each.own_us, -0.01) << name;
        }
    EXPECT_EQ(tasks, 20U);
    EXPECT_EQ(labels, 21U);
    EXPECT_NE(std::find(seen.names.begin(), seen.names.end(), "a \"quoted\" label"), seen.names.end());
    // And the summary.
    for (const char* part : {"Threads that run tasks, over time:", "running", "asleep, no work", "own time", "steals",
                             "Longest runs of tasks", "teff trace: the record is in '"})
        EXPECT_TRUE(has(result.errors, part));
}

TEST_F(trace_command, a_page_or_a_summary_alone_leave_no_record) {
    const child_result page = trace({"--html", file("page.html"), "--", TEFF_SAMPLE_TASKS});
    EXPECT_EQ(page.code, 0) << page.errors;
    EXPECT_FALSE(fs::exists("trace.json"));
    const std::string html = text("page.html");
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
    for (const char* part : {"<canvas", "inside a task", "a \\\"quoted\\\" label", "prefers-color-scheme: dark"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
    // It loads nothing from elsewhere.
    for (const char* part : {"src=", "href=", "url(", "@import", "fetch("})
        EXPECT_EQ(html.find(part), std::string::npos) << part;
    const child_result summary = trace({"--summary", TEFF_SAMPLE_TASKS});
    EXPECT_EQ(summary.code, 0) << summary.errors;
    EXPECT_TRUE(has(summary.errors, "Trace of "));
    EXPECT_FALSE(fs::exists("trace.json"));
}

TEST_F(trace_command, dropped_events_are_told) {
    const child_result result = trace({"-o", file("a"), "--events", "5", "--", TEFF_SAMPLE_TASKS});
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto record = nlohmann::json::parse(text("a"));
    EXPECT_EQ(broken_event(record), "");
    EXPECT_EQ(record["otherData"]["events"], 5);
    EXPECT_GT(record["otherData"]["dropped_events"].get<long>(), 30);
    EXPECT_TRUE(has(result.errors, " events were dropped and 5 kept: --events asks for room\n"));
}

TEST_F(trace_command, a_record_can_be_read_again) {
    EXPECT_EQ(trace({"-o", file("a"), "--", TEFF_SAMPLE_TASKS}).code, 0);
    const child_result read = trace({"--read", file("a"), "--html", file("b.html")});
    EXPECT_EQ(read.code, 0) << read.errors;
    EXPECT_TRUE(has(read.output, "Trace of "));
    EXPECT_TRUE(has(text("b.html"), "inside a task"));
    std::ofstream(folder_ / "bad") << "{}";
    std::ofstream(folder_ / "cut") << text("a").substr(0, text("a").size() / 2);
    for (const char* name : {"bad", "cut"}) {
        const child_result bad = trace({"--read", file(name)});
        EXPECT_EQ(bad.code, 125);
        EXPECT_TRUE(has(bad.errors, "it is no trace of Teff, or not all of it\n"));
    }
}

TEST_F(trace_command, the_exit_status_is_that_of_the_program_or_tells_why_not) {
    EXPECT_EQ(trace({"--summary", "--", TEFF_SAMPLE_TASKS, "exit", "77"}).code, 77);
    const child_result crashed = trace({"--summary", "--", TEFF_SAMPLE_TASKS, "crash"});
    EXPECT_EQ(crashed.code, 128 + SIGKILL);
    EXPECT_TRUE(has(crashed.errors, "teff trace: there is no record: the program has not used Teff, or has not "
                                    "ended by exit()"));
    EXPECT_EQ(trace({"--summary", "--", "sh", "-c", "exit 3"}).code, 3);
    EXPECT_EQ(trace({"--summary", "--", "true"}).code, 125);
    const auto refused = [&](const trace_words& arguments, int status, const std::string& reason) {
        const child_result result = trace(arguments);
        EXPECT_EQ(result.code, status);
        EXPECT_EQ(result.output, "");
        EXPECT_TRUE(has(result.errors, reason));
        EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
    };
    refused({}, 125, "teff trace: no program is given");
    refused({"--summary", "-o", file("a"), "true"}, 125, "--summary and -o are given");
    refused({"--read", file("a"), "true"}, 125, "--read and a program are given");
    refused({"--read", file("none")}, 125, "none' cannot be read: No such file");
    refused({"-o", "/nonexistent/a", TEFF_SAMPLE_TASKS}, 125, "-o: '/nonexistent/a' cannot be written: No such file");
    refused({"--html", folder_, TEFF_SAMPLE_TASKS}, 125, "--html: '" + folder_.string() + "' cannot be written: ");
    refused({"--events", "many", "true"}, 125, "--trace-events: 'many' is not a whole number");
    refused({"--thread", "2", "true"}, 125, "unknown option '--thread' (did you mean '--threads'?)");
    refused({"no-program-has-this-name"}, 127, "is not found in the folders of PATH");
    std::ofstream(folder_ / "lost") << "#!/nonexistent/sh\n";
    fs::permissions(folder_ / "lost", fs::perms::owner_all);
    refused({"--summary", file("lost")}, 126, "its interpreter '/nonexistent/sh' does not exist");
}

// As at a terminal: the command and the program are in one process group, which gets the signal.
TEST_F(trace_command, after_ctrl_c_the_record_is_there) {
    int output[2];
    ASSERT_EQ(::pipe(output), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setpgid(0, 0);
        ::dup2(output[1], STDOUT_FILENO);
        ::close(output[0]);
        ::close(output[1]);
        (void)!std::freopen((folder_ / "said").c_str(), "w", stderr);
        ::execl(TEFF_COMMAND, "teff", "trace", "-o", file("a").c_str(), "--", TEFF_SAMPLE_TASKS, "wait", nullptr);
        ::_exit(1);
    }
    ::close(output[1]);
    // The program is there when it has written its line.
    char line[5];
    for (ssize_t got = 0, count = 0; got < 5; got += count)
        ASSERT_GT(count = ::read(output[0], line + got, sizeof line - static_cast<std::size_t>(got)), 0);
    ::kill(-child, SIGINT);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ::close(output[0]);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT) << status;
    EXPECT_EQ(broken_event(nlohmann::json::parse(text("a"))), "");
    EXPECT_TRUE(has(text("said"), "Trace of "));
}

#if defined(TEFF_SAMPLE_OPENMP)
TEST_F(trace_command, a_program_of_openmp_has_its_regions) {
    const child_result result = trace({"-o", file("a"), "--threads", "3", "--", TEFF_SAMPLE_OPENMP});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.output, "3 threads\n");
    const recorded_trace seen = read_trace(text("a"));
    EXPECT_EQ(broken_event(nlohmann::json::parse(text("a"))), "");
    std::size_t regions = 0;
    for (const recorded_trace::thread& thread : seen.threads)
        for (const recorded_trace::slice& each : thread.slices)
            if (seen.is(each, "region")) {
                ++regions;
                EXPECT_TRUE(has(seen.names[each.name], "main"));
            }
    EXPECT_EQ(regions, 3U);
    EXPECT_EQ(seen.threads.size(), 3U);
}
#endif

}  // namespace
}  // namespace teff::cli
