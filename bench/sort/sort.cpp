// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves and inputs of sort, and the check; see sort.hpp.
#include <bench/sort/sort.hpp>

#include <bench/harness/size.hpp>
#include <bench/harness/sorting.hpp>

#include <algorithm>

namespace bench {
namespace {

constexpr std::uint64_t largest_count = 1'000'000'000;

std::uint64_t count(const parameters& p) { return integer_size(sort_description, p, 1, largest_count); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // Tasks wait for their children, so about one task per level of the recursion is queued.
    return 2 * count(p) * sizeof(sort::element) + task_memory_bytes(p, family, 0, sizeof(sort::merge_cut));
}

std::uint64_t leaves(std::size_t elements) {
    if (elements <= sort::largest_leaf) return 1;
    const std::size_t half = elements / 2;
    const std::size_t rest = elements - half;
    return leaves(half / 2) + leaves(half - half / 2) + leaves(rest / 2) + leaves(rest - rest / 2);
}

}  // namespace

const kernel_description sort_description = {
    .name = "sort", .sizes = {.quick = "5000000", .paper = "100000000", .tiny = "10000", .check = "50000"},
    .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"3000000", "32000000"},
};

namespace sort {

merge_cut::merge_cut(range one, range other) {
    if (one.size() < other.size()) std::swap(one, other);
    const element* const middle = one.first + one.size() / 2;
    const element* const where = std::lower_bound(other.first, other.last, *middle);
    lower_one = {one.first, middle};
    lower_other = {other.first, where};
    upper_one = {middle, one.last};
    upper_other = {where, other.last};
}

void sort_small(element* first, std::size_t count) { std::sort(first, first + count); }

void merge_small(range one, range other, element* to) {
    std::merge(one.first, one.last, other.first, other.last, to);
}

input generated(const parameters& p) {
    constexpr std::uint64_t seed = 1987;
    input made;
    made.elements = random_elements(seed, count(p));
    made.scratch.resize(made.elements.size());
    made.checksum = checksum_of(made.elements);
    return made;
}

outcome checked(const input& sorted, double seconds) {
    return sorted_outcome(seconds, leaves(sorted.elements.size()), sorted.elements, sorted.checksum);
}

}  // namespace sort
}  // namespace bench
