// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices, the loops that multiply small ones, and the check of a product; see matrix_product.hpp.
#include <bench/harness/matrix_product.hpp>

#include <bench/harness/random.hpp>

namespace bench {
namespace {

std::vector<double> times(const std::vector<double>& elements, const std::vector<double>& vector) {
    std::vector<double> product(vector.size());
    const double* next = elements.data();
    for (double& sum : product)
        for (const double factor : vector) sum += *next++ * factor;
    return product;
}

// The elements are integers below 2^53.
std::string text(const std::vector<double>& vector) {
    std::uint64_t sum = 0;
    for (const double each : vector) sum = sum * 31 + static_cast<std::uint64_t>(each);
    return "checksum " + std::to_string(sum);
}

}  // namespace

void multiply_add(matrix c, const_matrix a, const_matrix b, std::size_t rows, std::size_t inner, std::size_t columns) {
    for (std::size_t i = 0; i < rows; ++i) {
        double* const __restrict to = c.row(i);
        for (std::size_t k = 0; k < inner; ++k) {
            const double factor = a.row(i)[k];
            const double* const __restrict from = b.row(k);
            for (std::size_t j = 0; j < columns; ++j) to[j] += factor * from[j];
        }
    }
}

matrix_product::matrix_product(std::size_t size)
    : size_(size), left_(size * size), right_(size * size), result_(size * size) {
    constexpr std::uint64_t seed = 1977;
    constexpr std::uint64_t bound = 8;
    seeded_random random(seed);
    for (double& each : left_) each = static_cast<double>(random.below(bound));
    for (double& each : right_) each = static_cast<double>(random.below(bound));
}

outcome matrix_product::checked(double seconds, std::uint64_t tasks) const {
    constexpr std::uint64_t seed = 1979;
    constexpr std::uint64_t bound = 8;
    seeded_random random(seed);
    std::vector<double> vector(size_);
    for (double& each : vector) each = static_cast<double>(1 + random.below(bound));
    const std::vector<double> expected = times(left_, times(right_, vector));
    const std::vector<double> found = times(result_, vector);
    for (std::size_t row = 0; row < size_; ++row) {
        // Written so that a NaN counts as wrong, too.
        if (!(found[row] == expected[row]))
            return exact_outcome(seconds, tasks, "wrong in row " + std::to_string(row), text(expected));
    }
    return exact_outcome(seconds, tasks, text(found), text(expected));
}

}  // namespace bench
