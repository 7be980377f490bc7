// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks, groups, algorithms and dataflow on fibers, on every scheduler: each function is called once, results,
// exceptions and the values of ordered reducers arrive, and other members run the tasks. A fiber that waits for tasks
// keeps no worker.
#include <tests/conformance/each_choice.hpp>

#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/reduce.hpp>
#include <teff/reducer.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class fiber_forks_on : public each_choice {
protected:
    template <class F>
    void for_thread_counts(F&& f) const {
        for (const long threads : {1L, 2L, 8L})
            teff::execute(with_threads(threads), f);
    }
};
// On these, functions may wait for each other if there are enough threads.
class fiber_forks_that_meet_on : public fiber_forks_on {};

INSTANTIATE_TEST_SUITE_P(, fiber_forks_on, testing::ValuesIn(all_rows()), row_names());
INSTANTIATE_TEST_SUITE_P(, fiber_forks_that_meet_on, testing::ValuesIn(rows_that_share()), row_names());

// Calls each function on a fiber of its own, and joins all of them.
template <class F>
void on_fibers(std::size_t count, const F& function) {
    std::vector<teff::fiber> fibers;
    for (std::size_t i = 0; i < count; ++i)
        fibers.emplace_back([&function, i] { function(i); });
    for (teff::fiber& each : fibers)
        each.join();
}

long leaves(int depth) {
    if (depth == 0)
        return 1;
    const auto [left, right] =
        teff::fork_join([depth] { return leaves(depth - 1); }, [depth] { return leaves(depth - 1); });
    return left + right;
}

TEST_P(fiber_forks_on, a_tree_of_forks) {
    for_thread_counts([] {
        long counted = 0;
        teff::fiber([&counted] { counted = leaves(12); }).join();
        EXPECT_EQ(counted, 4096);
    });
}

TEST_P(fiber_forks_on, trees_on_many_fibers) {
    for_thread_counts([] {
        std::vector<long> counted(100);
        on_fibers(counted.size(), [&](std::size_t i) { counted[i] = leaves(static_cast<int>(i % 8)); });
        for (std::size_t i = 0; i < counted.size(); ++i)
            EXPECT_EQ(counted[i], 1L << (i % 8));
    });
}

// The leaves are left in the middle, so fibers go on on other workers while forks are open.
long leaves_that_yield(int depth) {
    if (depth == 0) {
        teff::this_fiber::yield();
        return 1;
    }
    const auto [left, right] = teff::fork_join([depth] { return leaves_that_yield(depth - 1); },
                                               [depth] { return leaves_that_yield(depth - 1); });
    teff::this_fiber::yield();
    return left + right;
}

TEST_P(fiber_forks_on, fibers_are_left_between_forks) {
    for_thread_counts([] {
        std::vector<long> counted(30);
        on_fibers(counted.size(), [&](std::size_t i) { counted[i] = leaves_that_yield(6); });
        EXPECT_EQ(counted, std::vector<long>(30, 64));
    });
}

// The first function waits until another fiber has come, and the second one may be taken meanwhile.
TEST_P(fiber_forks_on, the_first_function_blocks) {
    for_thread_counts([] {
        constexpr std::size_t count = 50;
        std::vector<teff::sync_var<int>> written(count);
        std::vector<int> sums(count);
        std::vector<teff::fiber> readers;
        for (std::size_t i = 0; i < count; ++i)
            readers.emplace_back([&, i] {
                const auto [first, second, third] =
                    teff::fork_join([&] { return written[i].read_fe(); }, [] { return 10; }, [] { return 100; });
                sums[i] = first + second + third;
            });
        on_fibers(count, [&](std::size_t i) { written[i].write_ef(static_cast<int>(i)); });
        for (teff::fiber& each : readers)
            each.join();
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(sums[i], static_cast<int>(i) + 110);
    });
}

TEST_P(fiber_forks_on, loops_on_many_fibers) {
    for_thread_counts([] {
        constexpr std::size_t count = 20;
        constexpr std::size_t size = 3'000;
        std::vector<std::vector<int>> called(count, std::vector<int>(size));
        std::vector<long> sums(count);
        on_fibers(count, [&](std::size_t i) {
            teff::parallel_for(std::size_t{0}, size, [&](std::size_t k) { ++called[i][k]; });
            sums[i] = teff::parallel_reduce(std::vector<long>(size, 7), 0L, std::plus<>());
        });
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(called[i], std::vector<int>(size, 1));
            EXPECT_EQ(sums[i], static_cast<long>(7 * size));
        }
    });
}

