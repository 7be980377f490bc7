// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_pipeline on every scheduler: each value passes through all stages, in order where a stage asks for order.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_pipeline.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace conformance;

class parallel_pipeline_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_pipeline_on, testing::ValuesIn(all_rows()), row_names());

// Squares of numbers, through stages of all modes, with few values in flight.
std::vector<long> squares(long count, std::size_t tokens, long failing_at = -1) {
    using teff::filter_mode;
    long next = 0;
    std::atomic<int> inside{0};
    std::vector<long> found;
    const auto alone = [&](long n) {
        EXPECT_EQ(inside.fetch_add(1), 0);
        inside.fetch_sub(1);
        return std::make_unique<long>(n);
    };
    teff::parallel_pipeline(tokens,
        teff::make_filter<void, long>(filter_mode::serial_in_order, [&](teff::flow_control& flow) {
            if (next == count)
                flow.stop();
            return next++;
        }) &
        teff::make_filter<long, long>(filter_mode::parallel, [=](long n) {
            if (n == failing_at)
                throw std::runtime_error("a filter");
            return n * n;
        }) &
        teff::make_filter<long, std::unique_ptr<long>>(filter_mode::serial_out_of_order, alone) &
        teff::make_filter<std::unique_ptr<long>, void>(filter_mode::serial_in_order,
                                                       [&](std::unique_ptr<long> n) { found.push_back(*n); }));
    return found;
}

TEST_P(parallel_pipeline_on, keeps_the_order) {
    for (const long threads : {1L, 2L, 5L})
        teff::execute(with_threads(threads), [] {
            for (const std::size_t tokens : {1U, 2U, 7U, 1000U}) {
                const std::vector<long> found = squares(300, tokens);
                ASSERT_EQ(found.size(), 300U);
                for (long i = 0; i < 300; ++i)
                    ASSERT_EQ(found[static_cast<std::size_t>(i)], i * i);
            }
            EXPECT_TRUE(squares(0, 3).empty());
            EXPECT_THROW(squares(100, 5, 50), std::runtime_error);
            EXPECT_THROW(squares(100, 0), std::invalid_argument);
            EXPECT_THROW(teff::parallel_pipeline(1, teff::filter<void, void>()), std::invalid_argument);
            EXPECT_THROW((teff::filter<void, int>() & teff::filter<int, void>()), std::invalid_argument);
        });
}

class parallel_pipeline_sharing : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_pipeline_sharing, testing::ValuesIn(rows_that_share()), row_names());

// A filter that is called for two values at a time: each call waits for another one.
TEST_P(parallel_pipeline_sharing, calls_of_a_parallel_filter_may_wait_for_each_other) {
    constexpr long values = 6;
    constexpr int pipelines = sanitized ? 50 : 500;
    for (const long threads : {2L, 4L})
        teff::execute(with_threads(threads), [&] {
            for (int i = 0; i < pipelines; ++i) {
                std::atomic<long> called{0};
                long next = 0, sum = 0;
                teff::parallel_pipeline(
                    4,
                    teff::make_filter<void, long>(teff::filter_mode::serial_in_order,
                                                  [&](teff::flow_control& flow) {
                                                      if (next == values)
                                                          flow.stop();
                                                      return next++;
                                                  }) &
                        teff::make_filter<long, long>(teff::filter_mode::parallel,
                                                      [&](long n) {
                                                          const long both = (called.fetch_add(1) | 1) + 1;
                                                          while (called.load() < both)
                                                              std::this_thread::yield();
                                                          return n;
                                                      }) &
                        teff::make_filter<long, void>(teff::filter_mode::serial_out_of_order,
                                                      [&](long n) { sum += n; }));
                ASSERT_EQ(sum, values * (values - 1) / 2);
            }
        });
}

