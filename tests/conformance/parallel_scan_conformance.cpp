// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans on every scheduler: the sum of each element, in order, also when the output overwrites the input; exceptions;
// stop tokens.
#include <tests/conformance/each_choice.hpp>

#include <teff/algorithms.hpp>
#include <teff/fork_join.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <ranges>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace conformance;

class parallel_scan_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_scan_on, testing::ValuesIn(all_rows()), row_names());

constexpr std::size_t large = 100'000;

TEST_P(parallel_scan_on, finds_the_sum_in_front_of_each_element) {
    for (const long threads : {1L, 2L, 5L}) {
        for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 2, 3, 100, large}) {
            std::vector<long> in(count), inclusive(count), exclusive(count), expected(count);
            std::iota(in.begin(), in.end(), 3);
            teff::execute(with_threads(threads), [&] {
                EXPECT_EQ(teff::parallel_inclusive_scan(in.begin(), in.end(), inclusive.begin()), inclusive.end());
                teff::parallel_exclusive_scan(in.begin(), in.end(), exclusive.begin(), 7L);
                // The output overwrites the input.
                teff::parallel_exclusive_scan(in.begin(), in.end(), in.begin(), 7L);
            });
            EXPECT_EQ(in, exclusive);
            std::iota(in.begin(), in.end(), 3);
            std::inclusive_scan(in.begin(), in.end(), expected.begin());
            EXPECT_EQ(inclusive, expected);
            std::exclusive_scan(in.begin(), in.end(), expected.begin(), 7L);
            EXPECT_EQ(exclusive, expected);
        }
    }
}

// The sum is the number of elements. Each part must receive the sum of everything before it, and each element must be
// in exactly one final pass.
TEST_P(parallel_scan_on, gives_each_part_what_lies_in_front_of_it) {
    for (const long threads : {1L, 2L, 5L}) {
        std::vector<int> finals(large);
        const std::size_t sum = teff::execute(with_threads(threads), [&] {
            return teff::parallel_scan(
                teff::blocked_range<std::size_t>(0, large), std::size_t{0},
                [&](const auto& part, std::size_t before, bool is_final) {
                    if (is_final) {
                        EXPECT_EQ(before, part.begin());
                        for (std::size_t i = part.begin(); i != part.end(); ++i)
                            ++finals[i];
                    }
                    return before + part.size();
                },
                std::plus<>());
        });
        EXPECT_EQ(sum, large);
        EXPECT_EQ(finals, std::vector<int>(large, 1));
    }
}

// A body as in the specification, which cannot be copied. Its sum is the text so far; concatenation does not commute.
struct spelling {
    std::string sum;
    const std::string* letters;
    std::vector<std::size_t>* ends;
    std::size_t most;

    spelling(const std::string& in, std::vector<std::size_t>& out, std::size_t largest)
        : letters(&in), ends(&out), most(largest) {}
    spelling(spelling& from, teff::split) : letters(from.letters), ends(from.ends), most(from.most) {}
    spelling(const spelling&) = delete;
    template <class Tag>
    void operator()(const teff::blocked_range<std::size_t>& part, Tag tag) {
        EXPECT_LE(part.size(), most);
        for (std::size_t i = part.begin(); i != part.end(); ++i) {
            sum += (*letters)[i];
            if (tag.is_final_scan()) {
                EXPECT_EQ(sum.size(), i + 2);
                (*ends)[i] = std::hash<std::string>()(sum);
            }
        }
    }
    void reverse_join(spelling& earlier) { sum = earlier.sum + sum; }
    void assign(spelling& other) { sum = other.sum; }
};

TEST_P(parallel_scan_on, gives_each_body_what_lies_in_front_of_it) {
    constexpr std::size_t count = 3'000;
    std::string letters;
    std::vector<std::size_t> expected(count), ends(count);
    for (std::size_t i = 0; i != count; ++i) {
        letters += static_cast<char>('a' + i * i % 26);
        expected[i] = std::hash<std::string>()(">" + letters);
    }
    for (const long threads : {1L, 2L, 5L}) {
        for (const std::size_t grain : {std::size_t{1}, std::size_t{6}, count}) {
            spelling body(letters, ends, count), small(letters, ends, grain);
            body.sum = small.sum = ">";
            const teff::blocked_range<std::size_t> range(0, count, grain);
            teff::execute(with_threads(threads), [&] { teff::parallel_scan(range, body); });
            EXPECT_EQ(body.sum, ">" + letters);
            EXPECT_EQ(ends, expected);
            ends.assign(count, 0);
            const auto by_grains = teff::simple_partitioner();
            teff::execute(with_threads(threads), [&] { teff::parallel_scan(range, small, by_grains); });
            EXPECT_EQ(small.sum, ">" + letters);
            EXPECT_EQ(ends, expected);
            ends.assign(count, 0);
        }
    }
}

