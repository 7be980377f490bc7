// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort of random numbers, down to single elements (C. A. R. Hoare, "Quicksort", 1962): tasks of very different
// sizes in an unbalanced tree, without a cut-off below which ranges are sorted by other means.
//
// A task is a range. It moves the small elements to the front and the large ones to the back; then both parts become
// tasks, and it waits for them. The pivot is the middle element, which is as good as a random one here. Neither part
// is empty, so n elements take n - 1 partitions and end in n ranges of one element, for any choice of pivots.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace bench::quicksort {

using element = std::uint32_t;

// Requires at least two elements. Returns a position strictly inside the range; no element before it is greater than
// any element from it on.
inline element* partition(element* first, element* last) {
    const element pivot = first[(last - first - 1) / 2];
    for (element *low = first, *high = last - 1;; ++low, --high) {
        while (*low < pivot) ++low;
        while (pivot < *high) --high;
        if (low >= high) return high + 1;
        std::swap(*low, *high);
    }
}

// The elements, and the checksum that is verified at the end.
struct input {
    std::vector<element> elements;
    std::uint64_t checksum;

    element* begin() { return elements.data(); }
    element* end() { return elements.data() + elements.size(); }
};

// As many elements as p asks for.
input generated(const parameters& p);
input random_input(std::uint64_t elements);

// The elements must be in order and must be those of the input.
outcome checked(const input& sorted, double seconds);

// What run_quicksort() does with a runtime's forks (harness/serial.hpp) and its task, which sorts a range.
template <class Forks, class Task> outcome measured(const parameters& p, const Task& task) {
    input made = generated(p);
    const double seconds = time_seconds([&] { Forks::run(p, [&] { task(made.begin(), made.end()); }); });
    return checked(made, seconds);
}

}  // namespace bench::quicksort
