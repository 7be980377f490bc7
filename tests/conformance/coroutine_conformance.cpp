// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that are coroutines, on every scheduler: results and exceptions of all kinds come back, every task runs once,
// and chains of any length use no stack.
#include <tests/conformance/each_choice.hpp>

#include <teff/arena.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/coroutine.hpp>
#include <teff/fork_join.hpp>
#include <teff/reducer.hpp>
#include <teff/task_group.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <coroutine>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using namespace conformance;

// The fixture's name for an item would hide it.
template <class T = void>
using job = teff::task<T>;

class coroutine_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, coroutine_on, testing::ValuesIn(all_rows()), row_names());

job<long> fib(int n) {
    if (n < 2)
        co_return n;
    auto [left, right] = co_await teff::when_all(fib(n - 1), fib(n - 2));
    co_return left + right;
}

job<> add_one(std::atomic<int>& to) {
    to.fetch_add(1);
    co_return;
}

job<int> fail(const char* why) {
    throw std::runtime_error(why);
    co_return 0;
}

TEST_P(coroutine_on, runs_a_tree_of_tasks) {
    for_some_thread_counts([] { EXPECT_EQ(teff::sync_wait(fib(16)), 987); });
    teff::arena arena(with_threads(3));
    EXPECT_EQ(arena.execute([] { return teff::sync_wait(fib(12)); }), 144);
}

TEST_P(coroutine_on, runs_each_of_many_once) {
    for_some_thread_counts([] {
        std::vector<std::atomic<int>> called(2000);
        std::vector<job<>> tasks;
        for (std::atomic<int>& each : called)
            tasks.push_back(add_one(each));
        teff::sync_wait(teff::when_all(std::move(tasks)));
        for (const std::atomic<int>& each : called)
            ASSERT_EQ(each.load(), 1);
    });
}

TEST_P(coroutine_on, throws_the_first_exception_in_order) {
    for_some_thread_counts([] {
        std::atomic<int> called{0};
        try {
            teff::sync_wait(teff::when_all(add_one(called), fail("first"), fail("second"), add_one(called)));
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "first");
        }
        EXPECT_EQ(called.load(), 2);
    });
}

TEST_P(coroutine_on, adds_to_reducers) {
    for_some_thread_counts([] {
        teff::reducer<long> sum;
        const auto add = [](teff::reducer<long>& to, long value) -> job<> {
            *to += value;
            co_return;
        };
        std::vector<job<>> tasks;
        for (long i = 1; i <= 300; ++i)
            tasks.push_back(add(sum, i));
        teff::sync_wait(teff::when_all(std::move(tasks)));
        EXPECT_EQ(sum.get(), 45150);
    });
}

TEST_P(coroutine_on, moves_between_arenas) {
    teff::arena first(with_threads(1)), second(with_threads(2));
    const auto tour = [](teff::arena& a, teff::arena& b) -> job<int> {
        int visits = 0;
        for (int i = 0; i < 100; ++i) {
            co_await a.schedule();
            ++visits;
            co_await b.schedule();
            ++visits;
            const auto [left, right] = co_await teff::when_all(fib(5), fib(6));
            if (left != 5 || right != 8)
                throw std::logic_error("wrong");
        }
        co_return visits;
    };
    EXPECT_EQ(teff::sync_wait(tour(first, second)), 200);
}

TEST_P(coroutine_on, drops_tasks_after_a_stop_request) {
    std::stop_source stop;
    teff::options call = with_threads(3);
    call.stop = stop.get_token();
    const auto stop_and_fork = [](std::stop_source& source) -> job<> {
        source.request_stop();
        std::vector<job<long>> tasks;
        for (int i = 0; i < 100; ++i)
            tasks.push_back(fib(3));
        co_await teff::when_all(std::move(tasks));
    };
    // Those that run here may still end.
    try {
        teff::execute(call, [&] { teff::sync_wait(stop_and_fork(stop)); });
    } catch (const teff::stopped&) {
    }
}

// The rest need no certain scheduler.

