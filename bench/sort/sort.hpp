// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mergesort with a parallel merge: the program `cilksort` of the Cilk distribution, which is `sort` in the Barcelona
// OpenMP Tasks Suite (S. G. Akl and N. Santoro, "Optimal parallel merging and sorting without memory conflicts", 1987).
//
// A range is cut into quarters, which are sorted. The first two quarters are merged into the scratch range, and so
// are the last two; then the two results are merged back. A merge takes the middle element of the longer input and
// finds its position in the other input, which splits the merge into two. Small ranges are sorted, and small inputs
// merged, without tasks. Differs from Cilk: small ranges are sorted by the standard library, not by a quicksort of
// its own, and the middle element belongs to the upper merge instead of being written separately.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::sort {

using element = std::uint32_t;

constexpr std::size_t largest_leaf = 2048;    // elements; for a merge, of both inputs together

struct range {
    const element* first;
    const element* last;

    std::size_t size() const { return static_cast<std::size_t>(last - first); }
};

// The two parts of a merge. Neither is empty if the longer input has at least two elements.
struct merge_cut {
    merge_cut(range one, range other);

    range lower_one, lower_other;
    range upper_one, upper_other;
    std::size_t lower_size() const { return lower_one.size() + lower_other.size(); }
};

// The leaves.
void sort_small(element* first, std::size_t count);
void merge_small(range one, range other, element* to);

// Merges the two sorted inputs into `to`.
template <class Forks> void merge(range one, range other, element* to) {
    if (one.size() + other.size() <= largest_leaf) {
        merge_small(one, other, to);
        return;
    }
    const merge_cut cut(one, other);
    Forks::both([&cut, to] { merge<Forks>(cut.lower_one, cut.lower_other, to); },
                [&cut, to] { merge<Forks>(cut.upper_one, cut.upper_other, to + cut.lower_size()); });
}

// Sorts the elements in place. `scratch` has room for `count` elements.
template <class Forks> void sort(element* elements, element* scratch, std::size_t count) {
    if (count <= largest_leaf) {
        sort_small(elements, count);
        return;
    }
    const std::size_t half = count / 2;
    // Sorts one half of the range: sorts its quarters, and then merges them into the scratch range.
    const auto sort_half = [elements, scratch](std::size_t first, std::size_t last) {
        const std::size_t middle = first + (last - first) / 2;
        Forks::both([=] { sort<Forks>(elements + first, scratch + first, middle - first); },
                    [=] { sort<Forks>(elements + middle, scratch + middle, last - middle); });
        merge<Forks>({elements + first, elements + middle}, {elements + middle, elements + last}, scratch + first);
    };
    Forks::both([&sort_half, half] { sort_half(0, half); }, [&sort_half, half, count] { sort_half(half, count); });
    merge<Forks>({scratch, scratch + half}, {scratch + half, scratch + count}, elements);
}

// The elements, and the checksum that is verified at the end.
struct input {
    std::vector<element> elements;
    std::vector<element> scratch;
    std::uint64_t checksum;

    template <class Forks> void sort_all() {
        sort<Forks>(elements.data(), scratch.data(), elements.size());
    }
};

// As many elements as p asks for.
input generated(const parameters& p);

// The elements must be in order and must be those of the input. The tasks that it reports are the ranges sorted as
// leaves.
outcome checked(const input& sorted, double seconds);

// What run_sort() does with a runtime's forks (harness/serial.hpp).
template <class Forks> outcome measured(const parameters& p) {
    return measured_with<Forks>(p, generated(p), [](input& all) { all.sort_all<Forks>(); });
}

}  // namespace bench::sort
