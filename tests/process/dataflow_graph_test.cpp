// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of the task graph: what it says of programs, when its file is written and by which process, and what is
// said if it cannot be.
#include <tests/child_process.hpp>

#include <teff/dataflow.hpp>
#include <teff/dataflow/function_names.hpp>
#include <teff/dataflow_graph.hpp>
#include <teff/depend/names.hpp>
#include <teff/fork_join.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace teff::testing {
namespace {

// A name in a folder of the test's own, and the option in the environment of the test and its children.
class graph_file {
public:
    explicit graph_file(std::string_view ending = "json") {
        std::string pattern = ::testing::TempDir() + "dataflow_graph_XXXXXX";
        EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        name_ = folder_ + "/graph." + std::string(ending);
        ::setenv("TEFF_DATAFLOW_GRAPH", name_.c_str(), 1);
    }
    ~graph_file() {
        ::unsetenv("TEFF_DATAFLOW_GRAPH");
        std::filesystem::remove_all(folder_);
    }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] std::string text() const {
        std::ifstream stream(name());
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }

private:
    std::string folder_, name_;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool is_complete(const std::string& text) {
    return text.starts_with("{\"teff_dataflow_graph\":1,\n") && text.ends_with("]}\n");
}

// The line of a task; empty if there is none.
std::string task_line(const std::string& text, unsigned task) {
    const std::size_t begin = text.find("\n{\"task\":" + std::to_string(task) + ",");
    return begin == std::string::npos ? "" : text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
}

std::size_t task_count(const std::string& text) {
    std::size_t count = 0;
    for (std::size_t place = text.find("\n{\"task\":"); place != std::string::npos;
         place = text.find("\n{\"task\":", place + 1))
        ++count;
    return count;
}

// The part of the text without what differs from run to run.
std::string without_times(std::string text) {
    text.erase(0, text.find("\"tasks\":["));
    text.erase(text.find("\"critical_path\""));
    return std::regex_replace(text, std::regex(",\"(thread|begin_ns|end_ns|own_ns|critical_ns)\":-?[0-9]+"), "");
}

void set(int& to, int value) { to = value; }

// Runs f with the options, and ends as a program does.
template <class F>
void run_and_exit(const options& how, F&& f) {
    execute(how, f);
    std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
}

// All kinds of accesses, renaming, and tasks inside a task.
void make_a_graph() {
    object<int> a(1), b(2), sum(0);
    int plain = 0;
    spawn([](int& to) { to = 3; }, out(a));
    spawn([](const int& from, int& to) { to += from; }, in(a), inout(b));
    for (int i = 0; i != 3; ++i)
        spawn([](const int& from, int& to) { to += from; }, in(a), reduction(sum));
    spawn([](int& to) { to = 5; }, out(a));
    spawn([&b](int value, int&) {
        // Its own tasks write a local object, and one that it was given.
        object<int> local(0);
        spawn(&set, out(local), value);
        spawn([](const int& x, int& y) { y += x; }, in(local), inout(b));
    }, 7, inout(b));
    for (int i = 0; i != 2; ++i)
        spawn([](int& to) { ++to; }, commutative(b));
    sync();
    spawn([](int* to) { *to = 1; }, out(&plain));
    spawn([](const int* from, int& to) { to += *from; }, in(&plain), inout(sum));
    EXPECT_EQ(sum.value(), 10);
    EXPECT_EQ(b.value(), 14);
}

TEST(dataflow_graph, is_the_same_on_any_tracker_and_number_of_threads) {
    std::string first;
    for (const auto& tracker : tracker_names) {
        for (const unsigned threads : {1U, 3U}) {
            const graph_file file;
            expect_quiet(run_in_child([&] {
                run_and_exit({.threads = threads, .tracker = tracker.name}, make_a_graph);
            }));
            ASSERT_TRUE(is_complete(file.text())) << file.text();
            const std::string seen = without_times(file.text());
            if (first.empty())
                first = seen;
            EXPECT_EQ(seen, first) << tracker.name << ' ' << threads;
        }
    }
    EXPECT_EQ(task_count("\n" + first), 13U) << first;
    // Renaming: the first three readers use version 0, and nothing waits for them.
    EXPECT_TRUE(has(task_line(first, 1), R"("accesses":[{"object":0,"kind":"out","version":0,"generation":0}])"));
    EXPECT_TRUE(has(task_line(first, 3), R"({"object":0,"kind":"in","version":0,"generation":1})"));
    EXPECT_TRUE(has(task_line(first, 6), R"("accesses":[{"object":0,"kind":"out","version":1,"generation":0}])"));
    EXPECT_TRUE(has(first, R"({"object":0,"from":[1],"to":[2,3,4,5]})")) << first;
    // Tasks of a task, in program order.
    EXPECT_TRUE(has(task_line(first, 7), "\"parent\":0,")) << first;
    EXPECT_TRUE(has(task_line(first, 8), "\"parent\":7,"));
    EXPECT_TRUE(has(task_line(first, 9), "\"parent\":7,"));
    EXPECT_TRUE(has(first, R"("from":[8],"to":[9]})"));
    EXPECT_TRUE(has(first, R"("from":[7],"to":[10,11]})"));
    EXPECT_TRUE(has(task_line(first, 11), "\"syncs_before\":0"));
    EXPECT_TRUE(has(task_line(first, 12), "\"syncs_before\":1"));
    EXPECT_TRUE(has(first, R"("from":[12],"to":[13]})"));
}

TEST(dataflow_graph, has_names_threads_times_and_addresses) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        run_and_exit({.threads = 1}, [] {
            int cell = 0;
            spawn([](int* to) {
                name_task("filling");
                *to = 1;
            }, out(&cell));
            spawn([](int* to) { ++*to; }, inout(&cell));
        });
    }));
    const std::string text = file.text();
    EXPECT_TRUE(has(text, "\"threads\":[\"caller\"]")) << text;
    EXPECT_TRUE(has(text, "\"functions\":[\"filling\",\"")) << text;
    EXPECT_TRUE(has(text, "lambda")) << text;
    EXPECT_TRUE(has(text, "\"addresses\":[\"0x")) << text;
    EXPECT_TRUE(std::regex_search(text, std::regex("\"work_ns\":[1-9]"))) << text;
    EXPECT_TRUE(has(text, "\"parallelism\":1.0000")) << text;
    EXPECT_TRUE(has(text, "\"critical_path\":[1,2]}")) << text;
    EXPECT_TRUE(has(task_line(text, 1), "\"function\":0,\"thread\":0,\"outcome\":\"ended\",")) << text;
}

