// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over elements of any range, with and without elements that are added meanwhile, on every scheduler. (Elements
// with random access: parallel_for_conformance.cpp.)
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_for_each.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <forward_list>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

class parallel_for_each_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_for_each_on, testing::ValuesIn(all_rows()), row_names());

// Each node below `count` is reached once, from half of its number.
TEST_P(parallel_for_each_on, calls_the_function_for_each_added_element_once) {
    constexpr int count = 20'000;
    for (const long threads : {1L, 2L, 5L}) {
        std::vector<std::atomic<int>> calls(count);
        teff::execute(with_threads(threads), [&] {
            teff::parallel_for_each(std::vector{1}, [&](int node, teff::feeder<int>& more) {
                ++calls[static_cast<std::size_t>(node)];
                for (const int child : {2 * node, 2 * node + 1})
                    if (child < count)
                        more.add(child);
            });
        });
        for (std::size_t i = 1; i < count; ++i)
            ASSERT_EQ(calls[i].load(), 1) << i;
    }
}

// Each element adds the next one.
TEST_P(parallel_for_each_on, adds_elements_to_any_depth) {
#if defined(TEFF_THREAD_SANITIZER)
    constexpr int depth = 2'000;  // its own stack of calls is shorter than ours
#else
    constexpr int depth = 100'000;
#endif
    for (const long threads : {1L, 2L, 8L}) {
        std::atomic<int> calls{0};
        teff::execute(with_threads(threads), [&] {
            teff::parallel_for_each(std::vector{1}, [&](int level, teff::feeder<int>& more) {
                ++calls;
                if (level < depth)
                    more.add(level + 1);
            });
        });
        EXPECT_EQ(calls.load(), depth);
    }
}

TEST_P(parallel_for_each_on, destroys_each_element_and_throws_the_first_exception) {
    for (const long threads : {1L, 2L, 5L}) {
        const auto fail = [&] {
            teff::execute(with_threads(threads), [] {
                std::vector<task> first;
                first.emplace_back(1);
                teff::parallel_for_each(std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()),
                                        [](task& each, teff::feeder<task>& more) {
                                            if (each.number() == 500)
                                                throw std::runtime_error("500");
                                            if (each.number() < 500) {
                                                more.add(task(each.number() + 1));
                                                more.add(task(each.number() + 1'000'000));
                                            }
                                        });
            });
        };
        EXPECT_THROW(fail(), std::runtime_error);
        task::expect_none_alive();
    }
}

TEST_P(parallel_for_each_on, takes_elements_without_random_access) {
    for (const long threads : {1L, 2L, 5L})
        teff::execute(with_threads(threads), [] {
            std::list<int> list(1000, 1);
            teff::parallel_for_each(list, [](int& each) { ++each; });
            for (const int each : list)
                ASSERT_EQ(each, 2);
            std::map<int, int> squares;
            for (int i = 0; i < 1000; ++i)
                squares[i] = 0;
            teff::parallel_for_each(squares, [](auto& each) { each.second = each.first * each.first; });
            ASSERT_EQ(squares[999], 999 * 999);
            std::atomic<long> sum{0};
            std::istringstream numbers("1 2 3 4 5");
            teff::parallel_for_each(std::istream_iterator<int>(numbers), std::istream_iterator<int>(),
                                    [&](int each) { sum += each; });
            ASSERT_EQ(sum.load(), 15);
            // The size of this range is not known.
            teff::parallel_for_each(std::views::iota(0) | std::views::take_while([](int i) { return i < 100; }),
                                    [&](int each) { sum += each; });
            ASSERT_EQ(sum.load(), 15 + 4950);
        });
}

TEST(parallel_for_each, takes_every_kind_of_range) {
    std::atomic<long> sum{0};
    teff::parallel_for_each(std::forward_list{1, 2, 3}, [&](int each) { sum += each; });
    teff::parallel_for_each(std::set{4, 5}, [&](const int& each) { sum += each; });
    teff::parallel_for_each(std::list<int>(), [&](int each) { sum += each; });
    const std::vector<bool> bits{true, false, true};
    teff::parallel_for_each(bits, [&](bool each) { sum += each ? 10 : 0; });
    EXPECT_EQ(sum.load(), 35);
    // Elements that can only be moved.
    std::list<std::unique_ptr<int>> owned;
    owned.push_back(std::make_unique<int>(7));
    teff::parallel_for_each(owned, [&](const std::unique_ptr<int>& each) { sum += *each; });
    teff::parallel_for_each(std::make_move_iterator(owned.begin()), std::make_move_iterator(owned.end()),
                            [&](std::unique_ptr<int>& each, teff::feeder<std::unique_ptr<int>>& more) {
                                sum += *each;
                                if (*each > 0)
                                    more.add(std::make_unique<int>(*each - 1));
                            });
    EXPECT_EQ(sum.load(), 35 + 7 + 28);
    EXPECT_EQ(owned.front(), nullptr);
}

TEST(parallel_for_each, stops_when_asked) {
    std::stop_source stop;
    std::atomic<int> calls{0};
    teff::parallel_for_each(
        std::list<int>{0},
        [&](int level, teff::feeder<int>& more) {
            if (++calls == 100)
                stop.request_stop();
            more.add(level + 1);
        },
        stop.get_token());
    EXPECT_GE(calls.load(), 100);
    EXPECT_LT(calls.load(), 1000);
}

}  // namespace
