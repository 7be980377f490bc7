// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort of random numbers, down to single ones (C. A. R. Hoare, "Quicksort", 1962): tasks of very different sizes,
// in a tree that is out of balance, and no cut-off below which a range would be sorted by other means.
//
// A task is a range. It moves the small elements to the front and the great ones to the back, then both parts are
// tasks, and it waits for them. The pivot is the element in the middle, which is as good as a random one here. Both
// parts have an element, so that n elements take n - 1 partitions and end in n ranges of one, whatever the pivots are.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

extern const kernel_description quicksort_description;

outcome run_quicksort(const parameters& p);

}  // namespace bench

namespace bench::quicksort {

using element = std::uint32_t;

// Two elements at least: none before the result is greater than any from there on, and it is neither end.
inline element* partition(element* first, element* last) {
    const element pivot = first[(last - first - 1) / 2];
    for (element *low = first, *high = last - 1;; ++low, --high) {
        while (*low < pivot) ++low;
        while (pivot < *high) --high;
        if (low >= high) return high + 1;
        std::swap(*low, *high);
    }
}

// The elements, and what is checked in the end.
struct input {
    std::vector<element> elements;
    std::uint64_t checksum;

    element* begin() { return elements.data(); }
    element* end() { return elements.data() + elements.size(); }
};

// As many as p asks for.
input generated(const parameters& p);

// The elements must be in order, and must be those of the input.
outcome checked(const input& sorted, double seconds);

}  // namespace bench::quicksort
