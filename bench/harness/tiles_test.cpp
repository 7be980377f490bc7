// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The computations on tiles are what they say, also when several threads call OpenBLAS at the same time.
#include <bench/harness/random.hpp>
#include <bench/harness/tiles.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

namespace bench {
namespace {

// Column by column.
TEST(tiles, compute_what_they_say) {
    tile diagonal = {4, 2, -1, 10};      // (4 2, 2 10), of which the upper half is not read
    factor(diagonal, 2);
    EXPECT_EQ(diagonal, (tile{2, 1, -1, 3}));
    tile below = {2, 6, 4, 15};          // (1 1, 3 4) times the transposed factor (2 1, 0 3)
    divide(diagonal, below, 2);
    EXPECT_EQ(below, (tile{1, 3, 1, 4}));
    tile square = {1, 1, 1, 1};
    add_square(-1, below, square, 2);    // (2 7, 7 25)
    EXPECT_EQ(square, (tile{-1, -6, 1, -24}));
    tile product = {1, 1, 1, 1};
    add_product(2, below, {1, 0, 2, 1}, product, 2);   // with (1 2, 0 1) transposed: (3 1, 11 4)
    EXPECT_EQ(product, (tile{7, 23, 3, 9}));
}

TEST(tiles, a_matrix_without_a_factor_becomes_nan) {
    tile block = {1, 2, 0, 1};           // (1 2, 2 1)
    factor(block, 2);
    EXPECT_TRUE(std::isnan(block[0]));
}

TEST(tiles, threads_may_compute_at_the_same_time) {
    constexpr std::size_t rows = 16;
    constexpr int rounds = 20'000;
    constexpr unsigned callers = 4;
    use_one_blas_thread(callers);
    seeded_random random(1);
    tile diagonal(rows * rows);
    tile below(rows * rows);
    for (double& each : diagonal) each = random.unit();
    for (double& each : below) each = random.unit();
    for (std::size_t row = 0; row < rows; ++row) diagonal[row * rows + row] += 2 * rows;
    const auto steps = [&] {
        tile first = diagonal;
        tile second = below;
        factor(first, rows);
        divide(first, second, rows);
        add_square(-1, second, first, rows);
        return first;
    };
    const tile expected = steps();
    std::atomic<int> wrong{0};
    const auto repeat = [&] {
        for (int round = 0; round < rounds; ++round)
            if (steps() != expected) wrong.fetch_add(1, std::memory_order_relaxed);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < callers; ++i) threads.emplace_back(repeat);
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace bench