// Runs that many pipelines, each with `values` values, eight of them on their way at a time. Behind two stages that
// take one value at a time, pairs of values wait for each other; then they leave in order.
void expect_pairs_to_meet(const teff::options& call, int pipelines, int values) {
    using teff::filter_mode;
    teff::execute(call, [&] {
        for (int i = 0; i < pipelines; ++i) {
            std::vector<std::atomic<int>> met(static_cast<std::size_t>(values / 2));
            int made = 0, seen = 0, left = 0;
            bool enter_in_order = true, leave_in_order = true;
            teff::parallel_pipeline(
                8, teff::make_filter<void, int>(filter_mode::serial_out_of_order, [&](teff::flow_control& flow) {
                       if (made == values)
                           flow.stop();
                       return made++;
                   }) & teff::make_filter<int, int>(filter_mode::serial_in_order, [&](int n) {
                       enter_in_order = enter_in_order && n == seen++;
                       return n;
                   }) & teff::make_filter<int, int>(filter_mode::parallel, [&](int n) {
                       std::atomic<int>& pair = met[static_cast<std::size_t>(n / 2)];
                       ++pair;
                       while (pair.load() < 2)
                           std::this_thread::yield();
                       return n;
                   }) & teff::make_filter<int, void>(filter_mode::serial_in_order, [&](int n) {
                       leave_in_order = leave_in_order && n == left++;
                   }));
            ASSERT_TRUE(enter_in_order && leave_in_order);
            ASSERT_EQ(left, values);
        }
    });
}

TEST_P(parallel_pipeline_sharing, hides_no_value_from_other_threads) {
    for (const long threads : {2L, 3L, 4L, 8L})
        expect_pairs_to_meet(with_threads(threads), sanitized ? 30 : 300, 24);
}

