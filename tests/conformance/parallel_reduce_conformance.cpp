// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, transforms and invoke on every scheduler: order, bitwise equality, and exceptions at every position.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_invoke.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/parallel_transform.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace conformance;

class parallel_reduce_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_reduce_on, testing::ValuesIn(all_rows()), row_names());

constexpr long few_threads[] = {1, 2, 5};
constexpr int large = 10'000;

// Checks the order: the joined stretches must be adjacent. Joining them does not commute.
struct stretch {
    int first = 0, behind = 0;
    bool in_order = true;
    static stretch joined(const stretch& left, const stretch& right) {
        if (left.first == left.behind)
            return right;
        if (right.first == right.behind)
            return left;
        return {left.first, right.behind, left.in_order && right.in_order && left.behind == right.first};
    }
};

TEST_P(parallel_reduce_on, joins_in_order) {
    for (const long threads : few_threads) {
        for (const int count : {0, 1, 2, 3, 100, large}) {
            const auto add = [](const teff::blocked_range<int>& part, const stretch& sum) {
                return stretch::joined(sum, {part.begin(), part.end()});
            };
            const auto [lazy, fixed] = teff::execute(with_threads(threads), [&] {
                const teff::blocked_range<int> range(0, count);
                return std::pair(teff::parallel_reduce(range, stretch{}, add, stretch::joined),
                                 teff::parallel_deterministic_reduce(range, stretch{}, add, stretch::joined));
            });
            for (const stretch& each : {lazy, fixed}) {
                EXPECT_TRUE(each.in_order);
                EXPECT_EQ(each.behind - each.first, count);
            }
        }
    }
}

// A body as in the specification, which cannot be copied.
struct stretching {
    stretch sum;
    std::size_t largest = 0;

    stretching() = default;
    stretching(stretching&, teff::split) {}
    stretching(const stretching&) = delete;
    void operator()(const teff::blocked_range<int>& part) {
        sum = stretch::joined(sum, {part.begin(), part.end()});
        largest = std::max(largest, part.size());
    }
    void join(stretching& later) {
        sum = stretch::joined(sum, later.sum);
        largest = std::max(largest, later.largest);
    }
    void expect_all_of(int count) const {
        EXPECT_TRUE(sum.in_order);
        EXPECT_EQ(sum.behind - sum.first, count);
    }
};

TEST_P(parallel_reduce_on, joins_bodies_in_order) {
    for (const long threads : few_threads) {
        for (const int count : {0, 1, 100, large}) {
            stretching lazy, fixed, lazy_grains, fixed_grains;
            teff::execute(with_threads(threads), [&] {
                const teff::blocked_range<int> range(0, count, 7);
                teff::parallel_reduce(range, lazy);
                teff::parallel_deterministic_reduce(range, fixed, teff::static_partitioner());
                teff::parallel_reduce(range, lazy_grains, teff::simple_partitioner());
                teff::parallel_deterministic_reduce(range, fixed_grains, teff::simple_partitioner());
            });
            for (const stretching* each : {&lazy, &fixed, &lazy_grains, &fixed_grains})
                each->expect_all_of(count);
            EXPECT_LE(lazy_grains.largest, 7u);
            EXPECT_LE(fixed_grains.largest, 7u);
        }
    }
}

TEST_P(parallel_reduce_on, gives_indivisible_parts_to_a_simple_partitioner) {
    const auto add = [](const teff::blocked_range<int>& part, const stretch& sum) {
        EXPECT_LE(part.size(), 3u);
        return stretch::joined(sum, {part.begin(), part.end()});
    };
    for (const long threads : few_threads) {
        teff::execute(with_threads(threads), [&] {
            const teff::blocked_range<int> range(0, large, 3);
            const auto by = teff::simple_partitioner();
            for (const stretch& sum :
                 {teff::parallel_reduce(range, stretch{}, add, stretch::joined, by),
                  teff::parallel_deterministic_reduce(range, stretch{}, add, stretch::joined, by)}) {
                EXPECT_TRUE(sum.in_order);
                EXPECT_EQ(sum.behind, large);
            }
        });
    }
}

