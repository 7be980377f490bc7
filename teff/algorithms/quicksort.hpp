// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort whose two sides are sorted in parallel. Large ranges are also partitioned in parallel, by all idle threads.
//
// - Pivots: the median of nine elements, or of three in small ranges. The pivot stands at the front during the
//   partition and between the two sides afterwards. There it is the guard of the side behind it.
// - Many equal elements: if the guard is not before the pivot, the pivot is the smallest element of the range. Then one
//   partition separates the elements equal to it, and these are in place (O. Peters, pattern-defeating quicksort, arXiv
//   2106.05123).
// - Bad pivots: after a partition with less than an eighth on one side, some exchanges break up any pattern in the
//   elements. After as many bad partitions as the size has bits, heapsort sorts the range. So the time is O(n log n).
// - The depth of the recursion is logarithmic for the same reason.
//
// Every element is in the range at all times, except the one that an insertion holds; it is put back if a call throws.
#pragma once

#include <teff/algorithms/partition.hpp>
#include <teff/algorithms/small_sort.hpp>

#include <bit>
#include <cstddef>
#include <iterator>

namespace teff::algorithm {

template <class Iterator, class Compare>
class quicksort {
    using difference = std::iter_difference_t<Iterator>;

public:
    quicksort(const Compare& before, halt& stop) noexcept : before_(before), halt_(stop) {}

    void run(Iterator first, Iterator last) noexcept {
        run(first, last, false, static_cast<int>(std::bit_width(static_cast<std::size_t>(last - first))));
    }

private:
    static constexpr difference least_for_quicksort = 24;
    static constexpr difference least_for_nine = 128;
    static constexpr difference least_for_fork = 1024;
    static constexpr difference least_for_parallel_partition = difference{1} << 18;

    void run(Iterator first, Iterator last, bool is_guarded, int bad_left) noexcept {
        halt_.guard([&] { run_or_throw(first, last, is_guarded, bad_left); });
    }

    // is_guarded: there is an element in front of the range, and no element of the range is before it.
    void run_or_throw(Iterator first, Iterator last, bool is_guarded, int bad_left) {
        held<Compare> before = before_;
        while (last - first >= least_for_quicksort) {
            move_pivot_to_front(first, last, before);
            if (is_guarded && !before(*(first - 1), *first)) {
                // Here "not behind the pivot" means "equal to the pivot".
                first = partition_by(first + 1, last, *first,
                                     [&](const auto& element, const auto& pivot) { return !before(pivot, element); });
                continue;
            }
            const Iterator middle = divide(first, last, before);
            if (last - first >= least_for_fork && halt_.is_set())
                return;
            if (is_bad(first, middle, last)) {
                if (--bad_left < 0)
                    return heap_sort(first, last, before);
                break_pattern(first, middle);
                break_pattern(middle + 1, last);
            }
            if (last - first >= least_for_fork) {
                fork_join([=, this] { run(first, middle, is_guarded, bad_left); },
                          [=, this] { run(middle + 1, last, true, bad_left); });
                return;
            }
            run_or_throw(first, middle, is_guarded, bad_left);
            first = middle + 1;
            is_guarded = true;
        }
        if (is_guarded)
            insertion_sort_guarded(first, last, before);
        else
            insertion_sort(first, last, before);
    }

    // Partitions around the pivot, which is at the front. Returns the pivot's final place.
    Iterator divide(Iterator first, Iterator last, const Compare& before) {
        const bool is_shared = last - first >= least_for_parallel_partition && !forking::is_plain();
        const Iterator border = is_shared ? parallel_partition(first + 1, last, *first, before, halt_)
                                          : partition_by(first + 1, last, *first, before);
        std::ranges::iter_swap(first, border - 1);
        return border - 1;
    }

    static Iterator median(Iterator a, Iterator b, Iterator c, const Compare& before) {
        if (before(*b, *a))
            std::swap(a, b);
        if (!before(*c, *b))
            return b;
        return before(*c, *a) ? a : c;
    }
    static void move_pivot_to_front(Iterator first, Iterator last, const Compare& before) {
        const difference size = last - first, step = size / 9;
        const Iterator middle = first + size / 2;
        const auto around = [&](Iterator at) { return median(at - step, at, at + step, before); };
        const Iterator pivot = size < least_for_nine
                                   ? median(first, middle, last - 1, before)
                                   : median(around(first + step), around(middle), around(last - 1 - step), before);
        std::ranges::iter_swap(first, pivot);
    }

    static bool is_bad(Iterator first, Iterator middle, Iterator last) {
        const difference few = (last - first) / 8;
        return middle - first < few || last - middle <= few;
    }
    static void break_pattern(Iterator first, Iterator last) {
        const difference size = last - first;
        if (size < least_for_quicksort)
            return;
        for (const difference part : {difference{4}, difference{3}, difference{5}, difference{2}}) {
            std::ranges::iter_swap(first + part, first + size / part);
            std::ranges::iter_swap(last - part, last - size / part);
        }
    }

    const Compare& before_;
    halt& halt_;
};

}  // namespace teff::algorithm
