// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tolerances, segment counts and the check of pi; see pi.hpp.
#include <bench/pi/pi.hpp>

#include <bench/harness/size.hpp>

#include <numbers>

namespace bench {
namespace {

constexpr double smallest_tolerance = 1e-17;

// The number of segments for each power of ten; the plain recursion gives the same numbers with GCC and Clang.
struct known_count {
    double tolerance;
    std::uint64_t segments;
};

constexpr known_count known_counts[] = {
    {1e-1, 1},          {1e-2, 6},          {1e-3, 19},         {1e-4, 55},         {1e-5, 169},        {1e-6, 560},
    {1e-7, 1701},       {1e-8, 5370},       {1e-9, 17689},      {1e-10, 53706},     {1e-11, 169954},    {1e-12, 560967},
    {1e-13, 1695599},   {1e-14, 5380093},   {1e-15, 17745772},  {1e-16, 55030326},  {1e-17, 165341288},
};

// For other tolerances the count is not known in advance, so the count found is accepted.
std::uint64_t expected_segments(double tolerance, std::uint64_t found) {
    for (const known_count& known : known_counts)
        if (known.tolerance == tolerance) return known.segments;
    return found;
}

// The permitted distance from pi. A segment is accepted if halving it changed its area by less than 3 * (length of
// the segment) * tolerance. Halving leaves a third of that change as the error where the curve is smooth, and about
// 0.61 of it in the last segment, at the steep end. So all segments together contribute less than 2 * tolerance, and
// four quarter circles less than 8 * tolerance. Adding n parts in any order has an error of about sqrt(n) times the
// unit roundoff (the worst case, n times, does not occur by chance). Sixteen times that makes a false alarm practically
// impossible.
double largest_error(double tolerance, std::uint64_t segments) {
    return 8 * tolerance + 4 * 16 * std::sqrt(static_cast<double>(segments)) * 0x1p-53;
}

std::string with_segments(const std::string& area, std::uint64_t segments) {
    return area + " (" + std::to_string(segments) + " segments)";
}

std::vector<variant_description> variants(runtime_family family) { return usual_variants(family, false); }

// The error of a segment grows with the third power of its length, so the number of segments grows with the square
// root of the precision.
std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const auto segments = static_cast<std::uint64_t>(std::ceil(1 / std::sqrt(pi::tolerance(p))));
    return task_memory_bytes(p, family, segments, sizeof(pi::segment));
}

}  // namespace

const kernel_description pi_description = {
    .name = "pi", .sizes = {.quick = "1e-15", .paper = "1e-17", .tiny = "1e-6", .check = "1e-9"},
    .variants = variants, .memory_bytes = memory_bytes,
};

namespace pi {

double tolerance(const parameters& p) { return real_size(pi_description, p, smallest_tolerance, 1); }

outcome checked(const parameters& p, double seconds, const result& found) {
    const double asked = tolerance(p);
    const std::uint64_t segments = expected_segments(asked, found.segments);
    const double error = largest_error(asked, segments);
    outcome checked = near_outcome(seconds, found.segments, 4 * found.area, std::numbers::pi, error);
    checked.verified = checked.verified && found.segments == segments;
    checked.answer = with_segments(checked.answer, found.segments);
    checked.expected = with_segments(checked.expected, segments);
    return checked;
}

}  // namespace pi
}  // namespace bench