TEST_P(parallel_reduce_on, adds_up_elements_in_order) {
    std::vector<std::string> words;
    std::string expected = ">";
    for (int i = 0; i < 500; ++i)
        expected += words.emplace_back(std::to_string(i % 10));
    for (const long threads : few_threads) {
        teff::execute(with_threads(threads), [&] {
            EXPECT_EQ(teff::parallel_reduce(words.begin(), words.end(), std::string(">"), std::plus<>()), expected);
            EXPECT_EQ(teff::parallel_deterministic_reduce(words, std::string(">"), std::plus<>()), expected);
        });
    }
}

double sum_of_sines(std::size_t count) {
    return teff::parallel_deterministic_reduce(
        teff::blocked_range<std::size_t>(0, count), 0.0,
        [](const auto& part, double sum) {
            for (std::size_t i = part.begin(); i != part.end(); ++i)
                sum += std::sin(static_cast<double>(i));
            return sum;
        },
        std::plus<>());
}

TEST_P(parallel_reduce_on, has_the_same_bits_for_all_numbers_of_threads) {
    const double expected = teff::execute({.threads = 1}, [] { return sum_of_sines(large); });
    for (const long threads : few_threads)
        EXPECT_EQ(teff::execute(with_threads(threads), [] { return sum_of_sines(large); }), expected);
}

// A sum whose copies and moves fail when told to.
struct fragile {
    static inline failure_point copies{"copying a sum"}, moves{"moving a sum"};
    long sum = 0;
    task alive{1};

    explicit fragile(long start = 0) : sum(start) {}
    fragile(const fragile& other) : sum(other.sum) { copies.pass(); }
    fragile(fragile&& other) : sum(other.sum) { moves.pass(); }
    fragile& operator=(fragile&& other) {
        moves.pass();
        sum = other.sum;
        return *this;
    }
};

failure_point bodies("a body"), joins("a join");

long sum_fragile(bool lazily) {
    const teff::blocked_range<int> range(0, 40);
    const fragile identity(0);
    const auto body = [](const teff::blocked_range<int>& part, fragile&& sum) {
        bodies.pass();
        return fragile(sum.sum + static_cast<long>(part.size()));
    };
    const auto join = [](fragile&& left, fragile&& right) {
        joins.pass();
        return fragile(left.sum + right.sum);
    };
    return lazily ? teff::parallel_reduce(range, identity, body, join).sum
                  : teff::parallel_deterministic_reduce(range, identity, body, join).sum;
}

TEST_P(parallel_reduce_on, passes_on_what_is_thrown_anywhere) {
    for (failure_point* where : {&bodies, &joins, &fragile::copies, &fragile::moves}) {
        for (const long threads : {1L, 3L}) {
            for (int at = 1; at <= 30; at += 4) {
                for (const bool lazily : {false, true}) {
                    where->set(at);
                    bool caught = false;
                    try {
                        EXPECT_EQ(teff::execute(with_threads(threads), [&] { return sum_fragile(lazily); }), 40);
                    } catch (const failure&) {
                        caught = true;
                    }
                    ASSERT_EQ(caught, where->reached());
                    task::expect_none_alive();
                }
            }
        }
    }
}

TEST_P(parallel_reduce_on, stops_when_it_is_asked_to) {
    std::stop_source source;
    std::atomic<int> parts{0};
    const auto body = [&](const teff::blocked_range<std::size_t>& part, std::size_t sum) {
        if (++parts == 20)
            source.request_stop();
        return sum + part.size();
    };
    const std::size_t sum = teff::execute(with_threads(3), [&] {
        return teff::parallel_reduce(teff::blocked_range<std::size_t>(0, std::size_t{1} << 60), std::size_t{0}, body,
                                     std::plus<>(), source.get_token());
    });
    EXPECT_LT(sum, std::size_t{1} << 60);
}