TEST(coroutine_task, has_results_of_all_kinds) {
    static int there = 3;
    const auto value = []() -> job<std::unique_ptr<int>> { co_return std::make_unique<int>(7); };
    const auto reference = []() -> job<int&> { co_return there; };
    const auto nothing = []() -> job<> { co_return; };
    const auto all = [&]() -> job<int> {
        const std::unique_ptr<int> owned = co_await value();
        int& same = co_await reference();
        co_await nothing();
        co_return *owned + (&same == &there ? 1 : 0);
    };
    EXPECT_EQ(teff::sync_wait(all()), 8);
    EXPECT_EQ(&teff::sync_wait(reference()), &there);
    EXPECT_EQ(*teff::sync_wait(value()), 7);
    auto [first, second, third] = teff::sync_wait(teff::when_all(value(), reference(), nothing()));
    EXPECT_EQ(*first, 7);
    EXPECT_EQ(&second, &there);
    static_assert(std::is_same_v<decltype(third), std::monostate>);
    EXPECT_EQ(teff::sync_wait(teff::when_all()), std::tuple<>());
    std::vector<job<int&>> references;
    references.push_back(reference());
    EXPECT_EQ(&teff::sync_wait(teff::when_all(std::move(references))).front().get(), &there);
    EXPECT_TRUE(teff::sync_wait(teff::when_all(std::vector<job<int>>())).empty());
}

TEST(coroutine_task, is_lazy_and_runs_here) {
    bool has_begun = false;
    const auto note = [](bool& begun) -> job<std::thread::id> {
        begun = true;
        co_return std::this_thread::get_id();
    };
    {
        const job<std::thread::id> never = note(has_begun);
        EXPECT_TRUE(never.valid());
    }
    EXPECT_FALSE(has_begun);
    EXPECT_EQ(teff::sync_wait(note(has_begun)), std::this_thread::get_id());
    EXPECT_TRUE(has_begun);
}

TEST(coroutine_task, is_awaited_once) {
    job<long> once = fib(3);
    EXPECT_EQ(teff::sync_wait(std::move(once)), 2);
    EXPECT_FALSE(once.valid());
    EXPECT_THROW(teff::sync_wait(std::move(once)), std::logic_error);
    const auto await_none = [](job<long> none) -> job<> { co_await std::move(none); };
    EXPECT_THROW(teff::sync_wait(await_none(std::move(once))), std::logic_error);
    EXPECT_THROW(teff::sync_wait(teff::when_all(fib(1), std::move(once))), std::logic_error);
}

// A million frames on the stack would not fit.
constexpr int very_deep = 1'000'000;

job<long> chain(int left) {
    if (left == 0)
        co_return 0;
    co_return 1 + co_await chain(left - 1);
}
job<long> chain_of_all(int left, bool first) {
    if (left == 0)
        co_return 0;
    if (first) {
        const auto [deep, flat] = co_await teff::when_all(chain_of_all(left - 1, first), chain(0));
        co_return 1 + deep + flat;
    }
    const auto [flat, deep] = co_await teff::when_all(chain(0), chain_of_all(left - 1, first));
    co_return 1 + deep + flat;
}
job<long> failing_chain(int left) {
    if (left == 0)
        throw std::runtime_error("end");
    co_return 1 + co_await failing_chain(left - 1);
}

TEST(coroutine_task, chains_of_a_million_use_no_stack) {
    EXPECT_EQ(teff::sync_wait(chain(very_deep)), very_deep);
}

long length_of_chain(long threads, bool first) {
    return teff::execute({.threads = threads}, [&] { return teff::sync_wait(chain_of_all(very_deep, first)); });
}

// With a sanitizer a million frames of when_all() take minutes and several GB, so these run in `make test-long` there.
#if defined(TEFF_INSTRUMENTED)
#define IN_LONG_TESTS_OF_SANITIZERS(name) DISABLED_##name
#else
#define IN_LONG_TESTS_OF_SANITIZERS(name) name
#endif

