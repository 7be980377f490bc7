// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops on every scheduler: each iteration runs once, for any kind of range; exceptions and stop tokens end a loop
// early.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/reducer.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace conformance;

class parallel_for_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_for_on, testing::ValuesIn(all_rows()), row_names());

constexpr long few_threads[] = {1, 2, 5};
constexpr std::size_t large = 20'000;

// How often each number was reached.
class marks {
public:
    explicit marks(std::size_t count) : reached_(count) {}
    void reach(std::size_t at) { reached_.at(at).fetch_add(1, std::memory_order_relaxed); }
    void expect_each_once() const {
        for (const std::atomic<unsigned char>& each : reached_)
            ASSERT_EQ(each.load(), 1);
    }

private:
    std::vector<std::atomic<unsigned char>> reached_;
};

TEST_P(parallel_for_on, runs_each_iteration_once) {
    for (const long threads : few_threads) {
        for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 2, 3, 257, large}) {
            marks seen(count);
            teff::execute(with_threads(threads),
                          [&] { teff::parallel_for(std::size_t{0}, count, [&](std::size_t i) { seen.reach(i); }); });
            seen.expect_each_once();
        }
    }
}

// Each iteration takes longer than a chunk is meant to take.
TEST_P(parallel_for_on, divides_few_long_iterations) {
    for (const long threads : few_threads) {
        marks seen(70);
        teff::execute(with_threads(threads), [&] {
            teff::parallel_for(0, 70, [&](int i) {
                std::atomic<int> spin{0};
                while (spin.fetch_add(1) < 500) {}
                seen.reach(static_cast<std::size_t>(i));
            });
        });
        seen.expect_each_once();
    }
}

TEST_P(parallel_for_on, runs_each_part_of_a_plane_and_of_a_space_once) {
    for (const long threads : few_threads) {
        marks plane(31 * 47), space(7 * 11 * 13);
        teff::execute(with_threads(threads), [&] {
            teff::parallel_for(teff::blocked_range2d<std::size_t>(0, 31, 0, 47), [&](const auto& part) {
                for (std::size_t row = part.rows().begin(); row != part.rows().end(); ++row)
                    for (std::size_t column = part.cols().begin(); column != part.cols().end(); ++column)
                        plane.reach(row * 47 + column);
            });
            teff::parallel_for(teff::blocked_range3d<std::size_t>(0, 7, 2, 0, 11, 3, 0, 13, 4), [&](const auto& part) {
                for (std::size_t page = part.pages().begin(); page != part.pages().end(); ++page)
                    for (std::size_t row = part.rows().begin(); row != part.rows().end(); ++row)
                        for (std::size_t column = part.cols().begin(); column != part.cols().end(); ++column)
                            space.reach((page * 11 + row) * 13 + column);
            });
        });
        plane.expect_each_once();
        space.expect_each_once();
    }
}

// A range that does not report its size.
struct halving {
    int begin, end;
    halving(int first, int last) : begin(first), end(last) {}
    halving(halving& whole, teff::split) : begin(whole.begin + (whole.end - whole.begin) / 2), end(whole.end) {
        whole.end = begin;
    }
    bool empty() const { return begin == end; }
    bool is_divisible() const { return end - begin > 1; }
};