TEST_P(parallel_reduce_on, transforms_each_element_once) {
    for (const long threads : few_threads) {
        std::vector<int> in(large), out(large), sums(large);
        std::iota(in.begin(), in.end(), 0);
        teff::execute(with_threads(threads), [&] {
            const auto end = teff::parallel_transform(in.begin(), in.end(), out.begin(), [](int i) { return 2 * i; });
            EXPECT_EQ(end, out.end());
            teff::parallel_transform(in, out, sums.begin(), std::plus<>());
            teff::parallel_transform(in, in.begin(), std::negate<>());
        });
        for (int i = 0; i < large; ++i) {
            ASSERT_EQ(sums[static_cast<std::size_t>(i)], 3 * i);
            ASSERT_EQ(in[static_cast<std::size_t>(i)], -i);
        }
        EXPECT_THROW(teff::execute(with_threads(threads),
                                   [&] {
                                       teff::parallel_transform(in, out.begin(), [](int i) {
                                           return i == -100 ? throw failure("a transform") : i;
                                       });
                                   }),
                     failure);
    }
}

TEST_P(parallel_reduce_on, invokes_each_function_once) {
    for (const long threads : few_threads) {
        std::atomic<int> calls{0};
        const auto call = [&] { return ++calls; };
        teff::execute(with_threads(threads), [&] { teff::parallel_invoke(call, call, call, call, call); });
        EXPECT_EQ(calls.load(), 5);
        const auto fails = [&] { throw failure("a function"); };
        EXPECT_THROW(teff::execute(with_threads(threads), [&] { teff::parallel_invoke(call, fails, call, fails); }),
                     failure);
        EXPECT_LE(calls.load(), 7);
    }
}

TEST(parallel_reduce, takes_ranges_of_all_kinds) {
    EXPECT_EQ(teff::parallel_reduce(std::views::iota(0, 101), 0, std::plus<>()), 5050);
    const teff::blocked_range2d<int> plane(0, 30, 0, 40);
    const auto area = [](const auto& part, std::size_t sum) { return sum + part.rows().size() * part.cols().size(); };
    EXPECT_EQ(teff::parallel_reduce(plane, std::size_t{0}, area, std::plus<>()), 1200u);
    EXPECT_EQ(teff::parallel_deterministic_reduce(plane, std::size_t{0}, area, std::plus<>()), 1200u);
    // A range of iterators has elements itself, but is to be split; so the generic lambda must not be tried on them.
    const std::vector<int> ones(100, 1);
    const teff::blocked_range blocks(ones.begin(), ones.end());
    const auto size = [](const auto& part, std::size_t sum) { return sum + part.size(); };
    EXPECT_EQ(teff::parallel_reduce(blocks, std::size_t{0}, size, std::plus<>()), 100u);
    EXPECT_EQ(teff::parallel_deterministic_reduce(blocks, std::size_t{0}, size, std::plus<>()), 100u);
    const std::vector<int> none;
    EXPECT_EQ(teff::parallel_reduce(none, 7, std::plus<>()), 7);
    EXPECT_EQ(teff::parallel_deterministic_reduce(none, 7, std::plus<>()), 7);
}

TEST(parallel_reduce, takes_values_that_can_only_be_moved) {
    struct number {
        std::unique_ptr<int> held;
        number(int value) : held(std::make_unique<int>(value)) {}
    };
    const auto add = [](number left, number right) { return number(*left.held + *right.held); };
    const std::vector<int> values(100, 2), none;
    EXPECT_EQ(*teff::parallel_reduce(values, number(1), add).held, 201);
    EXPECT_EQ(*teff::parallel_deterministic_reduce(values, number(1), add).held, 201);
    EXPECT_EQ(*teff::parallel_deterministic_reduce(none, number(1), add).held, 1);
}

TEST(parallel_deterministic_reduce, heeds_the_grainsize) {
    std::atomic<int> calls{0};
    static_cast<void>(teff::parallel_deterministic_reduce(
        teff::blocked_range<int>(0, 64, 16), 0,
        [&](const auto& part, int) {
            EXPECT_EQ(part.size(), 16u);
            return ++calls;
        },
        [](int, int) { return 0; }));
    EXPECT_EQ(calls.load(), 4);
}

}  // namespace
