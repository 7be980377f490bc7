// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fork-join on every scheduler: each function is called once, its result is available when the call returns, and an
// exception reaches the caller, but nothing beyond it.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/strand/running_strand.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <ucontext.h>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace conformance;

class fork_join_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, fork_join_on, testing::ValuesIn(all_rows()), row_names());

// The leaves of a binary tree, numbered from `first`, and how often each was reached.
class leaves {
public:
    explicit leaves(std::size_t count) : reached_(count) {}

    long visit(std::size_t first, std::size_t count) {
        if (count == 1) {
            reached_[first].fetch_add(1);
            return static_cast<long>(first);
        }
        const auto [low, high] = teff::fork_join([=, this] { return visit(first, count / 2); },
                                                 [=, this] { return visit(first + count / 2, count - count / 2); });
        return low + high;
    }
    void expect_reached_once(long sum) const {
        const auto count = static_cast<long>(reached_.size());
        EXPECT_EQ(sum, count * (count - 1) / 2);
        for (const std::atomic<int>& each : reached_)
            ASSERT_EQ(each.load(), 1);
    }

private:
    std::vector<std::atomic<int>> reached_;
};

// task_limit counts tasks that have not run yet. Only a few are queued here at any time, although far more forks are
// open.
TEST_P(fork_join_on, finished_second_functions_do_not_count_against_the_limit) {
    const teff::scheduler_traits& traits = GetParam().traits;
    if (traits.bound == nullptr || traits.bound != std::string_view("task_limit") || traits.binds)
        GTEST_SKIP() << "no such limit, or the worker need not get the second function";
    const auto limit = static_cast<unsigned>(teff::scheduler_settings{}.task_limit);
    const unsigned depth = limit + limit / 4;
    std::atomic<unsigned> elsewhere{0};
    const std::thread::id here = std::this_thread::get_id();
    const auto go = [&](const auto& self, unsigned level) -> void {
        if (level == depth) {
            // The scheduler has refused no job, so none has stayed private.
            for (const teff::forking::job* each = teff::running_strand().youngest; each != nullptr; each = each->before)
                ASSERT_TRUE(each->is_shared);
            return;
        }
        teff::fork_join(
            [&] {
                // On the first `limit` levels, the other member runs each second function before the next fork.
                while (level < limit && elsewhere.load() != level + 1)
                    std::this_thread::yield();
                self(self, level + 1);
            },
            [&] {
                if (std::this_thread::get_id() != here)
                    elsewhere.fetch_add(1);
            });
    };
    teff::execute(with_threads(2), [&] { go(go, 0); });
    EXPECT_GE(elsewhere.load(), limit);
}

TEST_P(fork_join_on, calls_each_function_once) {
    for (const long threads : thread_counts) {
        leaves tree(5000);
        tree.expect_reached_once(teff::execute(with_threads(threads), [&] { return tree.visit(0, 5000); }));
    }
}

// Only the first function recurses, so all second functions are pending at once.
long skewed(long levels) {
    if (levels == 0)
        return 0;
    const auto [rest, one] = teff::fork_join([=] { return skewed(levels - 1); }, [] { return 1L; });
    return rest + one;
}

TEST_P(fork_join_on, goes_deep_on_one_side) {
    for (const long threads : {1L, 3L})
        EXPECT_EQ(teff::execute(with_threads(threads), [] { return skewed(3000); }), 3000);
}

// The same recursion, written so that no compiler turns it into a loop.
long deep(long levels) {
    const volatile long here = levels;
    if (levels == 0)
        return 0;
    const auto [rest, one] = teff::fork_join([=] { return deep(levels - 1); }, [] { return 1L; });
    return rest + one + here - levels;
}

TEST_P(fork_join_on, says_when_the_stack_is_used_up) {
    if (sanitized)
        GTEST_SKIP() << "ThreadSanitizer's own stack of calls is shorter than ours";
    for (const long threads : {1L, 3L}) {
        EXPECT_THROW(teff::execute(with_threads(threads), [] { return deep(10'000'000); }), teff::stack_exhausted);
        EXPECT_EQ(teff::execute(with_threads(threads), [] { return skewed(100); }), 100);
    }
}

// Two functions. One forks again and again until the other one has begun; at these forks it sees the request for
// work.
TEST_P(fork_join_on, lets_an_idle_worker_help) {
    std::atomic<bool> begun{false};
    teff::execute(with_threads(2), [&] {
        teff::fork_join(
            [&] {
                while (!begun.load())
                    teff::fork_join([] {}, [] {});
            },
            [&] { begun.store(true); });
    });
    EXPECT_TRUE(begun.load());
}

