// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of a deadlock among fibers and threads: what waits for what, at once if all threads wait, and otherwise
// with the option stall_report_s. It does not end the program, so each child is killed when it has said enough.
#include <tests/process/child_errors.hpp>

#include <teff/base/atomic.hpp>
#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

// The user's program. Its functions are in no namespace of the library, and are calls in the compiled program, so that
// a report can name them.
namespace deadlocked_program {

int calls = 0;

[[gnu::noinline]] void read_value(teff::sync_var<int>& never) {
    never.read_fe();
    ++calls;
}
[[gnu::noinline]] void read_all(teff::sync_var<int>& never) {
    read_value(never);
    ++calls;
}

}  // namespace deadlocked_program

namespace teff::testing {
namespace {

// Returns the stderr of a child process, read until it has lines with all of these texts or the child ends.
template <class Body>
std::string errors_with(std::initializer_list<const char*> texts, Body&& body) {
    const auto are_there = [texts](const std::string& said) {
        return std::ranges::all_of(texts, [&](const char* text) {
            const std::size_t at = said.find(text);
            return at != std::string::npos && said.find('\n', at) != std::string::npos;
        });
    };
    return errors_until(are_there, body);
}

// Counts the threads of the calling process, which has started none.
int threads_of_process() {
    std::ifstream status("/proc/self/status");
    constexpr std::string_view key = "Threads:";
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key))
            return std::stoi(line.substr(key.size()));
    return 0;
}

class deadlock_report : public ::testing::Test {
protected:
    // ThreadSanitizer has a thread of its own, and so has qemu. Then not all threads of the process are known.
    void SetUp() override {
        if (!ended_with(status_of_fork([] { return threads_of_process(); }), 1))
            GTEST_SKIP() << "a tool has threads of its own in this process";
    }
};

#if defined(__x86_64__) && defined(__GLIBC__)
constexpr bool unwinds_fibers = true;
#else
constexpr bool unwinds_fibers = false;
#endif

constexpr const char* head = "deadlock: all threads of the process wait, and nothing can wake them; the waits are:";

TEST_F(deadlock_report, says_what_waits_for_which_variable_and_where_it_was_made) {
    for (const long threads : {1L, 2L, 4L}) {
        const char* const last = unwinds_fibers ? "deadlocked_program::read_all" : "fiber 1 'reader'";
        const std::string said = errors_with({last}, [threads] {
            execute({.threads = threads}, [] {
                sync_var<int> never;
                fiber([&never] {
                    this_fiber::set_name("reader");
                    deadlocked_program::read_all(never);
                }).join();
            });
        });
        EXPECT_TRUE(has_line(said, head)) << said;
        EXPECT_TRUE(has_line(said, "  fiber 1 'reader' waits for the sync_var 0x[0-9a-f]+ to be full; made at "
                                   ".*deadlock_report_test.cpp:[0-9]+"))
            << said;
        EXPECT_TRUE(has_line(said, "  thread [0-9]+ \\(main\\) waits for fiber 1 to end; made at "
                                   ".*deadlock_report_test.cpp:[0-9]+"))
            << said;
        if (unwinds_fibers) {
            EXPECT_TRUE(has_line(said, "      (at|called by) .*deadlocked_program::read_value.*\n"
                                       "teff:       called by .*deadlocked_program::read_all.*"))
                << said;
        }
    }
}

TEST_F(deadlock_report, names_two_mutexes_that_are_taken_in_different_orders) {
    const std::string said = errors_with({"fiber 1 waits", "fiber 2 waits"}, [] {
        execute({.threads = 2}, [] {
            fiber_mutex first;
            fiber_mutex second;
            fiber_barrier both(2);
            const auto take = [&](fiber_mutex& one, fiber_mutex& other) {
                const std::lock_guard holds_one(one);
                both.arrive_and_wait();
                const std::lock_guard holds_other(other);
            };
            cobegin([&] { take(first, second); }, [&] { take(second, first); });
        });
    });
    EXPECT_TRUE(has_line(said, "  fiber 1 waits for the fiber_mutex 0x[0-9a-f]+ to be free; made at .*")) << said;
    EXPECT_TRUE(has_line(said, "  fiber 2 waits for the fiber_mutex 0x[0-9a-f]+ to be free; made at .*")) << said;
}

TEST_F(deadlock_report, is_short_for_many_waits) {
    const std::string said = errors_with({" more"}, [] {
        fiber_latch never(1);
        coforall(0, 1'000, [&never](int) { never.wait(); });
    });
    EXPECT_TRUE(has_line(said, "  and 961 more")) << said;
    EXPECT_LT(std::ranges::count(said, '\n'), 120) << said;
}

// The fibers of the parent, which wait and run while it forks, do not exist in the child.
TEST_F(deadlock_report, of_a_child_is_of_its_own_fibers) {
    const std::string said = errors_with({"'own'"}, [] {
        std::atomic<int> rounds{0};
        std::thread([&] {
            execute({.threads = 2}, [&] {
                sync_var<int> never, there, back;
                cobegin([&] { never.read_ff(); },
                        [&] {
                            for (;;) {
                                there.write_ef(1);
                                back.read_fe();
                            }
                        },
                        [&] {
                            for (;;) {
                                back.write_ef(there.read_fe());
                                ++rounds;
                            }
                        });
            });
        }).detach();
        while (rounds < 1'000)
            std::this_thread::yield();
        goes_on_as_child_ending_with(0);
        execute({.threads = 1}, [] {
            sync_var<int> never;
            fiber([&never] {
                this_fiber::set_name("own");
                never.read_fe();
            }).join();
        });
    });
    EXPECT_TRUE(has_line(said, head)) << said;
    EXPECT_EQ(said.find("  fiber "), said.rfind("  fiber ")) << said;
}

// Threads of the program that wait for each other, without any fiber.
TEST_F(deadlock_report, is_of_threads_as_well) {
    const std::string said = errors_with({"thread "}, [] {
        sync_var<int> full(1);
        full.write_ef(2);
    });
    EXPECT_TRUE(has_line(said, "  thread [0-9]+ \\(main\\) waits for the sync_var 0x[0-9a-f]+ to be empty; made at .*"))
        << said;
}

// The runtime does not know what other threads will do.
TEST(stalled_fibers, are_no_deadlock_while_another_thread_may_end_the_wait) {
    expect_quiet(run_in_child([] {
        execute({.threads = 2}, [] {
            sync_var<int> later;
            // Long enough for a report that would be wrong.
            std::thread other([&later] {
                std::this_thread::sleep_for(std::chrono::milliseconds(500));
                later.write_ef(1);
            });
            fiber([&later] { later.read_fe(); }).join();
            other.join();
        });
    }));
}

// But the user may have asked for a report.
TEST(stalled_fibers, are_reported_if_the_option_is_set) {
    // The frames of the thread come first, as many as there are.
    const auto names_the_fiber = [](const std::string& text) {
        return text.find("fiber 1 waits") != std::string::npos && text.back() == '\n';
    };
    const std::string said = errors_until(names_the_fiber, [] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        std::thread([] { ::pause(); }).detach();
        sync_var<int> never;
        fiber([&never] { never.read_fe(); }).join();
    });
    EXPECT_TRUE(has_line(said, "no task has run for 1 s; unless a thread that the runtime does not know ends one of "
                               "these waits, this is a stall:"))
        << said;
    EXPECT_TRUE(has_line(said, "  fiber 1 waits for the sync_var 0x[0-9a-f]+ to be full; made at .*")) << said;
}

}  // namespace
}  // namespace teff::testing
