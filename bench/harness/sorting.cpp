// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs and checks of kernels that sort; see sorting.hpp.
#include <bench/harness/sorting.hpp>

#include <bench/harness/random.hpp>

#include <algorithm>
#include <string>

namespace bench {
namespace {

std::string text(std::uint64_t checksum) { return "in order, checksum " + std::to_string(checksum); }

}  // namespace

std::vector<std::uint32_t> random_elements(std::uint64_t seed, std::size_t count) {
    seeded_random random(seed);
    std::vector<std::uint32_t> made(count);
    for (std::uint32_t& each : made) each = static_cast<std::uint32_t>(random.next());
    return made;
}

std::uint64_t checksum_of(const std::vector<std::uint32_t>& elements) {
    std::uint64_t sum = 0;
    for (const std::uint32_t each : elements) sum += seeded_random(each).next();
    return sum;
}

outcome sorted_outcome(double seconds, std::uint64_t tasks, const std::vector<std::uint32_t>& elements,
                       std::uint64_t checksum) {
    const auto stop = std::is_sorted_until(elements.begin(), elements.end());
    const std::string found = stop == elements.end()
                                  ? text(checksum_of(elements))
                                  : "out of order at " + std::to_string(stop - elements.begin());
    return exact_outcome(seconds, tasks, found, text(checksum));
}

}  // namespace bench