TEST(coroutine_task, IN_LONG_TESTS_OF_SANITIZERS(chains_through_the_first_of_several_use_no_stack)) {
    EXPECT_EQ(length_of_chain(1, true), very_deep);
    EXPECT_EQ(length_of_chain(2, true), very_deep);
}

TEST(coroutine_task, IN_LONG_TESTS_OF_SANITIZERS(chains_through_the_last_of_several_use_no_stack)) {
    EXPECT_EQ(length_of_chain(1, false), very_deep);
    EXPECT_EQ(length_of_chain(2, false), very_deep);
}

TEST(coroutine_task, many_of_them_in_a_row_use_no_stack) {
    const auto in_a_row = []() -> job<long> {
        long sum = 0;
        for (int i = 0; i < very_deep; ++i)
            sum += co_await chain(1);
        co_return sum;
    };
    EXPECT_EQ(teff::sync_wait(in_a_row()), very_deep);
}

TEST(coroutine_task, passes_an_exception_through_a_chain) {
    EXPECT_THROW(teff::sync_wait(failing_chain(1000)), std::runtime_error);
}

// An awaitable of another library, which resumes the coroutine on a thread of its own, or at once.
struct other_thread {
    std::atomic<int>& running;
    bool at_once = false;

    static bool await_ready() noexcept { return false; }
    // As soon as the thread has begun, this object may be gone.
    void await_suspend(std::coroutine_handle<> waiting) const {
        if (at_once)
            return waiting.resume();
        running.fetch_add(1);
        std::thread([waiting, count = &running] {
            waiting.resume();
            count->fetch_sub(1);
        }).detach();
    }
    static void await_resume() noexcept {}
};

TEST(coroutine_task, awaits_other_kinds_of_awaitables) {
    std::atomic<int> running{0};
    const auto wander = [](std::atomic<int>& threads, int count) -> job<long> {
        long sum = 0;
        for (int i = 0; i < count; ++i) {
            co_await other_thread{threads};
            sum += co_await chain(10);
            co_await other_thread{threads, true};
            const auto [left, right] = co_await teff::when_all(chain(3), fib(4));
            sum += left + right;
        }
        co_return sum;
    };
    EXPECT_EQ(teff::sync_wait(wander(running, 20)), 20 * 16);
    while (running.load() != 0)
        teff::yield_thread();
}

struct throws_in_suspend {
    static bool await_ready() noexcept { return false; }
    static bool await_suspend(std::coroutine_handle<>) { throw std::runtime_error("no"); }
    static void await_resume() noexcept {}
};
struct does_not_suspend {
    static bool await_ready() noexcept { return false; }
    static bool await_suspend(std::coroutine_handle<>) noexcept { return false; }
    static int await_resume() noexcept { return 4; }
};

TEST(coroutine_task, goes_on_where_an_awaitable_does_not_suspend_it) {
    const auto ask = []() -> job<long> {
        bool has_thrown = false;
        try {
            co_await throws_in_suspend{};
        } catch (const std::runtime_error&) {
            has_thrown = true;
        }
        const int four = co_await does_not_suspend{};
        const long five = co_await chain(5);
        co_return has_thrown ? four + five : 0;
    };
    EXPECT_EQ(teff::sync_wait(ask()), 9);
}

// A coroutine type of another library.
struct fire_and_forget {
    struct promise_type {
        static fire_and_forget get_return_object() noexcept { return {}; }
        static std::suspend_never initial_suspend() noexcept { return {}; }
        static std::suspend_never final_suspend() noexcept { return {}; }
        static void return_void() noexcept {}
        static void unhandled_exception() noexcept { std::terminate(); }
    };
};

fire_and_forget await_task(std::atomic<long>& result) {
    const long found = co_await fib(10);
    result.store(found + co_await chain(100));
}

TEST(coroutine_task, is_awaited_by_other_kinds_of_coroutines) {
    std::atomic<long> result{0};
    teff::execute({.threads = 2}, [&] {
        await_task(result);
        while (result.load() == 0) {
            teff::task_group none;
            none.run([] {});
            none.wait();
            teff::yield_thread();
        }
    });
    EXPECT_EQ(result.load(), 155);
}

}  // namespace