TEST_P(parallel_scan_on, passes_on_what_is_thrown) {
    failure_point bodies("a scan"), joins("a join");
    for (failure_point* where : {&bodies, &joins}) {
        for (const int at : {1, 2, 3, 10, 100}) {
            where->set(at);
            bool caught = false;
            try {
                teff::execute(with_threads(3), [&] {
                    teff::parallel_scan(
                        teff::blocked_range<int>(0, 3000), 0,
                        [&](const auto& part, int sum, bool) {
                            bodies.pass();
                            return sum + static_cast<int>(part.size());
                        },
                        [&](int left, int right) {
                            joins.pass();
                            return left + right;
                        });
                });
            } catch (const failure&) {
                caught = true;
            }
            ASSERT_EQ(caught, where->reached());
        }
    }
}

TEST(parallel_scan, gives_indivisible_parts_to_a_simple_partitioner) {
    const int sum = teff::parallel_scan(
        teff::blocked_range<int>(0, 1000, 8), 0,
        [](const auto& part, int before, bool) {
            EXPECT_LE(part.size(), 8u);
            EXPECT_GE(part.size(), 4u);
            return before + static_cast<int>(part.size());
        },
        std::plus<>(), teff::simple_partitioner());
    EXPECT_EQ(sum, 1000);
}

TEST(parallel_scan, keeps_the_order_of_an_operator_that_does_not_commute) {
    std::vector<std::string> letters, sums(300);
    for (int i = 0; i != 300; ++i)
        letters.emplace_back(1, static_cast<char>('a' + i % 26));
    teff::parallel_inclusive_scan(letters.begin(), letters.end(), sums.begin(), std::plus<>(), std::string(">"));
    std::string expected = ">";
    for (std::size_t i = 0; i != 300; ++i)
        ASSERT_EQ(sums[i], expected += letters[i]);
}

TEST(parallel_scan, takes_ranges_and_views) {
    const std::vector<int> in{3, 1, 4, 1, 5};
    const auto doubled = in | std::views::transform([](int each) { return 2 * each; });
    std::vector<int> out(5);
    EXPECT_EQ(teff::parallel_inclusive_scan(in, out.begin()), out.end());
    EXPECT_EQ(out, (std::vector{3, 4, 8, 9, 14}));
    EXPECT_EQ(teff::parallel_inclusive_scan(doubled, out.begin(), std::plus<>(), 100), out.end());
    EXPECT_EQ(out, (std::vector{106, 108, 116, 118, 128}));
    EXPECT_EQ(teff::parallel_exclusive_scan(doubled | std::views::take(3), out.begin(), 1), out.begin() + 3);
    EXPECT_EQ(out, (std::vector{1, 7, 9, 118, 128}));
    EXPECT_EQ(teff::parallel_exclusive_scan(std::views::iota(1, 6), out.begin(), 1, std::multiplies<>()), out.end());
    EXPECT_EQ(out, (std::vector{1, 1, 2, 6, 24}));
}

// The result type of a generic operation is known only where the operation can be called.
TEST(parallel_scan, takes_generic_operations_with_and_without_a_token) {
    const auto add = [](auto left, auto right) { return left + right; };
    const std::vector<int> in{3, 1, 4}, expected{3, 4, 8};
    std::vector<int> out(3);
    teff::parallel_inclusive_scan(in, out.begin(), add);
    EXPECT_EQ(out, expected);
    teff::parallel_inclusive_scan(in, out.begin(), add, std::stop_token());
    EXPECT_EQ(out, expected);
    teff::parallel_inclusive_scan(in.begin(), in.end(), out.begin(), add, std::stop_token());
    EXPECT_EQ(out, expected);
    teff::parallel_inclusive_scan(in, out.begin(), add, 10, std::stop_token());
    EXPECT_EQ(out, (std::vector{13, 14, 18}));
    teff::parallel_exclusive_scan(in, out.begin(), 10, add, std::stop_token());
    EXPECT_EQ(out, (std::vector{10, 13, 14}));
}

TEST(parallel_scan, stops_when_it_is_asked_to) {
    std::stop_source source;
    std::size_t reached = 0;
    teff::execute({.threads = 1}, [&] {
        teff::parallel_scan(
            teff::blocked_range<std::size_t>(0, std::size_t{1} << 60), std::size_t{0},
            [&](const auto& part, std::size_t sum, bool) {
                if ((reached = part.end()) > 10'000)
                    source.request_stop();
                return sum + part.size();
            },
            std::plus<>(), source.get_token());
    });
    EXPECT_GT(reached, 10'000u);
}

}  // namespace
