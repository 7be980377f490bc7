// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting on every scheduler: inputs that are hard for quicksort, stability, types that can only be moved, and
// exceptions, after which no element is lost.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace conformance;

class parallel_sort_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_sort_on, testing::ValuesIn(all_rows()), row_names());

struct numbered {
    std::uint32_t key, place;
};
bool by_key(const numbered& left, const numbered& right) { return left.key < right.key; }

// The i-th key of n, for inputs of all shapes.
using shape = std::uint32_t (*)(std::uint32_t i, std::uint32_t n);
constexpr shape shapes[] = {
    [](std::uint32_t i, std::uint32_t) { return i * 2654435761u; },              // no order
    [](std::uint32_t i, std::uint32_t) { return i; },                            // sorted
    [](std::uint32_t i, std::uint32_t n) { return n - i; },                      // reversed
    [](std::uint32_t, std::uint32_t) { return 7u; },                             // all equal
    [](std::uint32_t i, std::uint32_t n) { return std::min(i, n - i); },         // organ pipe
    [](std::uint32_t i, std::uint32_t) { return i * 2654435761u >> 30; },        // four values
    [](std::uint32_t i, std::uint32_t n) { return i + 1 == n ? 0 : i; },         // sorted but for the last
    [](std::uint32_t i, std::uint32_t) { return i % 100; },                      // saw
};

// Forks begin at 1024 elements, merges are divided from 4096 on.
constexpr std::uint32_t large = 20'000;

std::vector<numbered> make(shape of, std::uint32_t count) {
    std::vector<numbered> made;
    for (std::uint32_t i = 0; i != count; ++i)
        made.push_back({of(i, count), i});
    return made;
}

// The same elements as before, in order; equal ones in their first order if `stable`.
void expect_sorted(const std::vector<numbered>& values, shape of, bool stable) {
    const auto count = static_cast<std::uint32_t>(values.size());
    std::vector<bool> seen(count);
    for (std::uint32_t i = 0; i != count; ++i) {
        ASSERT_EQ(values[i].key, of(values[i].place, count));
        ASSERT_FALSE(seen[values[i].place]);
        seen[values[i].place] = true;
        if (i == 0)
            continue;
        ASSERT_LE(values[i - 1].key, values[i].key);
        if (stable && values[i - 1].key == values[i].key) {
            ASSERT_LT(values[i - 1].place, values[i].place);
        }
    }
}

template <class Values, class Before>
void sort(Values& values, const Before& before, bool stable) {
    if (stable)
        teff::parallel_stable_sort(values, before);
    else
        teff::parallel_sort(values, before);
}

TEST_P(parallel_sort_on, sorts_inputs_of_all_shapes) {
    for (const long threads : {1L, 2L, 5L}) {
        for (const shape each : shapes) {
            for (const std::uint32_t count : std::initializer_list<std::uint32_t>{0, 1, 2, 3, 25, 500, large}) {
                std::vector<numbered> fast = make(each, count), stable = fast;
                teff::execute(with_threads(threads), [&] {
                    teff::parallel_sort(fast, by_key);
                    teff::parallel_stable_sort(stable.begin(), stable.end(), by_key);
                });
                expect_sorted(fast, each, false);
                expect_sorted(stable, each, true);
            }
        }
    }
}

