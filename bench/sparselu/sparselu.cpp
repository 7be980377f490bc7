// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices, leaves and the check of sparselu; see sparselu.hpp.
#include <bench/sparselu/sparselu.hpp>

#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <cmath>

namespace bench {
namespace {

constexpr size_part size_parts[] = {{"BLOCKS", 1, 1000}, {"ROWS", 1, 1000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::vector<std::uint64_t> size = size_numbers(sparselu_description, p, size_parts);
    const std::uint64_t rows = size[0] * size[1];
    // Memory as if no block were empty. Up to the square of the number of blocks per side may be queued as tasks.
    return rows * rows * sizeof(double) + task_memory_bytes(p, family, size[0] * size[0], 4 * sizeof(void*));
}

// The pattern: a band of three blocks, and every third row and column.
bool is_there(std::size_t row, std::size_t column) {
    const std::size_t away = row < column ? column - row : row - column;
    return away <= 1 || (row % 3 == 0 && column % 3 == 0);
}

// matrix * vector, where `part` gives the value that an element has in the product.
template <class Part>
std::vector<double> times(const sparselu::block_matrix& matrix, const std::vector<double>& vector, const Part& part) {
    const std::size_t length = matrix.length();
    std::vector<double> result(vector.size());
    for (std::size_t row = 0; row < vector.size(); ++row) {
        for (std::size_t column = 0; column < matrix.blocks(); ++column) {
            const double* const block = matrix.block(row / length, column);
            if (block == nullptr) continue;
            for (std::size_t inner = 0; inner < length; ++inner) {
                const std::size_t at = column * length + inner;
                result[row] += part(row, at, block[row % length * length + inner]) * vector[at];
            }
        }
    }
    return result;
}

}  // namespace

const kernel_description sparselu_description = {
    .name = "sparselu", .sizes = {.quick = "50x40", .paper = "120x50", .tiny = "6x4", .check = "10x8"},
    .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"50x40", "120x50"},
};

namespace sparselu {

block_matrix::block_matrix(std::size_t blocks, std::size_t length)
    : blocks_(blocks), length_(length), parts_(blocks * blocks) {}

void block_matrix::fill(std::size_t row, std::size_t column) {
    parts_[row * blocks_ + column] = std::make_unique<double[]>(length_ * length_);
}

void factor(double* diagonal, std::size_t length) {
    for (std::size_t step = 0; step < length; ++step) {
        const double* const pivot = diagonal + step * length;
        for (std::size_t row = step + 1; row < length; ++row) {
            double* const next = diagonal + row * length;
            next[step] /= pivot[step];
            for (std::size_t column = step + 1; column < length; ++column) next[column] -= next[step] * pivot[column];
        }
    }
}

void solve_right(const double* diagonal, double* block, std::size_t length) {
    for (std::size_t step = 0; step < length; ++step) {
        const double* const solved = block + step * length;
        for (std::size_t row = step + 1; row < length; ++row) {
            double* const next = block + row * length;
            const double lower = diagonal[row * length + step];
            for (std::size_t column = 0; column < length; ++column) next[column] -= lower * solved[column];
        }
    }
}

void solve_below(const double* diagonal, double* block, std::size_t length) {
    for (std::size_t row = 0; row < length; ++row) {
        double* const next = block + row * length;
        for (std::size_t step = 0; step < length; ++step) {
            const double* const upper = diagonal + step * length;
            next[step] /= upper[step];
            for (std::size_t column = step + 1; column < length; ++column) next[column] -= next[step] * upper[column];
        }
    }
}

void subtract_product(double* from, const double* below, const double* right, std::size_t length) {
    for (std::size_t row = 0; row < length; ++row) {
        double* const __restrict to = from + row * length;
        for (std::size_t step = 0; step < length; ++step) {
            const double lower = below[row * length + step];
            const double* const __restrict upper = right + step * length;
            for (std::size_t column = 0; column < length; ++column) to[column] -= lower * upper[column];
        }
    }
}

std::vector<std::size_t> rows_below(const block_matrix& matrix, std::size_t step) {
    std::vector<std::size_t> rows;
    for (std::size_t row = step + 1; row < matrix.blocks(); ++row)
        if (matrix.block(row, step) != nullptr) rows.push_back(row);
    return rows;
}

std::vector<std::size_t> columns_right(const block_matrix& matrix, std::size_t step) {
    std::vector<std::size_t> columns;
    for (std::size_t column = step + 1; column < matrix.blocks(); ++column)
        if (matrix.block(step, column) != nullptr) columns.push_back(column);
    return columns;
}

workload generated(const parameters& p) {
    constexpr std::uint64_t seed = 2009;
    seeded_random random(seed);
    const std::vector<std::uint64_t> size = size_numbers(sparselu_description, p, size_parts);
    const std::size_t blocks = size[0];
    const std::size_t length = size[1];
    workload made{block_matrix(blocks, length), std::vector<double>(blocks * length), {}};
    for (std::size_t row = 0; row < blocks; ++row) {
        for (std::size_t column = 0; column < blocks; ++column) {
            if (!is_there(row, column)) continue;
            made.matrix.fill(row, column);
            double* const block = made.matrix.block(row, column);
            for (std::size_t index = 0; index < length * length; ++index) block[index] = 2 * random.unit() - 1;
            // The diagonal element is larger than all others of its row together, so no pivoting is needed.
            for (std::size_t index = 0; row == column && index < length; ++index)
                block[index * length + index] += static_cast<double>(blocks * length);
        }
    }
    for (double& each : made.vector) each = 2 * random.unit() - 1;
    made.product = times(made.matrix, made.vector, [](std::size_t, std::size_t, double element) { return element; });
    for (std::size_t step = 0; step < blocks; ++step) {
        for (const std::size_t row : rows_below(made.matrix, step))
            for (const std::size_t column : columns_right(made.matrix, step))
                if (made.matrix.block(row, column) == nullptr) made.matrix.fill(row, column);
    }
    return made;
}

outcome checked(const workload& found, double seconds) {
    const block_matrix& matrix = found.matrix;
    const auto upper = [](std::size_t row, std::size_t column, double element) { return row <= column ? element : 0; };
    const auto lower = [](std::size_t row, std::size_t column, double element) {
        return row == column ? 1 : row > column ? element : 0;
    };
    const std::vector<double> product = times(matrix, times(matrix, found.vector, upper), lower);
    double largest = 0;
    for (std::size_t row = 0; row < product.size(); ++row) {
        const double error = std::fabs(product[row] - found.product[row]);
        // Once `largest` is NaN, it stays NaN.
        if (std::isnan(error) || error > largest) largest = error;
    }
    std::uint64_t leaves = 0;
    for (std::size_t step = 0; step < matrix.blocks(); ++step) {
        const std::size_t rows = rows_below(matrix, step).size();
        const std::size_t columns = columns_right(matrix, step).size();
        leaves += 1 + rows + columns + rows * columns;
    }
    // A sum has as many terms as the matrix has rows; its largest term is the diagonal's, which is about the number
    // of rows.
    const auto size = static_cast<double>(product.size());
    return near_outcome(seconds, leaves, largest, 0, 0x1p-53 * size * (size + 64));
}

}  // namespace sparselu
}  // namespace bench
