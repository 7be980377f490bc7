// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and leaves of matmul; see matmul.hpp.
#include <bench/matmul/matmul.hpp>

#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr std::uint64_t largest_size = 16'384;

std::uint64_t size(const parameters& p) { return integer_size(matmul_description, p, 1, largest_size); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // Tasks wait for their children, so about one task per level of the recursion is queued.
    return matrix_product::bytes(size(p)) + task_memory_bytes(p, family, 0, sizeof(matmul::extents));
}

// All three dimensions are halved alike, so the number of leaves is that of one dimension to the third power.
std::uint64_t leaves_of_one_dimension(std::size_t length) {
    if (length <= matmul::largest_leaf) return 1;
    return leaves_of_one_dimension(length / 2) + leaves_of_one_dimension(length - length / 2);
}

}  // namespace

const kernel_description matmul_description = {
    .name = "matmul", .sizes = {.quick = "768", .paper = "4096", .tiny = "64", .check = "100"},
    .memory_bytes = memory_bytes, .waits = true,
};

namespace matmul {

matrix_product generated(const parameters& p) { return matrix_product(size(p)); }

outcome checked(const matrix_product& found, double seconds) {
    const std::uint64_t leaves = leaves_of_one_dimension(found.size());
    return found.checked(seconds, leaves * leaves * leaves);
}

}  // namespace matmul
}  // namespace bench
