// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pi as four times the area under the quarter of the unit circle, by adaptive quadrature with trapezoids
// (Blaze-Tasks, sections 2.1, 5.1 and Fig. 7). The curve is steep at one end, so the work is distributed unevenly, in
// a way that is not known in advance.
//
// A task is a segment with its estimated area. It estimates the two halves. While their sum differs too much from the
// whole, it creates a task for the left half and continues with the right one. The result also counts the segments,
// and every version must split at exactly the same places. The circle is therefore written (1 - x)(1 + x) instead of
// the paper's 1 - x * x. Since x is a multiple of a power of two, both factors are almost exact; the paper's
// difference would lose its digits near x = 1, and at the paper's tolerance the noise would cause ever more splits
// (4.5 times the segments). All other products are with powers of two, so it does not matter whether a compiler fuses
// multiplications and additions.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cmath>
#include <cstdint>

namespace bench::pi {

struct segment {
    double low;
    double step;
    double area;
};

struct result {
    double area = 0;
    std::uint64_t segments = 0;

    result& operator+=(const result& other) {
        area += other.area;
        segments += other.segments;
        return *this;
    }
};

inline double circle(double x) { return std::sqrt((1 - x) * (1 + x)); }

inline double trapezoid(double low, double step) { return step / 2 * (circle(low) + circle(low + step)); }

inline segment whole() { return {0, 1, trapezoid(0, 1)}; }

// The two halves of a segment.
struct halves {
    segment left;
    segment right;
    double area;
    bool good_enough;

    halves(const segment& whole, double tolerance) {
        const double step = whole.step / 2;
        left = {whole.low, step, trapezoid(whole.low, step)};
        right = {whole.low + step, step, trapezoid(whole.low + step, step)};
        area = left.area + right.area;
        good_enough = std::fabs(whole.area - area) < 3 * whole.step * tolerance;
    }
};

// The task as the body of a reduction over tasks.
struct body {
    double tolerance;

    template <class Pool> result operator()(Pool& pool, segment task) const {
        for (;;) {
            const halves cut(task, tolerance);
            if (cut.good_enough) return {cut.area, 1};
            pool.enq(cut.left);
            task = cut.right;
        }
    }
};

// The tolerance that p asks for.
double tolerance(const parameters& p);

outcome checked(const parameters& p, double seconds, const result& found);

}  // namespace bench::pi
