// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two patterns over Qthreads' arrays. All-Pairs is a loop over the segments of the first array. A wavefront is computed
// in square blocks. The blocks of an antidiagonal depend only on earlier ones, so they are computed at the same time.
#include <teff/qthread/allpairs.h>
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/wavefront.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

struct qt_wavefront_lattice_s {
    std::size_t rows, cols, unit;
    std::unique_ptr<unsigned char[]> elements;  // row by row, the lowest one first

    unsigned char* at(std::size_t row, std::size_t col) const noexcept {
        return elements.get() + (row * cols + col) * unit;
    }
};

namespace {

using namespace teff::qthreads;

// Calls compute(row, col) for each element, after those at its left and below.
template <class Compute>
void compute_in_blocks(std::size_t rows, std::size_t cols, const Compute& compute) {
    constexpr std::size_t side = 64;
    const std::size_t block_rows = (rows + side - 1) / side;
    const std::size_t block_cols = (cols + side - 1) / side;
    if (block_rows == 0 || block_cols == 0)
        return;
    ensure_team();
    task_team_record* const team = is_on_fiber() ? own().team : nullptr;
    const scoped_asleep asleep;
    for (std::size_t diagonal = 0; diagonal < block_rows + block_cols - 1; ++diagonal) {
        const std::size_t low = diagonal < block_cols ? 0 : diagonal - block_cols + 1;
        const std::size_t high = std::min(diagonal + 1, block_rows);
        teff::coforall(low, high, [&](std::size_t block) {
            be_in_team(team);
            const std::size_t first_col = (diagonal - block) * side;
            for (std::size_t row = block * side; row < std::min((block + 1) * side, rows); ++row)
                for (std::size_t col = first_col; col < std::min(first_col + side, cols); ++col)
                    compute(row, col);
        });
    }
}

struct pairs {
    const qarray* second;
    dist_f function;
    dist_out_f with_result;
    void* restrict* output;
    std::size_t result_size;
};

void all_pairs_of_part(std::size_t first, std::size_t last, const qarray* array, void* argument) {
    const pairs& arguments = *static_cast<const pairs*>(argument);
    for (std::size_t i = first; i < last; ++i) {
        const void* const left = qarray_elem_nomigrate(array, i);
        for (std::size_t j = 0; j < arguments.second->count; ++j) {
            const void* const right = qarray_elem_nomigrate(arguments.second, j);
            if (arguments.function != nullptr)
                arguments.function(left, right);
            else
                arguments.with_result(left, right, static_cast<char*>(arguments.output[i]) + j * arguments.result_size);
        }
    }
}

}  // namespace

extern "C" {

void qt_allpairs(const qarray* array1, const qarray* array2, dist_f function) {
    pairs arguments{array2, function, nullptr, nullptr, 0};
    qarray_iter_constloop(array1, 0, array1->count, &all_pairs_of_part, &arguments);
}
void qt_allpairs_output(const qarray* array1, const qarray* array2, dist_out_f function, void* restrict* output,
                        std::size_t result_size) {
    pairs arguments{array2, nullptr, function, output, result_size};
    qarray_iter_constloop(array1, 0, array1->count, &all_pairs_of_part, &arguments);
}

qt_wavefront_lattice* qt_wavefront(qarray* left, qarray* below, wave_comp_f function) {
    if (left == nullptr || below == nullptr || function == nullptr || left->unit_size != below->unit_size ||
        below->count < 2)
        return nullptr;
    const std::size_t rows = left->count;
    const std::size_t cols = below->count - 1;
    if (cols > std::numeric_limits<std::size_t>::max() / rows / left->unit_size)
        return nullptr;
    std::unique_ptr<qt_wavefront_lattice> made;
    const int code = code_of([&] {
        made = std::make_unique<qt_wavefront_lattice>(qt_wavefront_lattice{
            rows, cols, left->unit_size, std::make_unique<unsigned char[]>(rows * cols * left->unit_size)});
        // The column at the left of the first one is `left`, above the corner; the row below is `below`.
        const auto at = [&](std::size_t row, std::size_t col) -> const void* {
            if (row == 0)
                return qarray_elem_nomigrate(below, col);
            return col == 0 ? qarray_elem_nomigrate(left, row - 1)
                            : static_cast<const void*>(made->at(row - 1, col - 1));
        };
        compute_in_blocks(rows, cols, [&](std::size_t row, std::size_t col) {
            function(at(row + 1, col), at(row, col), at(row, col + 1), made->at(row, col));
        });
    });
    return code == QTHREAD_SUCCESS ? made.release() : nullptr;
}
void qt_wavefront_print_lattice(const qt_wavefront_lattice* lattice) {
    for (std::size_t row = lattice->rows; row-- > 0;) {
        for (std::size_t col = 0; col < lattice->cols; ++col) {
            const unsigned char* const element = lattice->at(row, col);
            if (lattice->unit == sizeof(double)) {
                double value = 0;
                std::memcpy(&value, element, sizeof value);
                std::printf("%g ", value);
            } else {
                for (std::size_t i = 0; i < lattice->unit; ++i)
                    std::printf("%02x", element[i]);
                std::printf(" ");
            }
        }
        std::printf("\n");
    }
}
void qt_wavefront_destroy_lattice(qt_wavefront_lattice* lattice) { delete lattice; }

void qt_basic_wavefront(int* restrict const* lattice, std::size_t cols, std::size_t rows, wave_comp_f function) {
    if (cols == 0 || rows == 0)
        return;
    compute_in_blocks(rows - 1, cols - 1, [=](std::size_t row, std::size_t col) {
        function(lattice[col] + row + 1, lattice[col] + row, lattice[col + 1] + row, lattice[col + 1] + row + 1);
    });
}

}  // extern "C"
