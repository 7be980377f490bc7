// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups, handles, isolation and reducers on every scheduler: each task is called once and before its group's wait
// returns, its exception reaches one wait, and reducers get every contribution, the ordered ones in program order.
#include <tests/conformance/each_choice.hpp>
#include <tests/conformance/roll.hpp>
#include <tests/detached_coroutine.hpp>

#include <teff/base/backoff.hpp>
#include <teff/coroutine.hpp>
#include <teff/fork_join.hpp>
#include <teff/reducer.hpp>
#include <teff/spawn.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>
#include <teff/task_group.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <alloca.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class task_group_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, task_group_on, testing::ValuesIn(all_rows()), row_names());

TEST_P(task_group_on, calls_each_task_once) {
    constexpr std::size_t count = 20'000;
    for (const long threads : thread_counts) {
        roll tasks(count);
        teff::execute(with_threads(threads), [&] {
            teff::task_group group;
            for (std::size_t i = 0; i < count; ++i)
                group.run([&tasks, i] { tasks.call(i); });
            EXPECT_EQ(group.wait(), teff::task_group_status::complete);
        });
        tasks.expect_called_once();
    }
}

// A group for each inner node, in the frame of its task.
void visit_leaves(roll& leaves, std::size_t first, std::size_t count) {
    if (count == 1)
        return leaves.call(first);
    teff::task_group group;
    group.run([&leaves, first, count] { visit_leaves(leaves, first, count / 2); });
    group.run_and_wait([&leaves, first, count] { visit_leaves(leaves, first + count / 2, count - count / 2); });
}

TEST_P(task_group_on, nests) {
    for_some_thread_counts([] {
        roll leaves(3000);
        visit_leaves(leaves, 0, 3000);
        leaves.expect_called_once();
    });
}

// One group for a whole tree.
void add_leaves(teff::task_group& group, roll& leaves, std::size_t first, std::size_t count) {
    for (; count > 1; count -= count / 2) {
        const std::size_t upper = first + count - count / 2;
        group.run([&group, &leaves, upper, size = count / 2] { add_leaves(group, leaves, upper, size); });
    }
    leaves.call(first);
}

TEST_P(task_group_on, lets_tasks_add_tasks) {
    for_some_thread_counts([] {
        roll leaves(5000);
        teff::task_group group;
        add_leaves(group, leaves, 0, 5000);
        group.wait();
        leaves.expect_called_once();
    });
}

TEST_P(task_group_on, mixes_with_forks) {
    for_some_thread_counts([] {
        roll tasks(4096);
        teff::task_group group;
        for (std::size_t i = 0; i < 64; ++i) {
            group.run([&tasks, i] {
                teff::fork_join([=, &tasks] { visit_leaves(tasks, 64 * i, 32); },
                                [=, &tasks] { visit_leaves(tasks, 64 * i + 32, 32); });
            });
        }
        group.wait();
        tasks.expect_called_once();
    });
}

// The thread that finishes the last task must wake a waiter that is not in the tasks' team.
TEST_P(task_group_on, is_used_by_several_threads) {
    constexpr std::size_t threads = 4, each = 2'000;
    roll tasks(threads * each);
    teff::task_group group;
    std::vector<std::thread> others;
    for (std::size_t t = 0; t < threads; ++t)
        others.emplace_back([&, t] {
            teff::execute(with_threads(3), [&] {
                for (std::size_t i = 0; i < each; ++i)
                    group.run([&tasks, which = t * each + i] { tasks.call(which); });
                if (t % 2 == 0)
                    group.wait();
            });
        });
    group.wait();
    for (std::thread& other : others)
        other.join();
    group.wait();
    tasks.expect_called_once();
}

// Calls `f` when only left_of(size of the stack) bytes of the calling thread's stack are left.
template <class F>
[[gnu::noinline]] void with_stack(std::size_t (*left_of)(std::size_t size), F&& f) {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    const auto above = static_cast<std::size_t>(static_cast<char*>(__builtin_frame_address(0)) -
                                                static_cast<char*>(low));
    const std::size_t left = left_of(size);
    // (A task that runs on top of a wait with little stack has less already.)
    [[maybe_unused]] void* const volatile used = alloca(above > left ? above - left : 0);
    f();
}
// So little stack is left that forks and waits continue on another one.
template <class F>
void with_little_stack(F&& f) {
    with_stack([](std::size_t) { return std::size_t{64} << 10; }, [&] {
        EXPECT_FALSE(teff::has_stack());
        f();
    });
}
template <class F>
void with_a_quarter_of_the_stack(F&& f) {
    with_stack([](std::size_t size) { return size / 4; }, f);
}