void increment(int& to) { ++to; }

void spawn_once(void (*function)(int&)) {
    execute({.threads = 1}, [&] {
        object<int> a(0);
        spawn(function, inout(a));
    });
}

// Whether the thread sleeps, by what the kernel says of it.
bool is_asleep(pid_t thread) {
    std::ifstream stream("/proc/self/task/" + std::to_string(thread) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    return has(text, ") S ");
}

std::atomic<pid_t> naming_thread{0};
std::atomic<bool> is_loading{false}, has_named{false};

// Called by a constructor. The loader lets the other thread find no name until it returns.
void spawn_while_loading() {
    is_loading = true;
    while (!has_named && !is_asleep(naming_thread))
        std::this_thread::yield();
    spawn_once([](int&) {});
}

TEST(dataflow_graph, a_thread_that_looks_for_a_name_does_not_stop_others) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        std::thread naming([] {
            // The first spawn of a thread may wait for the loader for other reasons, so it is done here.
            spawn_once([](int&) {});
            naming_thread = ::gettid();
            while (!is_loading)
                std::this_thread::yield();
            spawn_once(&increment);
            has_named = true;
        });
        while (naming_thread == 0)
            std::this_thread::yield();
        const auto address = reinterpret_cast<std::uintptr_t>(&spawn_while_loading);
        ::setenv("CALLED_BY_CONSTRUCTOR", std::to_string(address).c_str(), 1);
        EXPECT_NE(::dlopen(TEFF_TEST_CONSTRUCTOR, RTLD_NOW), nullptr) << ::dlerror();
        naming.join();
        std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
    }));
    EXPECT_EQ(task_count(file.text()), 3U) << file.text();
}

