// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mergesort with a parallel merge: the program `cilksort` of the Cilk distribution, which is `sort` in the Barcelona
// OpenMP Tasks Suite (S. G. Akl and N. Santoro, "Optimal parallel merging and sorting without memory conflicts", 1987).
//
// A range is cut into quarters, which are sorted; the first two are merged and so are the last two, into the scratch
// range, and the two results are merged back. A merge takes the middle of the longer input, looks in the other one for
// where it belongs, and so becomes two merges. Small ranges are sorted, and small inputs merged, without tasks. Differs
// from Cilk: small ranges are sorted by the standard library, not by a quicksort of its own, and an element in the
// middle goes with the upper part instead of being written by itself.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

extern const kernel_description sort_description;

outcome run_sort(const parameters& p);

}  // namespace bench

namespace bench::sort {

using element = std::uint32_t;

constexpr std::size_t largest_leaf = 2048;    // elements; of a merge: of both inputs together

struct range {
    const element* first;
    const element* last;

    std::size_t size() const { return static_cast<std::size_t>(last - first); }
};

// Two merges that together are one; neither is empty if the longer input has two elements or more.
struct merge_cut {
    merge_cut(range one, range other);

    range lower_one, lower_other;
    range upper_one, upper_other;
    std::size_t lower_size() const { return lower_one.size() + lower_other.size(); }
};

// The leaves.
void sort_small(element* first, std::size_t count);
void merge_small(range one, range other, element* to);

// Merges the two inputs, each in order, to `to`.
template <class Forks> void merge(range one, range other, element* to) {
    if (one.size() + other.size() <= largest_leaf) {
        merge_small(one, other, to);
        return;
    }
    const merge_cut cut(one, other);
    Forks::both([&cut, to] { merge<Forks>(cut.lower_one, cut.lower_other, to); },
                [&cut, to] { merge<Forks>(cut.upper_one, cut.upper_other, to + cut.lower_size()); });
}

// Sorts the elements in place; scratch has room for as many.
template <class Forks> void sort(element* elements, element* scratch, std::size_t count) {
    if (count <= largest_leaf) {
        sort_small(elements, count);
        return;
    }
    const std::size_t half = count / 2;
    // One half of the range: its quarters, and then both of them together in the scratch range.
    const auto sort_half = [elements, scratch](std::size_t first, std::size_t last) {
        const std::size_t middle = first + (last - first) / 2;
        Forks::both([=] { sort<Forks>(elements + first, scratch + first, middle - first); },
                    [=] { sort<Forks>(elements + middle, scratch + middle, last - middle); });
        merge<Forks>({elements + first, elements + middle}, {elements + middle, elements + last}, scratch + first);
    };
    Forks::both([&sort_half, half] { sort_half(0, half); }, [&sort_half, half, count] { sort_half(half, count); });
    merge<Forks>({scratch, scratch + half}, {scratch + half, scratch + count}, elements);
}

// The elements, and what is checked in the end.
struct input {
    std::vector<element> elements;
    std::vector<element> scratch;
    std::uint64_t checksum;

    template <class Forks> void sort_all() {
        sort<Forks>(elements.data(), scratch.data(), elements.size());
    }
};

// As many as p asks for.
input generated(const parameters& p);

// The elements must be in order, and must be those of the input. Its tasks are the ranges that were sorted as leaves.
outcome checked(const input& sorted, double seconds);

}  // namespace bench::sort