// The n-th leaf that is reached throws.
class throwing_leaves {
public:
    explicit throwing_leaves(int at) : left_(at) {}

    void visit(unsigned depth) {
        const task alive(0);
        if (depth == 0) {
            if (left_.fetch_sub(1) == 1)
                throw std::runtime_error("a leaf");
            return;
        }
        teff::fork_join([=, this] { visit(depth - 1); }, [=, this] { visit(depth - 1); });
    }

private:
    std::atomic<int> left_;
};

TEST_P(fork_join_on, passes_on_what_is_thrown_anywhere) {
    for (const long threads : {1L, 2L, 5L}) {
        for (int at = 1; at <= 33; ++at) {
            throwing_leaves tree(at);
            bool caught = false;
            try {
                teff::execute(with_threads(threads), [&] { tree.visit(5); });
            } catch (const std::runtime_error&) {
                caught = true;
            }
            ASSERT_EQ(caught, at <= 32) << at;
            task::expect_none_alive();
        }
        leaves tree(100);
        tree.expect_reached_once(teff::execute(with_threads(threads), [&] { return tree.visit(0, 100); }));
    }
}

TEST_P(fork_join_on, the_first_function_s_exception_wins) {
    for (const long threads : {1L, 2L}) {
        const auto both = [&] {
            teff::fork_join([] { throw std::runtime_error("first"); }, [] { throw std::logic_error("second"); });
        };
        for (int i = 0; i < 50; ++i)
            EXPECT_THROW(teff::execute(with_threads(threads), both), std::runtime_error);
    }
}

// A tree whose nodes fork ten functions at once. Returns the sum of the leaves' numbers.
long wide(long first, long leaves) {
    if (leaves == 1)
        return first;
    const long each = leaves / 10;
    const auto child = [=](long index) { return [=] { return wide(first + index * each, each); }; };
    const auto sums = teff::fork_join(child(0), child(1), child(2), child(3), child(4), child(5), child(6), child(7),
                                      child(8), child(9));
    return std::apply([](auto... sum) { return (sum + ...); }, sums);
}

