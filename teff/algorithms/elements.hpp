// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requirements of the algorithms on iterators, ranges and counters, and arithmetic on them.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>

namespace teff::algorithm {

template <class T>
concept counter = std::integral<T> && !std::same_as<T, bool>;

template <class Range>
concept sized_random_access = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range>;

// A function that an algorithm calls: from several threads at once, and therefore through const.
template <class F, class... Arguments>
concept called_with = std::invocable<const F&, Arguments...>;

// The number of values in [first, last); 0 if last is before first.
template <counter Index>
std::size_t count_between(Index first, Index last) noexcept {
    using bits = std::make_unsigned_t<Index>;
    return first < last ? static_cast<bits>(static_cast<bits>(last) - static_cast<bits>(first)) : 0;
}
template <std::random_access_iterator Iterator, std::sized_sentinel_for<Iterator> Sentinel>
std::size_t count_between(const Iterator& first, const Sentinel& last) {
    const auto count = last - first;
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

template <counter Index>
Index advanced(Index from, std::size_t by) noexcept {
    return static_cast<Index>(static_cast<std::size_t>(from) + by);
}
template <std::random_access_iterator Iterator>
Iterator advanced(const Iterator& from, std::size_t by) {
    return from + static_cast<std::iter_difference_t<Iterator>>(by);
}

// The end of a range, as an iterator.
template <sized_random_access Range>
auto end_of(Range&& range) {
    return advanced(std::ranges::begin(range), static_cast<std::size_t>(std::ranges::size(range)));
}

}  // namespace teff::algorithm
