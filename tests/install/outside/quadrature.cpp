// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program: adaptive quadrature in the style of Blaze-Tasks, Fig. 7, with the paper's own interface. It
// integrates sin from 0 to pi, which is 2. Exit status 0 if it found that.
#include <teff/reduce.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

using function = double (*)(double);

struct segment {
    double low, width, area;
};

double trapezoid(function f, double low, double width) { return width / 2 * (f(low) + f(low + width)); }

// Splits a segment until its two halves agree with it. One half becomes a task, the other is the continuation.
struct integral {
    function f;
    double tolerance;

    template <class Pool>
    double operator()(Pool& pool, segment task) const {
        for (;;) {
            const double half = task.width / 2;
            const double left = trapezoid(f, task.low, half);
            const double right = trapezoid(f, task.low + half, half);
            if (std::abs(task.area - (left + right)) < 3 * task.width * tolerance) return left + right;
            pool.enq(segment{task.low, half, left});
            task = segment{task.low + half, half, right};
        }
    }
};

double integrate(function f, double low, double high, double tolerance) {
    return teff::execute_tasks(2, integral{f, tolerance}, segment{low, high - low, trapezoid(f, low, high - low)});
}

int main() {
    const double area = integrate([](double x) { return std::sin(x); }, 0, std::numbers::pi, 1e-9);
    std::printf("%.9f\n", area);
    return std::abs(area - 2) < 1e-6 ? 0 : 1;
}
