// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, formulas and leaves of strassen; see strassen.hpp.
#include <bench/strassen/strassen.hpp>

#include <bench/harness/size.hpp>

#include <algorithm>
#include <bit>

namespace bench {
namespace {

constexpr std::uint64_t largest_size = 16'384;

std::uint64_t size(const parameters& p) {
    const std::uint64_t asked = integer_size(strassen_description, p, 1, largest_size);
    if (!std::has_single_bit(asked)) throw usage_error("strassen: the size must be a power of two, as 1024 is");
    return asked;
}

// A task allocates (7 + 2) / 4 of its size, for its products and the two factors of the product that it runs; that
// product does the same one level below, and so on. A thief allocates as much for the tasks that it runs.
std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::uint64_t bytes = matrix_product::bytes(size(p));
    return bytes + bytes * p.threads + task_memory_bytes(p, family, 0, sizeof(matrix) * 3);
}

// A factor is a quarter of a matrix, or the sum or difference of two quarters. A quarter's number is 2 * lower +
// right.
struct factor {
    unsigned one;
    unsigned other;
    double sign;                         // of the other; 0: the factor is a single quarter
};
enum : unsigned { upper_left, upper_right, lower_left, lower_right };

constexpr factor left_factors[strassen::products] = {
    {upper_left, lower_right, 1},
    {lower_left, lower_right, 1},
    {upper_left, upper_left, 0},
    {lower_right, lower_right, 0},
    {upper_left, upper_right, 1},
    {lower_left, upper_left, -1},
    {upper_right, lower_right, -1},
};
constexpr factor right_factors[strassen::products] = {
    {upper_left, lower_right, 1},
    {upper_left, upper_left, 0},
    {upper_right, lower_right, -1},
    {lower_left, upper_left, -1},
    {lower_right, lower_right, 0},
    {upper_left, upper_right, 1},
    {lower_left, lower_right, 1},
};

// c += a * b. Halving keeps the parts of a large matrix in the caches.
void add_product(matrix c, const_matrix a, const_matrix b, std::size_t size) {
    if (size <= strassen::largest_loops) {
        multiply_add(c, a, b, size, size, size);
        return;
    }
    const std::size_t half = size / 2;
    for (const std::size_t row : {std::size_t{0}, half})
        for (const std::size_t column : {std::size_t{0}, half})
            for (const std::size_t inner : {std::size_t{0}, half})
                add_product(c.from(row, column), a.from(row, inner), b.from(inner, column), half);
}

void form(double* to, const factor& made, const_matrix of, std::size_t half) {
    const const_matrix one = of.from(made.one / 2 * half, made.one % 2 * half);
    const const_matrix other = of.from(made.other / 2 * half, made.other % 2 * half);
    for (std::size_t row = 0; row < half; ++row, to += half) {
        const double* const first = one.row(row);
        const double* const second = other.row(row);
        if (made.sign > 0)
            for (std::size_t column = 0; column < half; ++column) to[column] = first[column] + second[column];
        else if (made.sign < 0)
            for (std::size_t column = 0; column < half; ++column) to[column] = first[column] - second[column];
        else
            std::copy(first, first + half, to);
    }
}

}  // namespace

const kernel_description strassen_description = {
    .name = "strassen", .sizes = {.quick = "1024", .paper = "4096", .tiny = "128", .check = "256"}, .has_cutoff = true,
    .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"1024,1024@256", "4096,4096@512"},
};

namespace strassen {

void form_factors(std::size_t index, double* left, double* right, const_matrix a, const_matrix b, std::size_t half) {
    form(left, left_factors[index], a, half);
    form(right, right_factors[index], b, half);
}

void combine(matrix c, const double* parts, std::size_t half) {
    const std::size_t area = half * half;
    for (std::size_t row = 0; row < half; ++row, parts += half) {
        double* const upper = c.row(row);
        double* const lower = c.row(row + half);
        for (std::size_t column = 0; column < half; ++column) {
            const auto part = [&](std::size_t number) { return parts[(number - 1) * area + column]; };
            upper[column] = part(1) + part(4) - part(5) + part(7);
            upper[column + half] = part(3) + part(5);
            lower[column] = part(2) + part(4);
            lower[column + half] = part(1) - part(2) + part(3) + part(6);
        }
    }
}

void multiply_small(matrix c, const_matrix a, const_matrix b, std::size_t size) {
    for (std::size_t row = 0; row < size; ++row) std::fill_n(c.row(row), size, 0.0);
    add_product(c, a, b, size);
}

std::size_t base_of(const parameters& p) {
    return p.cutoff < 0 ? usual_base : std::max<std::size_t>(1, static_cast<std::size_t>(p.cutoff));
}

matrix_product generated(const parameters& p) { return matrix_product(size(p)); }

outcome checked(const matrix_product& found, double seconds, std::size_t base) {
    std::uint64_t leaves = 1;
    for (std::size_t size = found.size(); size > base; size /= 2) leaves *= products;
    return found.checked(seconds, leaves);
}

}  // namespace strassen
}  // namespace bench
