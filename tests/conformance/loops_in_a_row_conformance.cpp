// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in a row whose parts are given to waiting members. The team does not know the machine, so it has mailboxes
// however few processors there are. The loops are long enough to be divided, and each iteration must run once.
#include <tests/conformance/caller_team.hpp>

#include <teff/blocked_range.hpp>
#include <teff/frontends/fork_join/crew.hpp>
#include <teff/parallel_for.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/pool/pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

constexpr unsigned iterations = 400, loops = 1000;

conformance::caller_team open_team(unsigned slots) {
    teff::team_options how;
    how.settings.slots = slots;
    how.scheduler = "demand";
    how.spin_us = 100;
    teff::pool::instance().ensure_workers(slots - 1);
    return conformance::caller_team(how);
}

// Work of about a hundred nanoseconds.
std::uint64_t mixed(std::uint64_t number) {
    for (int i = 0; i < 48; ++i)
        number = (number ^ number >> 13) * 0x9e3779b97f4a7c15U;
    return number;
}

class loops_in_a_row : public testing::TestWithParam<unsigned> {};

TEST(crew_shares, gives_the_next_member_fewer_than_half) {
    EXPECT_EQ((teff::forking::crew{0, 1, 2}).given(), 1U);
    for (unsigned end = 2; end < 100; ++end) {
        const teff::forking::crew some{0, 1, end};
        EXPECT_GE(some.given(), 1U);
        EXPECT_LE(2 * some.given(), some.size() + 1);
        EXPECT_LE(some.share_of_next(1000), 500U);
        EXPECT_EQ(some.share_of_next(some.size() + 1), some.given());
    }
    constexpr auto largest = ~std::size_t{0};
    EXPECT_EQ((teff::forking::crew{0, 1, 2}).share_of_next(largest), largest / 2);
}

TEST_P(loops_in_a_row, run_each_iteration_once) {
    const conformance::caller_team team = open_team(GetParam());
    std::vector<unsigned> runs(iterations);
    std::vector<std::uint64_t> results(iterations);
    for (unsigned loop = 0; loop < loops; ++loop)
        teff::parallel_for(0U, iterations, [&](unsigned i) {
            ++runs[i];
            results[i] = mixed(i + loop);
        });
    EXPECT_EQ(runs, std::vector<unsigned>(iterations, loops));
    for (unsigned i = 0; i < iterations; ++i)
        EXPECT_EQ(results[i], mixed(i + loops - 1));
}

TEST_P(loops_in_a_row, reductions_in_a_row_join_in_order) {
    const conformance::caller_team team = open_team(GetParam());
    std::vector<unsigned> expected(iterations);
    std::iota(expected.begin(), expected.end(), 0U);
    for (unsigned loop = 0; loop < loops; ++loop) {
        const auto joined = teff::parallel_reduce(
            teff::blocked_range(0U, iterations), std::vector<unsigned>(),
            [](const auto& part, std::vector<unsigned> list) {
                for (unsigned i = part.begin(); i != part.end(); ++i)
                    list.push_back(mixed(i) == 1 ? 0 : i);
                return list;
            },
            [](std::vector<unsigned> left, const std::vector<unsigned>& right) {
                left.insert(left.end(), right.begin(), right.end());
                return left;
            });
        ASSERT_EQ(joined, expected);
    }
}

TEST_P(loops_in_a_row, inside_of_loops_run_each_iteration_once) {
    const conformance::caller_team team = open_team(GetParam());
    constexpr unsigned outer = 16;
    std::vector<std::vector<unsigned>> runs(outer, std::vector<unsigned>(iterations));
    for (unsigned loop = 0; loop < loops / outer; ++loop)
        teff::parallel_for(0U, outer, [&](unsigned o) {
            teff::parallel_for(0U, iterations, [&](unsigned i) { runs[o][i] += mixed(i) == 1 ? 0 : 1; });
        });
    for (const std::vector<unsigned>& each : runs)
        EXPECT_EQ(each, std::vector<unsigned>(iterations, loops / outer));
}

