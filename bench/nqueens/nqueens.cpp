// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and known answers of nqueens; see nqueens.hpp.
#include <bench/nqueens/nqueens.hpp>

#include <bench/harness/size.hpp>

namespace bench {
namespace {

struct known_board {
    std::uint64_t solutions;   // sequence A000170
    std::uint64_t tasks;       // leaves of the search: solutions and dead ends, counted by this program
};

constexpr known_board known[nqueens::largest_size] = {
    {1, 1}, {0, 2}, {0, 3}, {2, 6}, {10, 14}, {4, 50}, {40, 194}, {92, 736},
    {352, 2936}, {724, 12774}, {2680, 61076}, {14200, 314730}, {73712, 1716652}, {365596, 10030692},
    {2279184, 62518772},
};

std::vector<variant_description> variants(runtime_family family) { return usual_variants(family, true); }

// The leaves of the search down to boards with `last_row` queens.
std::uint64_t leaves(nqueens::board queens, unsigned size, unsigned last_row) {
    if (queens.rows() == last_row) return 1;
    std::uint32_t safe = queens.safe_columns(size);
    if (safe == 0) return 1;
    if (queens.rows() + 1 == last_row) return static_cast<std::uint64_t>(std::popcount(safe));
    std::uint64_t sum = 0;
    for (; safe != 0; safe = nqueens::without_first(safe))
        sum += leaves(queens.with(nqueens::first_column(safe)), size, last_row);
    return sum;
}

std::uint64_t number_of_tasks(const parameters& p) {
    const unsigned size = nqueens::size(p);
    if (p.cutoff <= 0) return known[size - 1].tasks;
    return p.cutoff >= static_cast<long>(size) ? 1 : leaves({}, size, size - static_cast<unsigned>(p.cutoff));
}

// That of all tasks without a cut-off.
std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return task_memory_bytes(p, family, known[nqueens::size(p) - 1].tasks, sizeof(nqueens::board));
}

}  // namespace

const kernel_description nqueens_description = {
    .name = "nqueens", .sizes = {.quick = "14", .paper = "13", .tiny = "6", .check = "8"}, .has_cutoff = true,
    .variants = variants, .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"12,14@11", "13,15@12"},
    .mpi = kind_sizes{"13", "14"},
};

namespace nqueens {

unsigned size(const parameters& p) {
    return static_cast<unsigned>(integer_size(nqueens_description, p, 1, largest_size));
}

outcome checked(const parameters& p, double seconds, std::uint64_t solutions) {
    const known_board& expected = known[size(p) - 1];
    return exact_outcome(seconds, number_of_tasks(p), std::to_string(solutions), std::to_string(expected.solutions));
}

}  // namespace nqueens
}  // namespace bench