// So that their names are not given to functions that are loaded later (dataflow/function_names.hpp).
TEST(dataflow_graph, unloaded_objects_are_counted) {
    void* const object = ::dlopen(TEFF_TEST_CONSTRUCTOR, RTLD_NOW);
    ASSERT_NE(object, nullptr) << ::dlerror();
    const auto before = dataflow::function_names::count_unloaded();
    EXPECT_EQ(dataflow::function_names::count_unloaded(), before);
    EXPECT_EQ(::dlclose(object), 0);
    EXPECT_GT(dataflow::function_names::count_unloaded(), before);
}

TEST(dataflow_graph, for_graphviz) {
    const graph_file file("dot");
    expect_quiet(run_in_child([&] { run_and_exit({.threads = 2}, make_a_graph); }));
    const std::string text = file.text();
    EXPECT_TRUE(text.starts_with("// 13 tasks, 0 left out\ndigraph dataflow {\n")) << text;
    EXPECT_TRUE(has(text, "t8 -> t9")) << text;
    EXPECT_TRUE(has(text, "subgraph cluster_7 {")) << text;
    long open = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (text[i] == '"' && text[i - 1] != '\\')
            is_quoted = !is_quoted;
        else if (!is_quoted)
            open += text[i] == '{' || text[i] == '[' ? 1 : text[i] == '}' || text[i] == ']' ? -1 : 0;
    }
    EXPECT_EQ(open, 0) << text;
    EXPECT_FALSE(is_quoted) << text;
}

TEST(dataflow_graph, tells_of_failed_tasks_and_of_those_that_were_not_called) {
    for (const unsigned threads : {1U, 2U}) {
        const graph_file file;
        expect_quiet(run_in_child([&] {
            run_and_exit({.threads = threads}, [] {
                object<int> a(0), b(0);
                spawn([](int&) { throw std::runtime_error("no"); }, inout(a));
                spawn([](const int&, int&) {}, in(a), inout(b));
                spawn([](int&) {}, out(a));
                EXPECT_THROW(sync(), std::runtime_error);
                spawn([](int&) {}, inout(b));
            });
        }));
        const std::string text = file.text();
        EXPECT_TRUE(has(task_line(text, 1), "\"outcome\":\"failed\"")) << text;
        EXPECT_TRUE(has(task_line(text, 2), "\"outcome\":\"not_called\"")) << text;
        EXPECT_TRUE(has(task_line(text, 3), "\"outcome\":\"ended\"")) << text;
        EXPECT_TRUE(has(task_line(text, 4), "\"outcome\":\"ended\"")) << text;
    }
}

// The value of a number in the line of a task.
long long number_in(const std::string& line, const std::string& key) {
    const std::size_t place = line.find("\"" + key + "\":");
    return place == std::string::npos ? -1 : std::stoll(line.substr(place + key.size() + 3));
}

TEST(dataflow_graph, own_time_is_without_tasks_that_run_meanwhile) {
    for (const unsigned threads : {1U, 2U}) {
        const graph_file file;
        expect_quiet(run_in_child([&] {
            run_and_exit({.threads = threads}, [] {
                object<int> a(0);
                spawn([&a](int&) {
                    // Longer than a thread is likely to be kept from running.
                    const auto rest = [](int&) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
                    spawn(rest, inout(a));
                    sync();
                    // It waits for both of these, one after the other.
                    for (int i = 0; i != 2; ++i)
                        spawn(rest, inout(a));
                }, inout(a));
            });
        }));
        const std::string text = file.text();
        const auto length_of = [&](unsigned task) {
            const std::string line = task_line(text, task);
            return number_in(line, "end_ns") - number_in(line, "begin_ns");
        };
        const long long own = number_in(task_line(text, 1), "own_ns");
        EXPECT_GE(own, 0) << text;
        // Another thread may begin a task before the parent waits for it.
        if (threads == 1)
            EXPECT_LE(own, length_of(1) - length_of(2) - length_of(3) - length_of(4)) << text;
        else
            EXPECT_LT(own, length_of(2) / 2) << text;
        long long work = 0;
        for (unsigned task = 1; task <= 4; ++task)
            work += number_in(task_line(text, task), "own_ns");
        EXPECT_EQ(number_in(text, "work_ns"), work) << text;
        // Nothing here can run at the same time, but the parent goes on until it waits.
        EXPECT_LE(number_in(text, "span_ns"), work) << text;
        EXPECT_GE(number_in(text, "span_ns"), work - own) << text;
        // The others are on the path unless the parent alone takes longest.
        const bool is_alone = number_in(text, "span_ns") == own;
        EXPECT_TRUE(has(text, is_alone ? "\"critical_path\":[1]}" : "\"critical_path\":[1,2,3,4]}")) << text;
    }
}