TEST_P(parallel_for_on, gives_indivisible_parts_to_a_simple_partitioner) {
    for (const long threads : few_threads) {
        marks numbers(5'000), halves(700);
        teff::execute(with_threads(threads), [&] {
            teff::parallel_for(
                teff::blocked_range<std::size_t>(0, 5'000, 9),
                [&](const auto& part) {
                    EXPECT_LE(part.size(), 9u);
                    EXPECT_GE(part.size(), 5u);
                    for (std::size_t i = part.begin(); i != part.end(); ++i)
                        numbers.reach(i);
                },
                teff::simple_partitioner());
            teff::parallel_for(
                halving(0, 700),
                [&](const halving& part) {
                    EXPECT_EQ(part.end, part.begin + 1);
                    halves.reach(static_cast<std::size_t>(part.begin));
                },
                teff::simple_partitioner());
        });
        numbers.expect_each_once();
        halves.expect_each_once();
    }
}

TEST_P(parallel_for_on, works_inside_itself) {
    marks seen(30 * 40);
    teff::execute(with_threads(3), [&] {
        teff::parallel_for(0, 30, [&](int row) {
            teff::parallel_for(0, 40, [&](int column) { seen.reach(static_cast<std::size_t>(row * 40 + column)); });
        });
    });
    seen.expect_each_once();
}

TEST_P(parallel_for_on, passes_on_one_exception_and_begins_nothing_after_it) {
    for (const long threads : few_threads) {
        for (const std::size_t at : std::initializer_list<std::size_t>{0, 1, 500, large - 1}) {
            std::atomic<std::size_t> begun{0};
            bool caught = false;
            try {
                teff::execute(with_threads(threads), [&] {
                    teff::parallel_for(std::size_t{0}, large, [&, alive = std::make_shared<task>(7u)](std::size_t i) {
                        begun.fetch_add(1, std::memory_order_relaxed);
                        if (i == at)
                            throw failure("an iteration");
                    });
                });
            } catch (const failure&) {
                caught = true;
            }
            ASSERT_TRUE(caught);
            ASSERT_LE(begun.load(), large);
            // With several threads, the other members may run a later half first.
            if (threads == 1 && GetParam().traits.on_request) {
                ASSERT_EQ(begun.load(), at + 1);
            }
        }
    }
}

TEST_P(parallel_for_on, stops_when_it_is_asked_to) {
    for (const long threads : few_threads) {
        std::stop_source source;
        std::atomic<std::size_t> begun{0};
        teff::execute(with_threads(threads), [&] {
            teff::parallel_for(
                std::size_t{0}, std::size_t{1} << 60,
                [&](std::size_t) {
                    if (begun.fetch_add(1, std::memory_order_relaxed) == 1000)
                        source.request_stop();
                },
                source.get_token());
            teff::parallel_for(0, 100, [&](int) { ADD_FAILURE(); }, source.get_token());
        });
        EXPECT_GT(begun.load(), 1000u);
    }
}

// Outside of execute(), in a team that belongs to this thread.
TEST(parallel_for, takes_all_kinds_of_indexes) {
    marks bytes(256), steps(34);
    teff::parallel_for(std::int8_t{-128}, std::int8_t{127}, [&](std::int8_t i) {
        bytes.reach(static_cast<std::size_t>(i + 128));
    });
    bytes.reach(255);
    bytes.expect_each_once();
    teff::parallel_for(-50, 50, 3, [&](int i) { steps.reach(static_cast<std::size_t>((i + 50) / 3)); });
    steps.expect_each_once();
    int called = 0;
    teff::parallel_for(5, 3, [&](int) { ++called; });
    teff::parallel_for(5, 3, 2, [&](int) { ++called; });
    EXPECT_EQ(called, 0);
    constexpr int most = std::numeric_limits<int>::max();
    std::atomic<long> sum{0};
    teff::parallel_for(-most, most, most, [&](int i) { sum += i + 1L; });
    EXPECT_EQ(sum.load(), 2L - most);
    EXPECT_THROW(teff::parallel_for(0, 1, 0, [](int) {}), std::invalid_argument);
    try {
        teff::parallel_for(0, 1, -1, [](int) {});
        ADD_FAILURE() << "a step backwards was taken";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("-1"), std::string::npos) << error.what();
    }
    std::vector<int> values(1000, 1);
    teff::parallel_for(0, values.size(), [&](std::size_t i) { values[i] += static_cast<int>(i); });
    EXPECT_EQ(values[999], 1000);
}

TEST(parallel_for, takes_iterators_ranges_and_views) {
    std::vector<int> values(5000);
    teff::parallel_for(values.begin(), values.end(), [](auto i) { *i = 1; });
    teff::parallel_for_each(values.begin(), values.end(), [](int& each) { each += 1; });
    teff::parallel_for_each(values, [](int& each) { each += 1; });
    std::atomic<long> sum{0};
    teff::parallel_for_each(values | std::views::take(100) | std::views::transform([](int each) { return 2 * each; }),
                            [&](int each) { sum += each; });
    EXPECT_EQ(sum.load(), 600);
    teff::parallel_for_each(std::views::iota(0, 100), [&](int each) { sum += each; });
    EXPECT_EQ(sum.load(), 600 + 4950);
    struct number {
        int value = 0;
        void grow() { ++value; }
    };
    std::vector<number> numbers(10);
    teff::parallel_for_each(numbers, &number::grow);
    EXPECT_EQ(numbers[9].value, 1);
}

TEST(parallel_for, heeds_the_grainsize) {
    std::atomic<std::size_t> sum{0};
    teff::parallel_for(teff::blocked_range<std::size_t>(0, 10'000, 64), [&](const auto& part) {
        EXPECT_GE(part.size(), 32u);
        EXPECT_EQ(part.grainsize(), 64u);
        sum += part.size();
    });
    EXPECT_EQ(sum.load(), 10'000u);
}

TEST(parallel_for, takes_a_users_range) {
    marks seen(3000);
    teff::parallel_for(halving(0, 3000), [&](const halving& part) {
        for (int i = part.begin; i != part.end; ++i)
            seen.reach(static_cast<std::size_t>(i));
    });
    seen.expect_each_once();
}

TEST(parallel_for, takes_partitioners_everywhere) {
    std::atomic<int> sum{0};
    const auto add = [&](int i) { sum += i; };
    const auto add_all = [&](const teff::blocked_range<int>& part) { sum += static_cast<int>(part.size()); };
    teff::affinity_partitioner remembering;
    teff::parallel_for(0, 100, add, teff::static_partitioner());
    teff::parallel_for(0, 100, 50, add, teff::simple_partitioner());
    EXPECT_EQ(sum.load(), 4950 + 50);
    teff::parallel_for(teff::blocked_range<int>(0, 100), add_all, remembering);
    teff::parallel_for(teff::blocked_range<int>(0, 100), add_all, teff::auto_partitioner());
    EXPECT_EQ(sum.load(), 5200);
    std::stop_source stopped;
    stopped.request_stop();
    teff::parallel_for(0, 100, add, teff::auto_partitioner(), stopped.get_token());
    EXPECT_EQ(sum.load(), 5200);
}

TEST(parallel_for, takes_functions_that_cannot_be_copied) {
    struct fixed {
        std::atomic<int>& calls;
        explicit fixed(std::atomic<int>& count) : calls(count) {}
        fixed(const fixed&) = delete;
        void operator()(int) const { ++calls; }
    };
    std::atomic<int> calls{0};
    const fixed f(calls);
    teff::parallel_for(0, 300, f);
    EXPECT_EQ(calls.load(), 300);
}

template <class F>
concept taken_by_parallel_for = requires(const F& f) { teff::parallel_for(0, 1, f); };

TEST(parallel_for, takes_all_that_can_be_called_through_const) {
    const auto constant = [](int) {};
    static_assert(taken_by_parallel_for<decltype(constant)>);
    struct part {
        int grown = 0;
        void grow() { ++grown; }
    };
    std::vector<part> parts(100);
    teff::parallel_for(parts.data(), parts.data() + parts.size(), &part::grow);
    teff::parallel_for_each(parts, &part::grow);
    for (const part& each : parts)
        EXPECT_EQ(each.grown, 2);
}

// Also where a second half begins with its last chunk, which comes before anything is known of the iterations.
TEST_P(parallel_for_on, keeps_the_order_of_ordered_reducers) {
    constexpr int count = 500;
    std::vector<int> expected(count);
    std::iota(expected.begin(), expected.end(), 0);
    const auto join = [](std::vector<int> left, const std::vector<int>& right) {
        left.insert(left.end(), right.begin(), right.end());
        return left;
    };
    teff::execute(with_threads(5), [&] {
        for (int times = 0; times < 20; ++times) {
            teff::ordered_reducer all(std::vector<int>(), join);
            std::atomic<int> slow{0};
            teff::parallel_for(0, count, [&](int i) {
                for (int pause = 0; pause < 100; ++pause)
                    slow.fetch_add(1, std::memory_order_relaxed);
                all->push_back(i);
            });
            ASSERT_EQ(all.get(), expected);
        }
    });
}

TEST(blocked_range, divides_in_two) {
    teff::blocked_range<int> whole(-3, 4, 2);
    teff::blocked_range<int> second(whole, teff::split{});
    EXPECT_EQ(whole.begin(), -3);
    EXPECT_EQ(whole.end(), second.begin());
    EXPECT_EQ(second.end(), 4);
    EXPECT_EQ(whole.size() + second.size(), 7u);
    EXPECT_FALSE(teff::blocked_range<int>(0, 2, 2).is_divisible());
    EXPECT_TRUE(teff::blocked_range<int>(0, 3, 2).is_divisible());
    EXPECT_TRUE(teff::blocked_range<int>(1, 1).empty());
    EXPECT_THROW(teff::blocked_range<int>(0, 10, 0), std::invalid_argument);
    constexpr int most = std::numeric_limits<int>::max();
    teff::blocked_range<int> all(-most, most);
    const teff::blocked_range<int> upper(all, teff::split{});
    EXPECT_EQ(all.size() + upper.size(), 2u * most);
    EXPECT_EQ(upper.begin(), 0);
    teff::blocked_range2d<int> plane(0, 10, 0, 100);
    teff::blocked_range2d<int> right(plane, teff::split{});
    EXPECT_EQ(right.cols().begin(), 50);
    EXPECT_EQ(right.rows().size(), 10u);
    EXPECT_EQ(plane.size(), 500u);
    teff::blocked_range3d<int> space(0, 64, 64, 0, 10, 1, 0, 4, 1);
    const teff::blocked_range3d<int> half(space, teff::split{});
    EXPECT_EQ(half.rows().size(), 5u);
    EXPECT_EQ(half.pages().size(), 64u);
}

}  // namespace