// Calls `f` on a thread with a small stack.
void on_a_small_stack(std::function<void()> f) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 20);
    const auto run = [](void* argument) -> void* {
        (*static_cast<std::function<void()>*>(argument))();
        return nullptr;
    };
    pthread_t thread{};
    ASSERT_EQ(pthread_create(&thread, &attributes, run, &f), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

// A task on another thread adds further tasks and waits for them; the thread that waits for this task may take them,
// too. In every second round the task waits with its own stack used up, so no thread is left that could run them
// freely.
void wait_on_a_stack_that_is_used_up(const teff::options& call) {
    teff::execute(call, [] {
        std::atomic<bool> begun{false}, may_go_on{false};
        teff::task_group group;
        while (!begun)
            group.run([&, caller = std::this_thread::get_id()] {
                if (std::this_thread::get_id() == caller || begun.exchange(true))
                    return;
                while (!may_go_on)
                    teff::yield_thread();
                for (int i = 0; i < 100; ++i) {
                    teff::task_group inner;
                    for (int j = 0; j < 20; ++j)
                        inner.run([] {});
                    if (i % 2 == 0)
                        inner.wait();
                    else
                        with_little_stack([&] { inner.wait(); });
                }
            });
        with_little_stack([&] {
            may_go_on = true;
            group.wait();
        });
    });
}

TEST_P(task_group_on, waits_on_a_stack_that_is_used_up) {
    for (const long threads : {2L, 3L})
        on_a_small_stack([&] { wait_on_a_stack_that_is_used_up(with_threads(threads)); });
}

// The waiter's stack is used up, so it leaves its tasks to others. Another thread takes one of them, which waits for
// the rest, on a stack that has too little left to take arbitrary tasks.
TEST_P(task_group_on, waits_for_refused_tasks) {
    const auto in_team = [] {
        teff::task_group outer, inner;
        std::atomic<int> called{0};
        // The other thread probably sleeps by then, so both tasks are queued when it wakes.
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        outer.run([&] { with_a_quarter_of_the_stack([&] { inner.wait(); }); });
        inner.run([&] { ++called; });
        with_little_stack([&] {
            outer.wait();
            inner.wait();
        });
        EXPECT_EQ(called, 1);
    };
    on_a_small_stack([&] {
        for (int i = 0; i < 20; ++i)
            teff::execute(with_threads(2), in_team);
    });
}

// A task is left to an idle waiter just when that waiter leaves, because its own wait has ended. The task must still
// run.
TEST_P(task_group_on, a_leaving_waiter_strands_no_task) {
    constexpr int times = 500;
    for (int i = 0; i < times; ++i) {
        teff::task_group first, second;
        std::atomic<int> called{0};
        teff::execute(with_threads(2), [&] {
            second.run([&] {
                first.run([] {});
                teff::task_group inner;
                inner.run([&] { ++called; });
                with_little_stack([&] { inner.wait(); });
            });
            first.wait();
        });
        second.wait();
        EXPECT_EQ(called, 1);
    }
}

TEST_P(task_group_on, passes_on_one_exception) {
    for_some_thread_counts([] {
        for (int at = 0; at <= 40; at += 4) {
            teff::task_group group;
            std::atomic<int> called{0};
            for (int i = 0; i < 40; ++i)
                group.run([&called, i, at, alive = task(0)] {
                    ++called;
                    if (i >= at)
                        throw std::runtime_error("a task");
                });
            if (at < 40) {
                EXPECT_THROW(group.wait(), std::runtime_error);
            }
            // The group can be used like a new one.
            EXPECT_EQ(group.wait(), teff::task_group_status::complete);
            called = 0;
            for (int i = 0; i < 40; ++i)
                group.run([&called] { ++called; });
            EXPECT_EQ(group.wait(), teff::task_group_status::complete);
            EXPECT_EQ(called.load(), 40);
        }
    });
    task::expect_none_alive();
}

TEST_P(task_group_on, is_cancelled_by_its_tasks_and_by_tokens) {
    for_some_thread_counts([] {
        teff::task_group group;
        std::atomic<int> called{0};
        group.cancel();
        for (int i = 0; i < 100; ++i)
            group.run([&] { ++called; });
        EXPECT_TRUE(group.is_canceling());
        EXPECT_EQ(group.wait(), teff::task_group_status::canceled);
        EXPECT_EQ(called.load(), 0);
        group.run([&] { ++called; });
        EXPECT_EQ(group.wait(), teff::task_group_status::complete);
        EXPECT_EQ(called.load(), 1);

        std::stop_source source;
        teff::task_group with_token(source.get_token());
        for (int i = 0; i < 1000; ++i)
            with_token.run([&] {
                if (++called == 100)
                    source.request_stop();
            });
        EXPECT_EQ(with_token.wait(), teff::task_group_status::canceled);
        EXPECT_GE(called.load(), 100);
    });
}

TEST_P(task_group_on, handles_have_results) {
    for_some_thread_counts([] {
        std::vector<teff::handle<int>> squares;
        for (int i = 0; i < 200; ++i)
            squares.push_back(teff::spawn([i] { return i * i; }));
        for (int i = 0; i < 200; ++i)
            EXPECT_EQ(squares[static_cast<std::size_t>(i)].get(), i * i);
        EXPECT_FALSE(squares[0].valid());
        EXPECT_EQ(*teff::spawn([] { return std::make_unique<int>(5); }).get(), 5);
        teff::handle<void> failing = teff::spawn([] { throw std::runtime_error("spawned"); });
        failing.wait();
        EXPECT_TRUE(failing.is_ready());
        EXPECT_THROW(failing.get(), std::runtime_error);
        // The destructor waits.
        bool has_run = false;
        { const teff::handle<void> dropped = teff::spawn([&] { has_run = true; }); }
        EXPECT_TRUE(has_run);
    });
}

// Each task waits for a task of its own while it holds the lock. If that wait ran another such task on the same
// thread, the thread would deadlock.
TEST_P(task_group_on, isolation_keeps_others_from_a_wait_inside_a_lock) {
    for_some_thread_counts([] {
        std::mutex lock;
        long sum = 0;
        teff::task_group group;
        for (int i = 0; i < 100; ++i)
            group.run([&] {
                teff::isolate([&] {
                    const std::lock_guard held(lock);
                    const auto [a, b] = teff::fork_join([] { return 1; }, [] { return 2; });
                    teff::task_group inner;
                    for (int j = 0; j < 3; ++j)
                        inner.run([] {});
                    inner.wait();
                    sum += a + b;
                });
            });
        group.wait();
        EXPECT_EQ(sum, 300);
    });
}

long count_until_stopped(std::stop_source& source, std::atomic<long>& calls, unsigned depth) {
    if (++calls == 500)
        source.request_stop();
    if (depth == 0)
        return 1;
    const auto [a, b] = teff::fork_join([&, depth] { return count_until_stopped(source, calls, depth - 1); },
                                        [&, depth] { return count_until_stopped(source, calls, depth - 1); });
    return a + b;
}

TEST_P(task_group_on, a_stop_token_ends_all_that_was_forked) {
    for (const long threads : {1L, 2L, 5L}) {
        std::stop_source source;
        std::atomic<long> calls{0};
        teff::options call = with_threads(threads);
        call.stop = source.get_token();
        EXPECT_THROW(teff::execute(call, [&] { return count_until_stopped(source, calls, 24); }), teff::stopped);
        EXPECT_THROW(teff::execute(call, [&] { teff::fork_join([] {}, [] {}); }), teff::stopped);
        EXPECT_EQ(teff::execute(call, [] { return 5; }), 5);
    }
}

TEST_P(task_group_on, reducers_get_every_contribution) {
    for_some_thread_counts([] {
        teff::reducer<long> sum;
        teff::reducer<std::size_t, decltype([](std::size_t a, std::size_t b) { return std::max(a, b); })> largest;
        teff::task_group group;
        for (std::size_t i = 1; i <= 1000; ++i)
            group.run([&, i] {
                *sum += static_cast<long>(i);
                *largest = std::max(*largest, i);
            });
        group.wait();
        EXPECT_EQ(sum.get(), 500'500);
        EXPECT_EQ(largest.get(), 1000U);
        sum.reset();
        EXPECT_EQ(sum.get(), 0);
    });
}

using letters = teff::ordered_reducer<std::string>;

void spell(letters& text, std::size_t first, std::size_t count) {
    if (count == 1) {
        *text += static_cast<char>('a' + first % 26);
        return;
    }
    teff::fork_join([&text, first, count] { spell(text, first, count / 2); },
                    [&text, first, count] { spell(text, first + count / 2, count - count / 2); });
}

TEST_P(task_group_on, ordered_reducers_keep_the_order_of_the_program) {
    std::string expected(5'000, ' ');
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = static_cast<char>('a' + i % 26);
    for (const long threads : {1L, 2L, 5L, 16L})
        for (int round = 0; round < 5; ++round)
            teff::execute(with_threads(threads), [&] {
                letters text, other;
                spell(text, 0, expected.size());
                EXPECT_EQ(text.get(), expected);
                spell(other, 0, 26);
                EXPECT_EQ(other->size(), 26U);
                text.reset();
                EXPECT_EQ(text.get(), "");
            });
}

TEST_P(task_group_on, ordered_reducers_lose_nothing_of_a_group) {
    for_some_thread_counts([] {
        letters text;
        teff::task_group group;
        for (std::size_t i = 0; i < 300; ++i)
            group.run([&text, i] { spell(text, i, 3); });
        group.wait();
        EXPECT_EQ(text->size(), 900U);
    });
}

// Its caller cannot tell when it ends, but the group can.
using fire_and_forget = tests::detached_coroutine<>;

fire_and_forget visit_in_turns(teff::task_group& group, roll& stops, std::size_t first, std::size_t count) {
    const task alive(0);
    for (std::size_t i = first; i < first + count; ++i) {
        co_await teff::schedule(group);
        teff::fork_join([&stops, i] { stops.call(i); }, [] {});
    }
}

TEST_P(task_group_on, coroutines_resume_once_at_each_turn) {
    for_some_thread_counts([] {
        roll stops(5000);
        teff::task_group group;
        for (std::size_t i = 0; i < 50; ++i)
            visit_in_turns(group, stops, 100 * i, 100);
        group.wait();
        stops.expect_called_once();
        const teff::executor callbacks(group);
        std::atomic<int> called{0};
        callbacks.execute([&] { ++called; });
        group.wait();
        EXPECT_EQ(called.load(), 1);
    });
}

TEST(task_group, a_million_live_groups) {
    constexpr std::size_t count = 1'000'000;
    std::vector<teff::task_group> groups(count);
    std::atomic<std::size_t> called{0};
    for (teff::task_group& each : groups)
        each.run([&] { called.fetch_add(1, std::memory_order_relaxed); });
    for (teff::task_group& each : groups)
        each.wait();
    EXPECT_EQ(called.load(), count);
}

TEST(task_group, tasks_without_a_wait_run_before_execute_returns) {
    for (int round = 0; round < 20; ++round) {
        roll tasks(100);
        teff::task_group group;
        teff::execute({.threads = 3}, [&] {
            for (std::size_t i = 0; i < 100; ++i)
                group.run([&tasks, i] { tasks.call(i); });
        });
        tasks.expect_called_once();
        group.wait();
    }
}

// The thread that added the tasks is blocked, so only workers can run them.
TEST(task_group, is_waited_for_while_the_thread_that_filled_it_is_blocked) {
    for (int round = 0; round < 50; ++round) {
        roll tasks(200);
        teff::execute({.threads = 3}, [&] {
            teff::task_group group;
            for (std::size_t i = 0; i < 200; ++i)
                group.run([&tasks, i] { tasks.call(i); });
            std::thread([&] { group.wait(); }).join();
            tasks.expect_called_once();
        });
    }
}

// Whether a task is called at once or later, its captures are destroyed when wait() returns.
TEST(task_group, takes_what_is_moved_into_it) {
    const auto owned = std::make_shared<int>(1);
    for (const long threads : {1L, 3L})
        teff::execute({.threads = threads}, [&] {
            teff::task_group group;
            for (int i = 0; i < 100; ++i) {
                auto f = [held = owned] { EXPECT_EQ(*held, 1); };
                group.run(std::move(f));
                group.wait();
                ASSERT_EQ(owned.use_count(), 1);
            }
        });
}

// A thread that took such tasks for work at hand would make its forks plain, and have nothing to give away.
TEST(spawn, handles_that_end_elsewhere_are_no_work_at_hand) {
    teff::execute({.threads = 3, .scheduler = "demand"}, [] {
        std::vector<teff::handle<int>> handles;
        for (int i = 0; i < 10; ++i)
            handles.push_back(teff::spawn([i] { return i; }));
        int sum = 0;
        std::thread([&] {
            for (teff::handle<int>& each : handles)
                sum += each.get();
        }).join();
        EXPECT_EQ(sum, 45);
        // The two functions wait for each other.
        std::atomic<int> begun{0};
        const auto meet = [&] {
            begun.fetch_add(1);
            while (begun.load() != 2)
                std::this_thread::yield();
        };
        teff::fork_join(meet, meet);
    });
}

struct refuses {
    int operator()(int, int) const { throw std::runtime_error("combined"); }
};

TEST(reducer, passes_on_what_combining_throws) {
    teff::ordered_reducer<int, refuses> sum;
    const auto add = [&] { *sum += 1; };
    try {
        for (int i = 0; i < 10'000; ++i)
            teff::execute({.threads = 3}, [&] { teff::fork_join(add, [&] { teff::fork_join(add, add); }); });
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "combined");
    }
    teff::reducer<int, refuses> unordered;
    *unordered += 1;
    EXPECT_THROW(static_cast<void>(unordered.get()), std::runtime_error);
}

}  // namespace