// Large enough for divisions by several threads.
TEST_P(parallel_sort_on, divides_a_large_range_together) {
    std::mt19937 random(5);
    std::vector<std::uint32_t> values(600'000);
    std::generate(values.begin(), values.end(), random);
    std::vector<std::uint32_t> expected = values;
    std::sort(expected.begin(), expected.end(), std::greater<>());
    teff::execute(with_threads(3), [&] { teff::parallel_sort(values, std::greater<>()); });
    EXPECT_EQ(values, expected);
}

// The elements, in any order.
std::vector<std::uint32_t> numbers_of(const std::vector<task>& values) {
    std::vector<std::uint32_t> numbers;
    for (const task& each : values)
        numbers.push_back(each.number());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

TEST_P(parallel_sort_on, loses_no_element_when_a_comparison_throws) {
    failure_point comparisons("a comparison");
    const auto before = [&](const task& left, const task& right) {
        comparisons.pass();
        return left.number() % 1000 < right.number() % 1000;
    };
    for (const long threads : {1L, 3L}) {
        for (const int at : {1, 5, 100, 3'000, 10'000, 100'000}) {
            for (const bool stable : {false, true}) {
                std::vector<task> values;
                for (std::uint32_t i = 0; i != 2'000; ++i)
                    values.emplace_back(i * 2654435761u);
                const std::vector<std::uint32_t> expected = numbers_of(values);
                comparisons.set(at);
                bool caught = false;
                try {
                    teff::execute(with_threads(threads), [&] {
                        sort(values, before, stable);
                    });
                } catch (const failure&) {
                    caught = true;
                }
                ASSERT_EQ(caught, comparisons.reached());
                ASSERT_EQ(numbers_of(values), expected);
            }
        }
    }
}

// Sorts elements in calls that are stopped after a number of comparisons, and expects to find all of them.
template <class T>
void stop_sorts(teff::options call, const std::vector<T>& elements) {
    std::vector<T> expected = elements;
    std::sort(expected.begin(), expected.end());
    for (const int at : {1, 1'000, 20'000, 80'000}) {
        for (const bool stable : {false, true}) {
            std::vector<T> values = elements;
            std::stop_source stop;
            std::atomic<int> compared{0};
            const auto before = [&](const T& left, const T& right) {
                if (++compared == at)
                    stop.request_stop();
                return left < right;
            };
            call.stop = stop.get_token();
            try {
                teff::execute(call, [&] {
                    if (stable)
                        teff::parallel_stable_sort(values, std::ref(before));
                    else
                        teff::parallel_sort(values, before);
                });
            } catch (const teff::stopped&) {
            }
            std::sort(values.begin(), values.end());
            ASSERT_EQ(values, expected) << (stable ? "stable, " : "") << "stopped at comparison " << at;
        }
    }
}

// Elements that are trivially copyable take another path than the others. A string that was moved from is empty.
TEST_P(parallel_sort_on, loses_no_element_when_the_call_is_stopped) {
    std::vector<std::uint32_t> numbers;
    std::vector<std::string> words;
    for (std::uint32_t i = 0; i != large; ++i) {
        numbers.push_back(i * 2654435761u);
        words.push_back(std::string(30, 'x') + std::to_string(numbers.back()));
    }
    stop_sorts(with_threads(3), numbers);
    stop_sorts(with_threads(3), words);
}

TEST_P(parallel_sort_on, passes_on_what_a_move_throws) {
    for (const int at : {1, 100, 5'000, 50'000}) {
        for (const bool stable : {false, true}) {
            std::vector<task> values;
            values.reserve(1'500);
            for (std::uint32_t i = 0; i != 1'500; ++i)
                values.emplace_back(i * 2654435761u);
            const auto before = [](const task& left, const task& right) { return left.number() < right.number(); };
            task::moves.set(at);
            bool caught = false;
            try {
                teff::execute(with_threads(3), [&] {
                    sort(values, before, stable);
                });
            } catch (const failure&) {
                caught = true;
            }
            ASSERT_EQ(caught, task::moves.reached());
        }
    }
}

TEST(parallel_sort, sorts_values_of_all_kinds) {
    std::vector<std::unique_ptr<double>> owners;
    std::vector<std::string> words;
    for (std::uint32_t i = 0; i != 3'000; ++i) {
        const std::uint32_t number = i * 2654435761u % 5'000;
        owners.push_back(std::make_unique<double>(number / 7.0));
        words.push_back(std::string(30, 'x') + std::to_string(number));
    }
    const auto by_value = [](const auto& left, const auto& right) { return *left < *right; };
    teff::parallel_stable_sort(owners, by_value);
    EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end(), by_value));
    teff::parallel_sort(words);
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
}

// Elements that are trivially copyable take another path than the others.
TEST(parallel_stable_sort, loses_no_number_when_a_comparison_throws) {
    failure_point comparisons("a comparison");
    for (const int at : {1, 100, 5'000, 20'000}) {
        std::vector<std::uint32_t> values(3'000);
        for (std::uint32_t i = 0; i != 3'000; ++i)
            values[i] = i * 2654435761u % 1'009;
        std::vector<std::uint32_t> expected = values;
        comparisons.set(at);
        const auto before = [&](std::uint32_t left, std::uint32_t right) {
            comparisons.pass();
            return left < right;
        };
        EXPECT_THROW(teff::parallel_stable_sort(values, before), failure);
        std::sort(values.begin(), values.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(values, expected);
    }
}

TEST(parallel_stable_sort, compares_little_in_presorted_input) {
    constexpr std::uint32_t count = 1 << 14;
    for (const shape each : {shapes[2], shapes[4], shapes[5], shapes[6]}) {
        long comparisons = 0;
        std::vector<numbered> values = make(each, count);
        std::rotate(values.begin(), values.begin() + 1, values.end());
        teff::execute({.threads = 1}, [&] {
            teff::parallel_stable_sort(values, [&](const numbered& left, const numbered& right) {
                ++comparisons;
                return left.key < right.key;
            });
        });
        EXPECT_LT(comparisons, 10L * count);
    }
}

// The comparison answers so that each pivot is as bad as possible (M. D. McIlroy, A killer adversary for quicksort,
// 1999): elements get their values only when they must.
TEST(parallel_sort, is_not_quadratic_for_an_adversary) {
    constexpr int count = 20'000;
    std::vector<int> values(count), order(count);
    constexpr int open = count;
    std::fill(values.begin(), values.end(), int{open});
    for (int i = 0; i != count; ++i)
        order[static_cast<std::size_t>(i)] = i;
    int solid = 0, candidate = 0;
    long comparisons = 0;
    const auto before = [&](int left, int right) {
        ++comparisons;
        int& x = values[static_cast<std::size_t>(left)];
        int& y = values[static_cast<std::size_t>(right)];
        if (x == open && y == open)
            (left == candidate ? x : y) = solid++;
        if (x == open)
            candidate = left;
        else if (y == open)
            candidate = right;
        return x < y;
    };
    teff::execute({.threads = 1}, [&] { teff::parallel_sort(order, before); });
    EXPECT_LT(comparisons, 100L * count);
    for (int i = 1; i != count; ++i)
        ASSERT_LE(values[static_cast<std::size_t>(order[static_cast<std::size_t>(i - 1)])],
                  values[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
}

}  // namespace