TEST_P(fiber_forks_on, groups) {
    for_thread_counts([] {
        constexpr std::size_t count = 30;
        std::vector<int> called(count);
        on_fibers(count, [&](std::size_t i) {
            std::atomic<int> here{0};
            teff::task_group group;
            for (int times = 0; times < 2; ++times) {
                for (int task = 0; task < 20; ++task)
                    group.run([&] {
                        group.run([&here] { here.fetch_add(1); });
                        here.fetch_add(1);
                    });
                group.wait();
            }
            called[i] = here.load();
        });
        EXPECT_EQ(called, std::vector<int>(count, 80));
    });
}

// Several fibers and a thread wait for tasks of another team.
TEST_P(fiber_forks_on, a_group_of_a_foreign_thread) {
    for_thread_counts([this] {
        std::atomic<int> called{0};
        std::atomic<bool> is_submitted{false};
        teff::task_group group;
        std::thread submitter([&] {
            teff::execute(with_threads(2), [&] {
                for (int task = 0; task < 100; ++task)
                    group.run([&called] { called.fetch_add(1); });
                is_submitted.store(true);
                group.wait();
            });
        });
        on_fibers(10, [&](std::size_t) {
            while (!is_submitted.load())
                teff::this_fiber::yield();
            group.wait();
            EXPECT_EQ(called.load(), 100);
        });
        submitter.join();
    });
}

// Each task reads what the one before has written.
TEST_P(fiber_forks_on, dataflow) {
    for_thread_counts([] {
        constexpr std::size_t count = 20;
        std::vector<long> results(count);
        on_fibers(count, [&](std::size_t i) {
            teff::object<long> sum(0L), product(1L);
            for (long k = 1; k <= 10; ++k) {
                teff::spawn([k](long& s) { s += k; }, teff::inout(sum));
                teff::spawn([](const long& s, long& p) { p += s; }, teff::in(sum), teff::inout(product));
            }
            teff::sync();
            results[i] = product.value();
        });
        EXPECT_EQ(results, std::vector<long>(count, 221));
    });
}

TEST_P(fiber_forks_on, exceptions) {
    for_thread_counts([] {
        std::atomic<int> right{0};
        on_fibers(40, [&right](std::size_t i) {
            std::string said;
            try {
                if (i % 2 == 0) {
                    teff::fork_join([] { leaves_that_yield(3); }, [] { throw std::runtime_error("second"); });
                } else {
                    teff::fork_join(
                        [] {
                            teff::this_fiber::yield();
                            throw std::runtime_error("first");
                        },
                        [] { leaves(3); });
                }
            } catch (const std::runtime_error& error) {
                said = error.what();
            }
            right.fetch_add(said == (i % 2 == 0 ? "second" : "first") ? 1 : 0);
            teff::task_group group;
            try {
                for (int task = 0; task < 5; ++task)
                    group.run([] { throw std::logic_error("task"); });
                group.wait();
            } catch (const std::logic_error&) {
                right.fetch_add(1);
            }
        });
        EXPECT_EQ(right.load(), 80);
    });
}

TEST_P(fiber_forks_on, a_stop) {
    for (const long threads : {1L, 2L, 8L}) {
        std::stop_source source;
        teff::options call = with_threads(threads);
        call.stop = source.get_token();
        std::atomic<int> stopped{0};
        std::atomic<int> begun{0};
        const auto fork_until_stopped = [&] {
            try {
                for (;;) {
                    leaves_that_yield(3);
                    if (begun.fetch_add(1) == 10)
                        source.request_stop();
                }
            } catch (const teff::stopped&) {
                stopped.fetch_add(1);
            }
        };
        teff::execute(call, [&] { on_fibers(8, [&](std::size_t) { fork_until_stopped(); }); });
        EXPECT_EQ(stopped.load(), 8);
    }
}

// The values of a fiber's forks are placed in the order of the program.
TEST_P(fiber_forks_on, ordered_reducers) {
    for_thread_counts([] {
        std::vector<std::string> texts(20);
        on_fibers(texts.size(), [&](std::size_t i) {
            teff::ordered_reducer<std::string, std::plus<>> letters;
            const std::function<void(char, int)> add = [&](char first, int count) {
                if (count == 1) {
                    teff::this_fiber::yield();
                    *letters += first;
                    return;
                }
                teff::fork_join([&] { add(first, count / 2); },
                                [&] { add(static_cast<char>(first + count / 2), count - count / 2); });
            };
            add('a', 26);
            texts[i] = letters.get();
        });
        for (const std::string& each : texts)
            EXPECT_EQ(each, "abcdefghijklmnopqrstuvwxyz");
    });
}

