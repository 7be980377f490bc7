// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of parallel_sort; see parallel_sort.hpp.
#include <bench/parallel_sort/parallel_sort.hpp>

#include <bench/harness/size.hpp>

namespace bench {
namespace {

std::uint64_t count(const parameters& p) { return integer_size(parallel_sort_description, p, 1, 1'000'000'000); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // A merging sort needs room for the elements a second time.
    return 2 * count(p) * sizeof(std::uint32_t) + task_memory_bytes(p, family, 0, 0);
}

}  // namespace

const kernel_description parallel_sort_description = {
    .name = "parallel_sort", .sizes = {.quick = "5000000", .paper = "100000000", .tiny = "10000", .check = "50000"},
    .memory_bytes = memory_bytes, .waits = true,
};

namespace parallel_sort {

std::vector<std::uint32_t> generated(const parameters& p) {
    constexpr std::uint64_t seed = 1964;
    return random_elements(seed, count(p));
}

}  // namespace parallel_sort
}  // namespace bench
