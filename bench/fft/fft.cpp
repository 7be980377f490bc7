// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves, leaves and the check of fft; see fft.hpp.
#include <bench/fft/fft.hpp>

#include <bench/harness/size.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace bench {
namespace {

constexpr std::uint64_t largest_count = std::uint64_t{1} << 30;

std::uint64_t count(const parameters& p) {
    const std::uint64_t asked = integer_size(fft_description, p, 1, largest_count);
    if (!std::has_single_bit(asked)) throw usage_error("fft: the size must be a power of two, as 1048576 is");
    return asked;
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // Input, output and half as many roots. About one task per level of the recursion is queued.
    return count(p) * sizeof(fft::complex) * 5 / 2 + task_memory_bytes(p, family, 0, 6 * sizeof(void*));
}

// exp(i * 2 pi * turns / size), by the library's functions.
fft::complex on_circle(double turns, double size) {
    const double angle = 2 * std::numbers::pi * turns / size;
    return {std::cos(angle), std::sin(angle)};
}

// A wave with frequency `place` * size. The last wave is not symmetric to any other.
struct wave {
    double place;
    fft::complex height;

    std::size_t frequency(std::size_t size) const {
        return static_cast<std::size_t>(place * static_cast<double>(size));
    }
};
constexpr wave waves[] = {{0, {0.5, 0}}, {0.3, {0.75, -1}}, {0.501, {-0.25, 2}}, {0.9, {1, 1}}};

}  // namespace

const kernel_description fft_description = {
    .name = "fft", .sizes = {.quick = "2097152", .paper = "16777216", .tiny = "4096", .check = "8192"},
    .memory_bytes = memory_bytes, .waits = true,
};

namespace fft {

void combine_small(complex* to, std::size_t half, std::size_t first, std::size_t last, roots unit) {
    const std::size_t step = unit.size / (2 * half);
    for (std::size_t index = first; index < last; ++index) {
        const complex even = to[index];
        const complex odd = unit.at[index * step] * to[index + half];
        to[index] = even + odd;
        to[index + half] = even - odd;
    }
}

void transform_small(const complex* from, std::size_t stride, complex* to, std::size_t count, roots unit) {
    if (count == 1) {
        *to = *from;
        return;
    }
    const std::size_t half = count / 2;
    transform_small(from, 2 * stride, to, half, unit);
    transform_small(from + stride, 2 * stride, to + half, half, unit);
    combine_small(to, half, 0, half, unit);
}

workload generated(const parameters& p) {
    const std::size_t size = count(p);
    const auto real_size = static_cast<double>(size);
    workload made;
    made.input.assign(size, {0, 0});
    made.output.resize(size);
    made.unit_roots.resize(size / 2);
    for (std::size_t index = 0; index < size / 2; ++index)
        made.unit_roots[index] = on_circle(-static_cast<double>(index), real_size);
    for (const wave& each : waves) {
        const std::size_t frequency = each.frequency(size);
        for (std::size_t index = 0; index < size; ++index) {
            // The remainder keeps the angle small, so that no precision is lost.
            const std::size_t turns = frequency * index % size;
            made.input[index] = made.input[index] + each.height * on_circle(static_cast<double>(turns), real_size);
        }
    }
    return made;
}

outcome checked(const workload& found, double seconds) {
    const std::size_t size = found.output.size();
    std::vector<complex> rest = found.output;
    for (const wave& each : waves) {
        complex& at = rest[each.frequency(size)];
        at = at - each.height * complex{static_cast<double>(size), 0};
    }
    double largest = 0;
    for (const complex& each : rest) {
        const double error = std::hypot(each.real, each.imaginary);
        // Once `largest` is NaN, it stays NaN.
        if (std::isnan(error) || error > largest) largest = error;
    }
    // Every level rounds sums that are as large as the heights of all waves together times the size; with a margin.
    const double rounding = 0x1p-53 * static_cast<double>(size) * (std::log2(static_cast<double>(size)) + 1);
    constexpr double allowed = 16;
    return near_outcome(seconds, std::max<std::size_t>(size / largest_leaf, 1), largest / rounding, 0, allowed);
}

}  // namespace fft
}  // namespace bench