// Teams of their own, and what such a function forks, wait as on a thread.
TEST_P(fiber_forks_on, forks_in_teams_and_reductions_on_fibers) {
    for_thread_counts([this] {
        std::atomic<int> right{0};
        on_fibers(10, [&](std::size_t) {
            teff::task_group group;
            std::atomic<int> called{0};
            for (int task = 0; task < 10; ++task)
                group.run([&called] { called.fetch_add(1); });
            // The caller's part of the reduction is a function that the fiber cannot be left in.
            const long counted = teff::reduce_tasks(
                with_threads(2),
                [&group](auto& pool, int depth) -> long {
                    if (depth == 0) {
                        group.wait();
                        return leaves(2);
                    }
                    pool.enq(depth - 1);
                    pool.enq(depth - 1);
                    return 0;
                },
                3);
            right.fetch_add(counted == 32 && called.load() == 10 ? 1 : 0);
            const long inside = teff::isolate([] { return leaves(5); });
            right.fetch_add(inside == 32 ? 1 : 0);
        });
        EXPECT_EQ(right.load(), 20);
    });
}

// A job or a task is inside of the blocks around the code that has made it, whatever thread runs it.
TEST_P(fiber_forks_on, sync_blocks_wait_for_what_tasks_begin) {
    for_thread_counts([] {
        for (int times = 0; times < 20; ++times) {
            std::atomic<int> called{0};
            const auto begin_one = [&called] {
                teff::begin([&called] {
                    teff::this_fiber::yield();
                    called.fetch_add(1);
                });
            };
            // Made outside, and waited for when the block has ended.
            teff::task_group group;
            teff::sync([&] {
                teff::fork_join([&] { teff::fork_join(begin_one, begin_one); },
                                [&] { teff::fork_join(begin_one, begin_one); });
                teff::parallel_for(0, 4, [&](int) { begin_one(); });
                for (int task = 0; task < 4; ++task)
                    group.run([&] { teff::fork_join(begin_one, begin_one); });
                teff::object<int> object(0);
                for (int task = 0; task < 4; ++task)
                    teff::spawn([&](int&) { begin_one(); }, teff::inout(object));
                teff::sync();
            });
            EXPECT_EQ(called.load(), 20);
            group.wait();
        }
    });
}

TEST_P(fiber_forks_on, serial_blocks_reach_tasks) {
    for_thread_counts([] {
        std::atomic<int> right{0};
        teff::sync([&] {
            teff::serial([&] {
                const auto expect_serial = [&] {
                    bool was_called = false;
                    teff::begin([&] { was_called = true; });
                    right.fetch_add(was_called ? 1 : 0);
                };
                for (int times = 0; times < 10; ++times) {
                    teff::fork_join(expect_serial, expect_serial);
                    teff::task_group group;
                    group.run(expect_serial);
                    group.run([&] { teff::serial(expect_serial); });
                    group.wait();
                }
            });
        });
        EXPECT_EQ(right.load(), 40);
    });
}

// Only two threads can be in both of its calls at once.
void wait_for_both(std::atomic<int>& here) {
    here.fetch_add(1);
    while (here.load() < 2)
        std::this_thread::yield();
}

TEST_P(fiber_forks_that_meet_on, the_functions_of_a_fork_meet) {
    teff::execute(with_threads(2), [] {
        std::atomic<int> here{0};
        const auto meet = [&here] { wait_for_both(here); };
        teff::fiber([&] { teff::fork_join(meet, meet); }).join();
        EXPECT_EQ(here.load(), 2);
    });
}

TEST_P(fiber_forks_that_meet_on, the_tasks_of_a_group_meet) {
    teff::execute(with_threads(2), [] {
        std::atomic<int> here{0};
        const auto meet = [&here] { wait_for_both(here); };
        teff::sync([&] {
            teff::begin([&] {
                teff::task_group group;
                group.run(meet);
                group.run(meet);
                group.wait();
            });
        });
        EXPECT_EQ(here.load(), 2);
    });
}

TEST_P(fiber_forks_that_meet_on, the_halves_of_a_loop_meet) {
    teff::execute(with_threads(2), [] {
        std::atomic<int> here{0};
        teff::coforall(0, 1, [&](int) {
            teff::parallel_for(0, 2, [&](int) { wait_for_both(here); });
        });
        EXPECT_EQ(here.load(), 2);
    });
}

// One of two threads runs the task, so the other one has to run both fibers.
TEST_P(fiber_forks_that_meet_on, a_fiber_that_waits_keeps_no_worker) {
    teff::execute(with_threads(2), [] {
        std::atomic<bool> go{false};
        std::atomic<bool> has_begun{false};
        const auto wait = [&] {
            has_begun.store(true);
            while (!go.load())
                std::this_thread::yield();
        };
        teff::fiber waiting([&] {
            teff::task_group group;
            group.run(wait);
            group.wait();
        });
        teff::fiber other([&] {
            while (!has_begun.load())
                teff::this_fiber::yield();
            go.store(true);
        });
        waiting.join();
        other.join();
    });
}

}  // namespace