// Loops over different data share what they remember: from a few nanoseconds an iteration to many microseconds.
TEST_P(loops_in_a_row, one_of_the_source_may_run_short_and_long_bodies) {
    const conformance::caller_team team = open_team(GetParam());
    std::vector<unsigned> runs(iterations);
    std::vector<std::uint64_t> results(iterations);
    for (unsigned loop = 0; loop < loops / 10; ++loop) {
        const int repeats = loop % 10 == 0 ? 300 : loop % 3;
        const std::function<void(unsigned)> body = [&](unsigned i) {
            std::uint64_t number = i;
            for (int r = 0; r < repeats; ++r)
                number = mixed(number);
            results[i] = number;
            ++runs[i];
        };
        teff::parallel_for(0U, iterations, body);
    }
    for (unsigned i = 0; i < iterations; ++i)
        EXPECT_EQ(runs[i], loops / 10) << i;
}

TEST_P(loops_in_a_row, the_first_exception_ends_the_loop) {
    const conformance::caller_team team = open_team(GetParam());
    unsigned caught = 0;
    for (unsigned loop = 0; loop < loops; ++loop) {
        std::vector<unsigned> runs(iterations);
        try {
            teff::parallel_for(0U, iterations, [&](unsigned i) {
                runs[i] += mixed(i) == 1 ? 0 : 1;
                if (loop % 2 == 1 && i == loop % iterations)
                    throw std::runtime_error(std::to_string(i));
            });
        } catch (const std::runtime_error& error) {
            EXPECT_EQ(error.what(), std::to_string(loop % iterations));
            ++caught;
        }
        for (unsigned i = 0; i < iterations; ++i)
            EXPECT_TRUE(runs[i] == 1 || (loop % 2 == 1 && i != loop % iterations && runs[i] == 0));
    }
    EXPECT_EQ(caught, loops / 2);
}

// The loop is known to be long enough to be divided, but its grain says otherwise.
TEST_P(loops_in_a_row, a_grain_may_be_larger_than_the_range) {
    const conformance::caller_team team = open_team(GetParam());
    constexpr std::size_t few = 40, largest = ~std::size_t{0};
    const std::size_t grains[] = {1, few / 2, few / 2 + 1, few, few + 1, largest / 2 + 1, largest};
    std::vector<unsigned> runs(few);
    std::size_t shortest = few;
    const auto run = [&](std::size_t grain) {
        teff::parallel_for(teff::blocked_range(std::size_t{0}, few, grain), [&](const auto& part) {
            if (grain > few / 2 && part.size() < shortest)
                shortest = part.size();
            for (std::size_t i = part.begin(); i != part.end(); ++i)
                runs[i] += mixed(i) == 1 ? 0 : 1;
        });
    };
    for (unsigned loop = 0; loop < loops; ++loop)
        run(loop < loops / 2 ? 1 : grains[loop % std::size(grains)]);
    EXPECT_EQ(runs, std::vector<unsigned>(few, loops));
    EXPECT_EQ(shortest, few);
}

TEST_P(loops_in_a_row, nothing_runs_after_a_request_to_stop) {
    const conformance::caller_team team = open_team(GetParam());
    std::stop_source stopped;
    stopped.request_stop();
    std::vector<unsigned> runs(iterations);
    for (unsigned loop = 0; loop < loops; ++loop)
        teff::parallel_for(
            0U, iterations, [&](unsigned i) { runs[i] += mixed(i) == 1 ? 0 : 1; },
            loop < loops / 2 ? std::stop_token() : stopped.get_token());
    EXPECT_EQ(runs, std::vector<unsigned>(iterations, loops / 2));
}

INSTANTIATE_TEST_SUITE_P(members, loops_in_a_row, testing::Values(2U, 3U, 8U, 16U));

}  // namespace