TEST_P(fork_join_on, many_functions_are_called_once_each) {
    for (const long threads : {1L, 2L, 3L})
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(teff::execute(with_threads(threads), [] { return wide(0, 10'000); }), 49'995'000);
}

// Forks `Count` functions, which return their indices; those that are named in `throwing` throw them.
template <std::size_t... Index>
std::vector<std::size_t> fork_some(std::uint32_t throwing, std::index_sequence<Index...>) {
    const auto function = [=](std::size_t index) {
        return [=] {
            if ((throwing >> index & 1) != 0)
                throw index;
            return index;
        };
    };
    return std::apply([](auto... index) { return std::vector{index...}; }, teff::fork_join(function(Index)...));
}
template <std::size_t Count>
void expect_order_of(const teff::options& how) {
    constexpr std::make_index_sequence<Count> indices;
    const std::vector<std::size_t> found = teff::execute(how, [&] { return fork_some(0, indices); });
    for (std::size_t i = 0; i < Count; ++i)
        EXPECT_EQ(found.at(i), i);
    EXPECT_EQ(found.size(), Count);
    for (std::uint32_t throwing = 1; throwing < 1U << Count; ++throwing) {
        try {
            teff::execute(how, [&] { return fork_some(throwing, indices); });
            ADD_FAILURE() << "nothing was thrown";
        } catch (std::size_t index) {
            EXPECT_EQ(index, static_cast<std::size_t>(std::countr_zero(throwing))) << Count << " " << throwing;
        }
    }
}

TEST_P(fork_join_on, results_and_exceptions_of_many_functions_are_those_of_the_argument_order) {
    for (const long threads : {1L, 2L}) {
        const teff::options how = with_threads(threads);
        expect_order_of<3>(how);
        expect_order_of<4>(how);
        expect_order_of<5>(how);
        expect_order_of<7>(how);
    }
}

TEST_P(fork_join_on, works_inside_itself_and_reductions) {
    const teff::options call = with_threads(3);
    const auto inner = [&] {
        leaves tree(200);
        tree.expect_reached_once(teff::execute(with_threads(2), [&] { return tree.visit(0, 200); }));
        return works(call);
    };
    const auto [one, two] = teff::execute(call, [&] { return teff::fork_join(inner, inner); });
    EXPECT_TRUE(one && two);
    const auto body = [&](const enqueue& enq, std::uint32_t more) -> long {
        if (more != 0)
            enq(more - 1);
        return skewed(20);
    };
    EXPECT_EQ(reduce(call, body, 9), 200);
}

TEST(fork_join, returns_values_of_all_kinds) {
    int called = 0;
    int target = 7;
    const auto [number, text, nothing, copied, owner] = teff::fork_join(
        [] { return 1; }, [] { return std::string("two"); }, [&] { ++called; }, [&]() -> int& { return target; },
        [] { return std::make_unique<int>(5); });
    EXPECT_EQ(number, 1);
    EXPECT_EQ(text, "two");
    EXPECT_EQ(called, 1);
    static_assert(std::is_same_v<decltype(nothing), const std::monostate>);
    static_assert(std::is_same_v<decltype(copied), const int>);
    EXPECT_EQ(copied, 7);
    EXPECT_EQ(*owner, 5);
}

TEST(fork_join, takes_functions_that_cannot_be_copied_or_moved) {
    struct fixed {
        std::atomic<int> calls{0};
        int operator()() { return ++calls; }
    } one, two;
    for (int i = 1; i <= 100; ++i)
        EXPECT_EQ(teff::fork_join(one, two), std::tuple(i, i));
    auto moved = std::make_unique<int>(3);
    EXPECT_EQ(std::get<1>(teff::fork_join([] {}, [own = std::move(moved)] { return *own; })), 3);
}

long two() { return 2; }
void nothing() {}

TEST(fork_join, takes_functions_by_name) {
    EXPECT_EQ(teff::fork_join(two, two), std::tuple(2L, 2L));
    EXPECT_EQ(teff::fork_join(nothing, two, &two), std::tuple(std::monostate(), 2L, 2L));
}

TEST(fork_join, keeps_results_that_are_tuples_in_one_piece) {
    const auto pair = [] { return std::pair(1, 2L); };
    const auto tuple = [] { return std::tuple('a', 'b'); };
    EXPECT_EQ(teff::fork_join(pair, tuple, pair),
              std::tuple(std::pair(1, 2L), std::tuple('a', 'b'), std::pair(1, 2L)));
    const auto nested = teff::fork_join([] { return teff::fork_join(two, two); }, two, two);
    EXPECT_EQ(nested, std::tuple(std::tuple(2L, 2L), 2L, 2L));
}

TEST(fork_join, execute_passes_on_results_and_errors) {
    int target = 0;
    static_assert(std::is_same_v<decltype(teff::execute({}, [&]() -> int& { return target; })), int&>);
    teff::execute({}, [&]() -> int& { return target; }) = 4;
    EXPECT_EQ(target, 4);
    static_assert(std::is_same_v<decltype(teff::execute({}, [&]() -> int&& { return std::move(target); })), int&&>);
    EXPECT_EQ(teff::execute({}, [&]() -> int&& { return std::move(target); }), 4);
    EXPECT_EQ(*teff::execute({.threads = 2}, [] { return std::make_unique<int>(6); }), 6);
    EXPECT_THROW(teff::execute({}, [] { throw std::runtime_error("mine"); }), std::runtime_error);
    EXPECT_THROW(teff::execute({.threads = 0}, [] {}), std::invalid_argument);
    EXPECT_THROW(teff::execute({.scheduler = "fastest"}, [] {}), std::invalid_argument);
}

// The code runs on a stack that is not the thread's own, for which the known stack bounds do not hold.
TEST(fork_join, works_on_another_stack) {
    if (sanitized)
        GTEST_SKIP() << "sanitizers would have to be told of the stack";
    static ucontext_t outside, inside;
    static long sum;
    std::vector<char> stack(std::size_t{1} << 20);
    ASSERT_EQ(getcontext(&inside), 0);
    inside.uc_stack.ss_sp = stack.data();
    inside.uc_stack.ss_size = stack.size();
    inside.uc_link = &outside;
    makecontext(&inside, [] { sum = teff::execute({.threads = 3}, [] { return leaves(500).visit(0, 500); }); }, 0);
    ASSERT_EQ(swapcontext(&outside, &inside), 0);
    EXPECT_EQ(sum, 500 * 499 / 2);
}

TEST(fork_join, is_called_from_many_threads_at_once) {
    constexpr unsigned callers = 500;
    std::vector<long> sums(callers);
    std::vector<std::thread> threads;
    for (long& sum : sums)
        threads.emplace_back([&sum] { sum = skewed(50) + leaves(100).visit(0, 100); });
    for (std::thread& each : threads)
        each.join();
    for (const long sum : sums)
        EXPECT_EQ(sum, 50 + 99 * 100 / 2);
}

}  // namespace
