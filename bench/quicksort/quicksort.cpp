// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of quicksort and the check; see quicksort.hpp.
#include <bench/quicksort/quicksort.hpp>

#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>

namespace bench {
namespace {

constexpr std::uint64_t largest_count = 1'000'000'000;

std::uint64_t count(const parameters& p) { return integer_size(quicksort_description, p, 1, largest_count); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // Tasks that wait for each other are queued at one per level of the recursion.
    return count(p) * sizeof(quicksort::element) + task_memory_bytes(p, family, 0, sizeof(quicksort::element*) * 2);
}

// Whatever the order: a sum, of numbers that are mixed first, so that two errors do not make up for each other.
std::uint64_t checksum_of(const std::vector<quicksort::element>& elements) {
    std::uint64_t sum = 0;
    for (const quicksort::element each : elements) sum += seeded_random(each).next();
    return sum;
}

std::string text(std::uint64_t checksum) { return "in order, checksum " + std::to_string(checksum); }

}  // namespace

const kernel_description quicksort_description = {
    .name = "quicksort",
    .quick = "5000000",
    .paper = "100000000",
    .tiny = "1000",
    .has_cutoff = false,
    .has_input = false,
    .variants = nullptr,
    .memory_bytes = memory_bytes,
    .waits = true,
};

namespace quicksort {

input generated(const parameters& p) {
    constexpr std::uint64_t seed = 1962;
    seeded_random random(seed);
    input made;
    made.elements.resize(count(p));
    for (element& each : made.elements) each = static_cast<element>(random.next());
    made.checksum = checksum_of(made.elements);
    return made;
}

outcome checked(const input& sorted, double seconds) {
    const auto stop = std::is_sorted_until(sorted.elements.begin(), sorted.elements.end());
    const std::string found = stop == sorted.elements.end()
                                  ? text(checksum_of(sorted.elements))
                                  : "out of order at " + std::to_string(stop - sorted.elements.begin());
    return exact_outcome(seconds, sorted.elements.size(), found, text(sorted.checksum));
}

}  // namespace quicksort
}  // namespace bench
