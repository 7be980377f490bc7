// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of quicksort and the check; see quicksort.hpp.
#include <bench/quicksort/quicksort.hpp>

#include <bench/harness/size.hpp>
#include <bench/harness/sorting.hpp>

namespace bench {
namespace {

constexpr std::uint64_t largest_count = 1'000'000'000;

std::uint64_t count(const parameters& p) { return integer_size(quicksort_description, p, 1, largest_count); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // Tasks wait for their children, so about one task per level of the recursion is queued.
    return count(p) * sizeof(quicksort::element) + task_memory_bytes(p, family, 0, sizeof(quicksort::element*) * 2);
}

}  // namespace

const kernel_description quicksort_description = {
    .name = "quicksort", .sizes = {.quick = "5000000", .paper = "100000000", .tiny = "1000", .check = "5000"},
    .memory_bytes = memory_bytes, .waits = true,
};

namespace quicksort {

input generated(const parameters& p) { return random_input(count(p)); }

input random_input(std::uint64_t elements) {
    constexpr std::uint64_t seed = 1962;
    input made;
    made.elements = random_elements(seed, elements);
    made.checksum = checksum_of(made.elements);
    return made;
}

outcome checked(const input& sorted, double seconds) {
    return sorted_outcome(seconds, sorted.elements.size(), sorted.elements, sorted.checksum);
}

}  // namespace quicksort
}  // namespace bench
