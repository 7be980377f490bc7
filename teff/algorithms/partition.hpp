// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitioning around a pivot without a branch that depends on a comparison (S. Edelkamp, A. Weiss: BlockQuicksort, ESA
// 2016). A block is taken from either end. The indices of the elements on the wrong side are collected, so that each
// comparison only adds to a count. Then these elements are exchanged pair by pair.
//
// parallel_partition first partitions segments in parallel. Then it exchanges the elements on the wrong side of the
// common border, also in parallel: a quarter of the elements, in long runs.
// Elements are only exchanged, so none is lost when a comparison throws.
#pragma once

#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/lazy_loop.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace teff::algorithm {

// The indices of a block's elements that are on the wrong side, counted from one end of the unpartitioned rest.
class misplaced {
public:
    static constexpr std::size_t most = 128;

    template <class IsMisplaced>
    void find(std::size_t size, const IsMisplaced& is_misplaced) {
        size_ = size;
        first_ = 0;
        std::size_t found = 0;
        for (std::size_t i = 0; i != size; ++i) {
            numbers_[found] = static_cast<unsigned char>(i);
            found += is_misplaced(i);
        }
        last_ = found;
    }
    bool empty() const noexcept { return first_ == last_; }
    std::size_t count() const noexcept { return last_ - first_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t take_first() noexcept { return numbers_[first_++]; }
    std::size_t take_last() noexcept { return numbers_[--last_]; }

private:
    std::size_t size_ = 0, first_ = 0, last_ = 0;
    std::array<unsigned char, most> numbers_;
};

// Returns the begin of the elements that are not before the pivot. The pivot must not be one of the elements.
template <class Iterator, class Compare>
Iterator partition_by(Iterator first, Iterator last, const std::iter_value_t<Iterator>& given, const Compare& before) {
    held<std::iter_value_t<Iterator>> pivot = given;
    const auto up = [](std::size_t by) { return static_cast<std::iter_difference_t<Iterator>>(by); };
    misplaced low, high;
    for (bool is_last = false; !is_last;) {
        const auto rest = static_cast<std::size_t>(last - first);
        is_last = rest <= 2 * misplaced::most;
        if (low.empty()) {
            const std::size_t size = !is_last ? misplaced::most : high.empty() ? rest / 2 : rest - high.size();
            low.find(size, [&](std::size_t i) { return !before(first[up(i)], pivot); });
        }
        if (high.empty()) {
            const std::size_t size = !is_last ? misplaced::most : rest - low.size();
            high.find(size, [&](std::size_t i) { return bool(before(*(last - up(i + 1)), pivot)); });
        }
        for (std::size_t pairs = std::min(low.count(), high.count()); pairs != 0; --pairs)
            std::ranges::iter_swap(first + up(low.take_first()), last - up(high.take_first() + 1));
        if (low.empty())
            first += up(low.size());
        if (high.empty())
            last -= up(high.size());
    }
    // The rest is at most one block, with some elements on the wrong side.
    if (!low.empty()) {
        while (!low.empty())
            std::ranges::iter_swap(first + up(low.take_last()), --last);
        return last;
    }
    const Iterator end = last;
    while (!high.empty())
        std::ranges::iter_swap(end - up(high.take_last() + 1), first++);
    return first;
}

// Consecutive elements on the wrong side of the border.
template <class Iterator>
struct stretch {
    Iterator first;
    std::size_t size;
};

// A sequence of stretches with a common numbering of their elements.
template <class Iterator, std::size_t Most>
class stretches {
public:
    void add(Iterator first, Iterator last) {
        if (first < last)
            size_ += (parts_[count_++] = {first, static_cast<std::size_t>(last - first)}).size;
    }
    std::size_t size() const noexcept { return size_; }
    // The stretch that contains element `number`, from that element on.
    stretch<Iterator> from(std::size_t number) const {
        const stretch<Iterator>* part = parts_.data();
        for (; number >= part->size; ++part)
            number -= part->size;
        return {advanced(part->first, number), part->size - number};
    }

private:
    std::array<stretch<Iterator>, Most> parts_{};
    std::size_t count_ = 0, size_ = 0;
};

// The same with the help of all idle threads, for ranges of some 100,000 elements or more. `stop` keeps what is
// thrown; the result has no meaning then.
template <class Iterator, class Compare>
Iterator parallel_partition(Iterator first, Iterator last, const std::iter_value_t<Iterator>& pivot,
                            const Compare& before, halt& stop) {
    constexpr std::size_t segments = 64;
    const auto size = static_cast<std::size_t>(last - first);
    const auto begin_of = [=](std::size_t segment) {
        return advanced(first, size / segments * segment + std::min(segment, size % segments));
    };
    std::array<Iterator, segments> borders{};
    run_chunks(
        [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i != to; ++i)
                borders[i] = partition_by(begin_of(i), begin_of(i + 1), pivot, before);
        },
        segments, stop);
    if (stop.is_set())
        return first;
    Iterator border = first;
    for (std::size_t i = 0; i != segments; ++i)
        border += borders[i] - begin_of(i);
    stretches<Iterator, segments> too_low, too_high;
    for (std::size_t i = 0; i != segments; ++i) {
        too_low.add(borders[i], std::min(begin_of(i + 1), border));
        too_high.add(std::max(begin_of(i), border), borders[i]);
    }
    run_chunks(
        [&](std::size_t from, std::size_t to) {
            while (from != to) {
                const auto low = too_low.from(from), high = too_high.from(from);
                const std::size_t count = std::min({low.size, high.size, to - from});
                std::swap_ranges(low.first, advanced(low.first, count), high.first);
                from += count;
            }
        },
        too_low.size(), stop);
    return border;
}

}  // namespace teff::algorithm
