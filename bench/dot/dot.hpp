// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cosine of the angle between two long vectors, as a reduction with three components (Blaze-Tasks, section 5.1).
// The range is halved down to single elements: the smallest possible task that reads memory.
//
// A task is a range of indices. It creates a task for the upper half and continues with the lower half, until one
// element is left.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace bench::dot {

struct range {
    std::size_t first;
    std::size_t count;

    bool is_single() const { return count == 1; }

    // Removes the upper half and returns it.
    range split() {
        const std::size_t kept = count / 2;
        const range upper = {first + kept, count - kept};
        count = kept;
        return upper;
    }
};

struct products {
    double uv = 0;
    double uu = 0;
    double vv = 0;

    products& operator+=(const products& other) {
        uv += other.uv;
        uu += other.uu;
        vv += other.vv;
        return *this;
    }

    double cosine() const { return uv / (std::sqrt(uu) * std::sqrt(vv)); }
};

struct view {
    const double* u;
    const double* v;

    products at(std::size_t index) const {
        return {u[index] * v[index], u[index] * u[index], v[index] * v[index]};
    }
};

// The two generated vectors.
class vectors {
public:
    explicit vectors(const parameters& p);

    dot::view view() const { return {u_.data(), v_.data()}; }
    range whole() const { return {0, u_.size()}; }

    outcome checked(double seconds, const products& found) const;

private:
    std::vector<double> u_;
    std::vector<double> v_;
};

// The task as the body of a reduction over tasks.
struct body {
    dot::view elements;

    template <class Pool> products operator()(Pool& pool, range task) const {
        while (!task.is_single()) pool.enq(task.split());
        return elements.at(task.first);
    }
};

}  // namespace bench::dot
