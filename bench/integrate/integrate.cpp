// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and the exact area of integrate; see integrate.hpp.
#include <bench/integrate/integrate.hpp>

#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr std::uint64_t largest_end = 10'000;

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    integrate::upper_end(p);
    // Tasks wait for their children, so about one task per level of the recursion is queued.
    return task_memory_bytes(p, family, 0, sizeof(integrate::segment));
}

}  // namespace

const kernel_description integrate_description = {
    .name = "integrate", .sizes = {.quick = "2000", .paper = "10000", .tiny = "10", .check = "50"},
    .memory_bytes = memory_bytes, .waits = true,
};

namespace integrate {

double upper_end(const parameters& p) {
    return static_cast<double>(integer_size(integrate_description, p, 1, largest_end));
}

outcome checked(const parameters& p, double seconds, const result& found) {
    const double end = upper_end(p);
    const double exact = (end * end / 4 + 0.5) * end * end;
    // The permitted error of the segments, and the rounding of the sums: one rounding per level of the tree, with a
    // margin.
    const double allowed = static_cast<double>(found.segments) * tolerance + exact * 0x1p-53 * 64;
    return near_outcome(seconds, found.segments, found.area, exact, allowed);
}

}  // namespace integrate
}  // namespace bench