TEST(dataflow_graph, waiting_for_a_value_or_the_end_of_an_object_is_a_sync) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        run_and_exit({.threads = 1}, [] {
            object<int> a(0), other(0);
            spawn([](int&) {}, inout(a));
            // No task has used it.
            EXPECT_EQ(other.value(), 0);
            spawn([](int&) {}, inout(other));
            EXPECT_EQ(a.value(), 0);
            // Its tasks have been waited for.
            EXPECT_EQ(other.value(), 0);
            spawn([](int&) {}, inout(other));
            {
                object<int> inner(0);
                spawn([](int&) {}, inout(inner));
            }
            spawn([](int&) {}, inout(other));
            sync();
            spawn([](int&) {}, inout(other));
        });
    }));
    const std::string text = file.text();
    unsigned task = 0;
    for (const int syncs : {0, 0, 1, 1, 2, 3})
        EXPECT_EQ(number_in(task_line(text, ++task), "syncs_before"), syncs) << text;
}

TEST(dataflow_graph, a_task_that_waits_spends_no_time_itself) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        const auto own_of_parent = [&] {
            EXPECT_TRUE(write_dataflow_graph());
            return number_in(task_line(file.text(), 1), "own_ns");
        };
        execute({.threads = 2}, [&] {
            object<int> a(0);
            spawn([&](int&) {
                spawn([&](int&) {
                    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
                    while (own_of_parent() != own_of_parent()) {
                        ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "the parent does not come to wait";
                    }
                }, inout(a));
                // So that the other thread may take the task.
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }, inout(a));
        });
    }));
}

TEST(dataflow_graph, a_task_that_writes_the_file_spends_no_time_itself) {
    const graph_file file;
    constexpr unsigned count = 2000;
    expect_quiet(run_in_child([&] {
        using clock = std::chrono::steady_clock;
        clock::duration writing{0};
        execute({.threads = 1}, [&] {
            object<int> a(0);
            for (unsigned i = 1; i != count; ++i)
                spawn([](int&) {}, inout(a));
            spawn([&](int&) {
                const clock::time_point begin = clock::now();
                for (int i = 0; i != 10; ++i)
                    EXPECT_TRUE(write_dataflow_graph());
                writing = clock::now() - begin;
            }, inout(a));
        });
        EXPECT_TRUE(write_dataflow_graph());
        const std::string line = task_line(file.text(), count);
        const long long length = number_in(line, "end_ns") - number_in(line, "begin_ns");
        // Half of it is more than the steps between the writes take.
        const long long half = std::chrono::duration_cast<std::chrono::nanoseconds>(writing).count() / 2;
        EXPECT_LT(number_in(line, "own_ns"), length - half) << line;
    }));
}

TEST(dataflow_graph, has_tasks_without_accesses_and_syncs_of_tasks_that_were_called_at_once) {
    const graph_file file;
    constexpr unsigned count = 10;
    expect_quiet(run_in_child([&] {
        run_and_exit({.threads = 1}, [] {
            for (unsigned i = 0; i != count; ++i)
                spawn([](unsigned) {
                    spawn([](int) {}, 1);
                    sync();
                    spawn([](int) {}, 2);
                }, i);
        });
    }));
    EXPECT_EQ(task_count(file.text()), 3 * count) << file.text();
    EXPECT_EQ(number_in(task_line(file.text(), 3 * count - 1), "syncs_before"), 0) << file.text();
    EXPECT_EQ(number_in(task_line(file.text(), 3 * count), "syncs_before"), 1) << file.text();
}

