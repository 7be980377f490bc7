// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The area under (x^2 + 1) x from 0 to n, by adaptive quadrature with trapezoids: the program `integrate` of the Cilk
// distribution. The tasks are as small as those of fib, but carry six numbers, and the tree is not known beforehand.
//
// A task is a segment with its estimated area. It estimates the two halves. If their sum differs too much from the
// whole, both halves become tasks, and the task waits for them. A result counts the segments in addition to the area;
// the count shows whether all versions split at the same places. They do, because the terms are evaluated in the same
// order everywhere. (A compiler that fuses multiplications and additions may split at other places than one that does
// not.)
#pragma once

#include <bench/harness/kernel.hpp>

#include <cmath>
#include <cstdint>

namespace bench::integrate {

constexpr double tolerance = 1e-9;    // of one segment

struct segment {
    double low;
    double low_height;
    double high;
    double high_height;
    double area;
};

struct result {
    double area = 0;
    std::uint64_t segments = 0;

    friend result operator+(const result& left, const result& right) {
        return {left.area + right.area, left.segments + right.segments};
    }
};

inline double height(double x) { return (x * x + 1) * x; }

inline double trapezoid(double width, double low_height, double high_height) {
    return (low_height + high_height) / 2 * width;
}

inline segment whole(double high) {
    return {0, height(0), high, height(high), trapezoid(high, height(0), height(high))};
}

// The two halves of a segment.
struct halves {
    segment left;
    segment right;

    explicit halves(const segment& whole) {
        const double width = (whole.high - whole.low) / 2;
        const double middle = whole.low + width;
        const double at_middle = height(middle);
        left = {whole.low, whole.low_height, middle, at_middle, trapezoid(width, whole.low_height, at_middle)};
        right = {middle, at_middle, whole.high, whole.high_height, trapezoid(width, at_middle, whole.high_height)};
    }

    bool good_enough(const segment& whole) const { return std::fabs(area() - whole.area) < tolerance; }
    double area() const { return left.area + right.area; }
    result as_result() const { return {area(), 1}; }
};

// The upper end that p asks for.
double upper_end(const parameters& p);

outcome checked(const parameters& p, double seconds, const result& found);

// What run_integrate() does with a runtime's forks (harness/serial.hpp) and its task, which integrates over a segment.
template <class Forks, class Task> outcome measured(const parameters& p, const Task& task) {
    const double end = upper_end(p);
    result found;
    const double seconds = time_seconds([&] { Forks::run(p, [&] { found = task(whole(end)); }); });
    return checked(p, seconds, found);
}

}  // namespace bench::integrate
