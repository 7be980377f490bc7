// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Discrete Fourier transform of complex numbers by halving (J. W. Cooley and J. W. Tukey, "An algorithm for the
// machine calculation of complex Fourier series", 1965), as `fft` in the Cilk distribution and in the Barcelona
// OpenMP Tasks Suite: it reads much memory for little arithmetic, and the second half of a task is a loop that forks
// again.
//
// A task transforms every stride-th element. It forks the transforms of the elements with even and with odd numbers
// into the two halves of the output, and then combines the halves in a loop, which is cut into halves by forks.
// Differs from both: radix 2 throughout instead of generated code for 2 to 32 points; and the input is not shuffled
// first, because it is read with a stride.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <vector>

namespace bench::fft {

constexpr std::size_t largest_leaf = 1024;           // elements of a transform
constexpr std::size_t largest_combined = 2048;       // pairs combined without tasks

// Not std::complex: its product calls a function that handles infinities.
struct complex {
    double real;
    double imaginary;

    friend complex operator+(complex a, complex b) { return {a.real + b.real, a.imaginary + b.imaginary}; }
    friend complex operator-(complex a, complex b) { return {a.real - b.real, a.imaginary - b.imaginary}; }
    friend complex operator*(complex a, complex b) {
        return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
    }
};

// exp(-2 pi i k / size) for k below size / 2.
struct roots {
    const complex* at;
    std::size_t size;
};

// The leaf computations: a transform; and the combination of pairs `first` to `last` - 1 of two transforms of `half`
// elements each.
void transform_small(const complex* from, std::size_t stride, complex* to, std::size_t count, roots unit);
void combine_small(complex* to, std::size_t half, std::size_t first, std::size_t last, roots unit);

template <class Forks>
void combine(complex* to, std::size_t half, std::size_t first, std::size_t last, roots unit) {
    if (last - first <= largest_combined) {
        combine_small(to, half, first, last, unit);
        return;
    }
    const std::size_t middle = first + (last - first) / 2;
    Forks::both([=] { combine<Forks>(to, half, first, middle, unit); },
                [=] { combine<Forks>(to, half, middle, last, unit); });
}

// Writes the transform of `count` elements, a power of two, to `to`.
template <class Forks>
void transform(const complex* from, std::size_t stride, complex* to, std::size_t count, roots unit) {
    if (count <= largest_leaf) {
        transform_small(from, stride, to, count, unit);
        return;
    }
    const std::size_t half = count / 2;
    Forks::both([=] { transform<Forks>(from, 2 * stride, to, half, unit); },
                [=] { transform<Forks>(from + stride, 2 * stride, to + half, half, unit); });
    combine<Forks>(to, half, 0, half, unit);
}

// The input is a sum of a few waves, so the whole output is known: at the frequency of each wave its height times the
// number of elements, and 0 everywhere else.
struct workload {
    std::vector<complex> input;
    std::vector<complex> output;
    std::vector<complex> unit_roots;

    template <class Forks> void transform_all() {
        transform<Forks>(input.data(), 1, output.data(), input.size(), {unit_roots.data(), input.size()});
    }
};

// A workload with the number of elements that p asks for.
workload generated(const parameters& p);

// The answer is the largest error of an element, in units of the expected rounding error. The tasks that it reports
// are the transforms that were leaves.
outcome checked(const workload& found, double seconds);

// What run_fft() does with a runtime's forks (harness/serial.hpp).
template <class Forks> outcome measured(const parameters& p) {
    return measured_with<Forks>(p, generated(p), [](workload& all) { all.transform_all<Forks>(); });
}

}  // namespace bench::fft