TEST(dataflow_graph, functions_that_a_thread_calls_in_a_row_are_ordered) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        for (int i = 0; i != 2; ++i)
            execute({.threads = 2}, [] {
                spawn([](int) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }, 0);
            });
        std::thread([] {
            execute({.threads = 2}, [] { spawn([](int) {}, 0); });
        }).join();
        std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
    }));
    const std::string text = file.text();
    EXPECT_EQ(task_count(text), 3U) << text;
    EXPECT_EQ(number_in(task_line(text, 1), "depth"), 0) << text;
    EXPECT_EQ(number_in(task_line(text, 2), "depth"), 1) << text;
    EXPECT_EQ(number_in(task_line(text, 3), "depth"), 0) << text;
    EXPECT_EQ(number_in(task_line(text, 3), "outermost"), 3) << text;
    EXPECT_TRUE(has(text, "\"critical_path\":[1,2]}")) << text;
}

TEST(dataflow_graph, a_call_of_execute_in_a_task_belongs_to_the_task) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        run_and_exit({.threads = 2}, [] {
            object<int> a(0);
            spawn([](int&) {
                execute({.threads = 1}, [] { spawn([](int) {}, 0); });
                spawn([](int) {}, 0);
            }, inout(a));
        });
    }));
    const std::string text = file.text();
    EXPECT_EQ(number_in(task_line(text, 2), "parent"), 1) << text;
    EXPECT_EQ(number_in(task_line(text, 3), "parent"), 1) << text;
    EXPECT_EQ(number_in(task_line(text, 3), "syncs_before"), 1) << text;
}

TEST(dataflow_graph, a_restart_forgets_and_a_write_is_the_last) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        object<int> a(0);
        execute({.threads = 2}, [&] {
            spawn([](int&) {}, inout(a));
            sync();
            EXPECT_TRUE(write_dataflow_graph());
            EXPECT_EQ(task_count(file.text()), 1U);
            restart_dataflow_graph();
            EXPECT_TRUE(write_dataflow_graph());
            EXPECT_TRUE(is_complete(file.text()));
            EXPECT_EQ(task_count(file.text()), 0U);
            spawn([](int&) {}, inout(a));
            spawn([](int&) {}, inout(a));
        });
        EXPECT_TRUE(write_dataflow_graph());
        EXPECT_EQ(task_count(file.text()), 2U);
        execute({.threads = 1}, [&] { spawn([](int&) {}, inout(a)); });
        std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
    }));
    EXPECT_EQ(task_count(file.text()), 2U);
}

TEST(dataflow_graph, a_restart_inside_a_task_leaves_it_out) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        run_and_exit({.threads = 1}, [] {
            object<int> a(0);
            spawn([&a](int&) {
                restart_dataflow_graph();
                name_task("too late");
                spawn([](int&) {}, inout(a));
            }, inout(a));
            spawn([](int&) { name_task("in time"); }, inout(a));
        });
    }));
    EXPECT_EQ(task_count(file.text()), 1U) << file.text();
    EXPECT_TRUE(has(file.text(), "\"functions\":[\"in time\"]")) << file.text();
    EXPECT_TRUE(has(file.text(), "\"tasks_left_out\":1,")) << file.text();
}

TEST(dataflow_graph, shows_tasks_that_have_not_ended) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        execute({.threads = 2}, [&] {
            object<int> a(0);
            spawn([](int&) { EXPECT_TRUE(write_dataflow_graph()); }, inout(a));
        });
        EXPECT_TRUE(has(task_line(file.text(), 1), "\"outcome\":\"running\"")) << file.text();
    }));
}

