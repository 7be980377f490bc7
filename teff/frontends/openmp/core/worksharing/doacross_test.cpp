// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doacross loops: each iteration has a number of its own, iterations outside the loops have none, and a thread that
// waits for an iteration sees that iteration's writes.
#include <teff/frontends/openmp/core/worksharing/doacross.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace {

using teff::openmp::doacross;
using teff::openmp::iteration_space;

class made_loop {
public:
    explicit made_loop(const std::vector<iteration_space>& loops)
        : memory_(doacross::size_for(loops) / sizeof(word) + 1), made_(doacross::make(memory_.data(), loops)) {}
    doacross* operator->() { return &made_; }
    std::uint64_t number(const std::vector<std::int64_t>& values) const {
        return made_.number([&](unsigned each) { return static_cast<std::uint64_t>(values[each]); });
    }

private:
    struct alignas(16) word {
        char bytes[16];
    };
    std::vector<word> memory_;
    doacross& made_;
};

const teff::atomic<bool> never_given_up{false};

constexpr iteration_space up(std::int64_t first, std::int64_t step, std::uint64_t count) {
    return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(step), count};
}

TEST(doacross, numbers_differ_and_follow_the_order_of_the_loops) {
    const made_loop loop({up(-3, 2, 5), up(10, -3, 7), up(0, 1, 4)});
    std::uint64_t expected = 0;
    for (std::int64_t i = -3; i < 7; i += 2)
        for (std::int64_t j = 10; j > -11; j -= 3)
            for (std::int64_t k = 0; k < 4; ++k)
                EXPECT_EQ(loop.number({i, j, k}), expected++);
    EXPECT_EQ(expected, 5U * 7U * 4U);
}

TEST(doacross, iterations_outside_of_a_loop_have_no_number) {
    const made_loop loop({up(-3, 2, 5), up(10, -3, 7)});
    for (const std::vector<std::int64_t>& outside :
         {std::vector<std::int64_t>{-5, 10}, {7, 10}, {-3, 13}, {-3, -11}, {-5, 13}})
        EXPECT_EQ(loop.number(outside), doacross::no_iteration) << outside[0] << ", " << outside[1];
}

TEST(doacross, nobody_waits_for_an_iteration_that_does_not_exist) {
    made_loop loop({up(0, 1, 5)});
    loop->await(loop.number({-1}), 2, never_given_up);
    loop->await(loop.number({5}), 2, never_given_up);
    loop->post(loop.number({5}));
}

TEST(doacross, loops_that_no_memory_can_hold_have_no_size) {
    const iteration_space longest = up(0, 1, std::uint64_t{1} << 62);
    EXPECT_EQ(doacross::size_for(std::vector{longest}), 0U);
    EXPECT_EQ(doacross::size_for(std::vector{up(0, 1, 1U << 31), up(0, 1, 1U << 31)}), 0U);
    EXPECT_NE(doacross::size_for(std::vector{up(0, 1, 0)}), 0U);
}

// A wavefront: each element is computed from the one above it and the one to the left.
TEST(doacross, a_wait_sees_what_the_iteration_has_done) {
    for (const unsigned threads : {1U, 2U, 7U}) {
        constexpr std::int64_t rows = 60, columns = 130;
        made_loop loop({up(0, 1, rows), up(0, 1, columns)});
        std::vector<std::vector<std::uint32_t>> paths(rows, std::vector<std::uint32_t>(columns, 1));
        std::vector<std::thread> all;
        for (unsigned number = 0; number < threads; ++number)
            all.emplace_back([&, number] {
                for (std::int64_t i = number; i < rows; i += threads)
                    for (std::int64_t j = 0; j < columns; ++j) {
                        loop->await(loop.number({i - 1, j}), threads, never_given_up);
                        if (i != 0 && j != 0)
                            paths[i][j] = paths[i - 1][j] + paths[i][j - 1];
                        loop->post(loop.number({i, j}));
                    }
            });
        for (std::thread& each : all)
            each.join();
        std::vector<std::uint32_t> row(columns, 1);
        for (std::int64_t i = 1; i < rows; ++i)
            for (std::int64_t j = 1; j < columns; ++j)
                row[j] += row[j - 1];
        EXPECT_EQ(paths[rows - 1], row) << threads << " threads";
    }
}

}  // namespace
