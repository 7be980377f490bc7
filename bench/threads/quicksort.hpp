// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort with a thread for each part, down to single elements (Evans et al., section 4.2): each partition starts two
// threads, one for either part, and waits for them. So n elements take 2 (n - 1) threads. The partition is that of the
// kernel of kind fork_join.
#pragma once

#include <bench/quicksort/quicksort.hpp>
#include <bench/threads/threads.hpp>

namespace bench::threads::quicksort {

using bench::quicksort::element;
using bench::quicksort::input;

// As many elements as p asks for.
input generated(const parameters& p);

// The elements must be in order and must be those of the input.
outcome checked(const input& sorted, double seconds);

template <class Face> [[gnu::noinline]] void sort(element* first, element* last) {
    if (last - first < 2) return;
    element* const middle = bench::quicksort::partition(first, last);
    Face::all([first, middle] { sort<Face>(first, middle); }, [middle, last] { sort<Face>(middle, last); });
}

template <class Face> outcome measured(const parameters& p) {
    input made = generated(p);
    const double seconds = time_seconds([&] { Face::run(p, [&] { sort<Face>(made.begin(), made.end()); }); });
    return threads::quicksort::checked(made, seconds);
}

}  // namespace bench::threads::quicksort