TEST(parallel_pipeline, hides_no_value_in_ten_thousand_runs) {
    for (const long threads : {2L, 3L, 4L, 8L})
        expect_pairs_to_meet({.threads = threads}, sanitized ? 300 : 10'000, 24);
}

// Each processor has other work.
TEST(parallel_pipeline, hides_no_value_beside_busy_threads) {
    std::atomic<bool> is_over{false};
    std::vector<std::jthread> busy;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        busy.emplace_back([&] {
            while (!is_over.load())
                continue;
        });
    for (const long threads : {2L, 3L, 4L, 8L})
        expect_pairs_to_meet({.threads = threads}, 20, 24);
    is_over.store(true);
}

// The numbers from 1 to `last`.
auto numbers(int last) {
    return [last, next = 1](teff::flow_control& flow) mutable {
        if (next > last)
            flow.stop();
        return next++;
    };
}

struct point {
    int x, y;
    int sum() const { return x + y; }
    point turned() && { return {y, x}; }
};

TEST_P(parallel_pipeline_on, calls_pointers_to_members) {
    using teff::filter_mode;
    for (const long threads : {1L, 4L})
        teff::execute(with_threads(threads), [] {
            long sums = 0, ys = 0;
            const auto start = [](int n) { return point{n, 2 * n}; };
            teff::parallel_pipeline(4, numbers(100), teff::make_filter(filter_mode::parallel, start),
                teff::make_filter(filter_mode::parallel, &point::turned), &point::x, [&](int y) { ys += y; });
            EXPECT_EQ(ys, 2 * 5050);
            // With stated types, and through a pointer that owns the object.
            teff::parallel_pipeline(4,
                teff::make_filter<void, std::unique_ptr<point>>(filter_mode::serial_in_order,
                    [next = numbers(100)](teff::flow_control& flow) mutable {
                        const int n = next(flow);
                        return std::make_unique<point>(point{n, 1});
                    }) &
                teff::make_filter<std::unique_ptr<point>, long>(filter_mode::parallel, &point::sum) &
                teff::make_filter<long, void>(filter_mode::serial_in_order, [&](long sum) { return sums += sum; }));
            EXPECT_EQ(sums, 5050 + 100);
        });
}

// Counts its calls, and can neither be copied nor moved.
struct adder {
    adder() = default;
    adder(const adder&) = delete;
    adder& operator=(const adder&) = delete;
    int operator()(int n) {
        sum += n;
        return n;
    }
    long sum = 0;
};

TEST_P(parallel_pipeline_on, calls_functions_in_variables_in_place) {
    using teff::filter_mode;
    for (const long threads : {1L, 4L})
        teff::execute(with_threads(threads), [] {
            adder one, two, three;
            auto first = numbers(100);
            teff::parallel_pipeline(4, first, one, teff::make_filter(filter_mode::serial_out_of_order, std::ref(two)),
                three);
            EXPECT_EQ(one.sum, 5050);
            EXPECT_EQ(two.sum, 5050);
            EXPECT_EQ(three.sum, 5050);
            // The state of `first` itself has changed.
            teff::flow_control flow;
            EXPECT_EQ(first(flow), 102);
            const auto kept = teff::make_filter<int, void>(filter_mode::serial_in_order, std::ref(one));
            teff::parallel_pipeline(4, numbers(10), kept);
            EXPECT_EQ(one.sum, 5050 + 55);
        });
}

TEST_P(parallel_pipeline_on, moves_functions_that_cannot_be_copied) {
    using teff::filter_mode;
    long sum = 0;
    const auto times = [](int factor) {
        return [factor = std::make_unique<int>(factor)](int n) { return *factor * n; };
    };
    teff::execute(with_threads(3), [&] {
        auto by_five = times(5);
        const auto by_seven = teff::make_filter(filter_mode::parallel, times(7));
        teff::parallel_pipeline(4, numbers(100), times(2), teff::make_filter(filter_mode::parallel, times(3)),
            teff::make_filter<int, int>(filter_mode::parallel, std::move(by_five)), by_seven,
            [&sum, alive = std::make_unique<int>(1)](int n) { sum += *alive * n; });
    });
    EXPECT_EQ(sum, 2 * 3 * 5 * 7 * 5050);
}

// Each filter takes what the one before it returns, as a value.
TEST_P(parallel_pipeline_on, deduces_the_types_of_values) {
    using teff::filter_mode;
    teff::execute(with_threads(3), [] {
        std::string texts;
        const std::string part = "ab";
        teff::parallel_pipeline(
            4, numbers(20),
            [](auto n) {
                static_assert(std::is_same_v<decltype(n), int>);
                return long{n};
            },
            teff::make_filter(filter_mode::parallel,
                              [&](auto&& n) -> const std::string& {
                                  static_assert(std::is_same_v<decltype(n), long&&>);
                                  return part;
                              }),
            [](auto&& text) {
                static_assert(std::is_same_v<decltype(text), std::string&&>);
                return std::move(text);
            },
            [&](auto text) { texts += text; });
        EXPECT_EQ(texts.size(), 40U);
        // Only the input, whose values are dropped.
        int calls = 0;
        teff::parallel_pipeline(2, [&](teff::flow_control& flow) {
            if (++calls == 10)
                flow.stop();
            return calls;
        });
        EXPECT_EQ(calls, 10);
    });
}

// Chains with stated types stand among functions.
TEST_P(parallel_pipeline_on, takes_chains_one_by_one) {
    using teff::filter_mode;
    teff::execute(with_threads(3), [] {
        long sum = 0;
        const auto chain = teff::make_filter<int, long>(filter_mode::parallel, [](int n) { return n + 1; }) &
                           teff::make_filter<long, long>(filter_mode::parallel, [](long n) { return 10 * n; });
        const auto add = [&](auto n) {
            static_assert(std::is_same_v<decltype(n), long>);
            sum += n;
        };
        teff::parallel_pipeline(4, numbers(100), chain, add);
        EXPECT_EQ(sum, 10 * (5050 + 100));
        const teff::filter<int, long> empty;
        EXPECT_THROW(teff::parallel_pipeline(4, numbers(100), empty, add), std::invalid_argument);
        EXPECT_THROW(teff::parallel_pipeline(0, numbers(100), chain, add), std::invalid_argument);
    });
}

// Either all values reach the last stage, or the caller is told that the pipeline was stopped.
TEST_P(parallel_pipeline_on, says_when_it_was_stopped) {
    for (const long threads : {1L, 2L, 5L}) {
        std::stop_source stop;
        teff::options call = with_threads(threads);
        call.stop = stop.get_token();
        std::atomic<long> begun{0}, ended{0};
        try {
            teff::execute(call, [&] {
                using teff::filter_mode;
                teff::parallel_pipeline(8,
                    teff::make_filter<void, long>(filter_mode::serial_in_order, [&](teff::flow_control& flow) {
                        if (begun == 500)
                            flow.stop();
                        return begun++;
                    }) &
                    teff::make_filter<long, long>(filter_mode::parallel, [&](long n) {
                        if (n == 100)
                            stop.request_stop();
                        return n;
                    }) &
                    teff::make_filter<long, void>(filter_mode::serial_in_order, [&](long) { ++ended; }));
                EXPECT_EQ(ended.load(), 500);
            });
        } catch (const teff::stopped&) {
        }
    }
}

}  // namespace
