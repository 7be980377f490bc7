// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting where partitioning does not pay: insertion sort for a few elements, which is stable, and heapsort for ranges
// whose pivots were bad too often.
//
// No element is lost when a comparison or a move throws: elements are either exchanged, or the one that is held outside
// is moved back into the hole.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace teff::algorithm {

// An element that was moved out of its place, and the hole that it left.
template <class Iterator>
class taken_out {
public:
    explicit taken_out(Iterator from) : value_(std::ranges::iter_move(from)), hole_(from) {}
    // If put_back() was not called, an exception is in flight; a second one must not leave the destructor.
    ~taken_out() {
        if constexpr (never_throws) {
            *hole_ = std::move(value_);
        } else if (is_out_) {
            try {
                put_back();
            } catch (...) {
            }
        }
    }
    taken_out(const taken_out&) = delete;
    taken_out& operator=(const taken_out&) = delete;

    const std::iter_value_t<Iterator>& value() const noexcept { return value_; }
    Iterator hole() const { return hole_; }
    void move_hole_to(Iterator from) {
        *hole_ = std::ranges::iter_move(from);
        hole_ = from;
    }
    void put_back() {
        if constexpr (!never_throws) {
            is_out_ = false;
            *hole_ = std::move(value_);
        }
    }

private:
    static constexpr bool never_throws = std::is_nothrow_move_assignable_v<std::iter_value_t<Iterator>>;

    std::iter_value_t<Iterator> value_;
    Iterator hole_;
    bool is_out_ = true;
};

// Whether the range is sorted. A range in strictly descending order is reversed first, and then counts as sorted.
template <class Iterator, class Compare>
bool is_soon_sorted(Iterator first, Iterator last, const Compare& before) {
    if (last - first < 2)
        return true;
    Iterator each = first + 1;
    if (!before(*each, *first)) {
        while (++each != last && !before(*each, *(each - 1))) {}
        return each == last;
    }
    while (++each != last && before(*each, *(each - 1))) {}
    if (each != last)
        return false;
    while (first < --last)
        std::ranges::iter_swap(first++, last);
    return true;
}

template <class Iterator, class Compare>
void insertion_sort(Iterator first, Iterator last, const Compare& before) {
    if (first == last)
        return;
    for (Iterator next = first + 1; next != last; ++next) {
        if (!before(*next, *(next - 1)))
            continue;
        taken_out<Iterator> held(next);
        do
            held.move_hole_to(held.hole() - 1);
        while (held.hole() != first && before(held.value(), *(held.hole() - 1)));
        held.put_back();
    }
}

// The same for a range with an element in front of it that is not behind any element of the range.
template <class Iterator, class Compare>
void insertion_sort_guarded(Iterator first, Iterator last, const Compare& before) {
    for (Iterator next = first; next != last; ++next) {
        if (!before(*next, *(next - 1)))
            continue;
        taken_out<Iterator> held(next);
        do
            held.move_hole_to(held.hole() - 1);
        while (before(held.value(), *(held.hole() - 1)));
        held.put_back();
    }
}

template <class Iterator, class Compare>
void heap_sort(Iterator first, Iterator last, const Compare& before) {
    const std::iter_difference_t<Iterator> count = last - first;
    const auto sift_down = [&](std::iter_difference_t<Iterator> at, std::iter_difference_t<Iterator> end) {
        for (auto child = 2 * at + 1; child < end; child = 2 * at + 1) {
            if (child + 1 < end && before(first[child], first[child + 1]))
                ++child;
            if (!before(first[at], first[child]))
                return;
            std::ranges::iter_swap(first + at, first + child);
            at = child;
        }
    };
    for (auto at = count / 2; at > 0; --at)
        sift_down(at - 1, count);
    for (auto end = count - 1; end > 0; --end) {
        std::ranges::iter_swap(first, first + end);
        sift_down(0, end);
    }
}

}  // namespace teff::algorithm