TEST(dataflow_graph, leaves_out_what_is_too_much) {
    const graph_file file;
    constexpr unsigned most = 100'000, more = 10;
    expect_quiet(run_in_child([&] {
        run_and_exit({.threads = 1}, [] {
            object<int> a(0);
            for (unsigned i = 0; i != most + more; ++i)
                spawn([](const int&) {}, in(a));
        });
    }));
    const std::string text = file.text();
    EXPECT_EQ(task_count(text), most);
    EXPECT_TRUE(has(text, "\"tasks_left_out\":10,"));
}

TEST(dataflow_graph, is_off_without_the_option) {
    expect_quiet(run_in_child([] {
        execute({.threads = 2}, make_a_graph);
        name_task("no task");
        restart_dataflow_graph();
        EXPECT_FALSE(write_dataflow_graph());
    }));
}

TEST(dataflow_graph, belongs_to_the_parent_of_a_fork) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        execute({.threads = 2}, make_a_graph);
        const int status = status_of_fork([] {
            execute({.threads = 2}, make_a_graph);
            restart_dataflow_graph();
            const bool has_failed = write_dataflow_graph() || ::testing::Test::HasFailure();
            std::exit(has_failed ? 1 : 0);
            return 1;
        });
        EXPECT_TRUE(ended_with(status, 0)) << status;
        EXPECT_EQ(file.text(), "");
        std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
    }));
    EXPECT_EQ(task_count(file.text()), 13U) << file.text();
}

// A child that ends with exit() writes what its streams hold, so it must not have got a part of the file.
TEST(dataflow_graph, a_fork_while_the_file_is_written_does_not_disturb_it) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        execute({.threads = 2}, [] {
            object<int> a(0);
            for (int i = 0; i != 2000; ++i)
                spawn([](int&) {}, inout(a));
        });
        std::atomic<bool> is_over{false};
        std::thread writer([&] {
            while (!is_over.load()) {
                EXPECT_TRUE(write_dataflow_graph());
                const std::string text = file.text();
                EXPECT_TRUE(is_complete(text) && text.rfind("teff_dataflow_graph") < 10);
            }
        });
        for (int i = 0; i < 30; ++i)
            EXPECT_TRUE(ended_with(status_of_fork([]() -> int { std::exit(0); }), 0));
        is_over.store(true);
        writer.join();
    }));
}

TEST(dataflow_graph, a_file_that_cannot_be_written_is_told_once) {
    const graph_file file;
    std::filesystem::create_symlink("/dev/full", file.name());
    const std::string folder = file.folder() + "/folder.json";
    std::filesystem::create_directory(folder);
    for (const std::string& name : {std::string("/nonexistent/graph.json"), folder, file.name()}) {
        ::setenv("TEFF_DATAFLOW_GRAPH", name.c_str(), 1);
        const child_outcome outcome = run_in_child([] {
            execute({.threads = 2}, make_a_graph);
            run_and_exit({.threads = 2}, make_a_graph);
        });
        EXPECT_EQ(outcome.code(), 0);
        EXPECT_EQ(outcome.lines_with("TEFF_DATAFLOW_GRAPH: the file '" + name + "' cannot be written: "), 1U)
            << outcome.errors;
        EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
    }
}

TEST(dataflow_graph, other_endings_are_refused) {
    const graph_file file("svg");
    const child_outcome outcome = run_in_child([] { run_and_exit({.threads = 2}, make_a_graph); });
    EXPECT_EQ(outcome.code(), 0);
    EXPECT_EQ(outcome.lines_with("is not off or of the form \"graph.json or graph.dot\""), 1U) << outcome.errors;
    EXPECT_FALSE(std::filesystem::exists(file.name()));
}

TEST(dataflow_graph, a_name_stays_the_same_when_the_program_changes_its_folder) {
    const graph_file file;
    expect_quiet(run_in_child([&] {
        ASSERT_EQ(::chdir(file.folder().c_str()), 0);
        ::setenv("TEFF_DATAFLOW_GRAPH", "graph.json", 1);
        execute({.threads = 2}, make_a_graph);
        ASSERT_EQ(::chdir("/"), 0);
        EXPECT_TRUE(write_dataflow_graph());
    }));
    EXPECT_TRUE(is_complete(file.text())) << file.text();
}

}  // namespace
}  // namespace teff::testing
