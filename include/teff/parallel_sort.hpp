// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel sorting, by all threads that are idle.
//
//   teff::parallel_sort(values);
//   teff::parallel_sort(first, last, std::greater<>());
//   teff::parallel_stable_sort(people, [](const person& a, const person& b) { return a.name < b.name; });
//
// parallel_sort sorts in place. parallel_stable_sort keeps the order of equal elements and needs memory for as many
// elements again. Elements must be movable. `before` must be a strict weak order; it is called through const, from
// several threads at once, and should be cheap to copy. Ranges that are already sorted, or in strictly reverse
// order, take linear time; the worst case is O(n log n) comparisons.
//
// Both throw the first exception in time of a comparison or of an exchange of elements. All elements are still present
// then, in some order (in whatever state a throwing move left them). Both also throw stack_exhausted, std::bad_alloc
// and stopped, like fork_join(); parallel_stable_sort also throws std::bad_alloc for its memory, before anything is
// moved. Any thread may call them; teff::execute decides where they run (fork_join.hpp).
// Source: the C++ standard, [sort]; parallel_sort also the oneTBB specification, section "parallel_sort".
#pragma once

#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/merge_sort.hpp>
#include <teff/algorithms/quicksort.hpp>
#include <teff/algorithms/scratch.hpp>
#include <teff/base/fits.hpp>
#include <teff/version.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff {

namespace algorithm {

// Whether elements can be sorted by `before`; if not, says why.
template <class Iterator, class Compare>
consteval bool can_sort() {
    constexpr bool is_callable =
        std::is_invocable_r_v<bool, const Compare&, std::iter_reference_t<Iterator>, std::iter_reference_t<Iterator>>;
    static_assert(is_callable, "teff: the order given to parallel_sort() or parallel_stable_sort() must be callable "
                               "through const with two elements and return a bool; the default std::less<> needs an "
                               "operator< of the elements");
    constexpr bool can_be_sorted = !is_callable || std::sortable<Iterator, const Compare&>;
    static_assert(can_be_sorted, "teff: the elements given to parallel_sort() or parallel_stable_sort() cannot be "
                                 "moved, are constant, or the order does not compare all forms of references to them");
    return is_callable && can_be_sorted;
}

}  // namespace algorithm

// Sorts [first, last) in place, by `before`, which defaults to <.
template <std::random_access_iterator Iterator, class Compare = std::less<>>
void parallel_sort(Iterator first, Iterator last, const Compare& before = {}) {
    if constexpr (algorithm::can_sort<Iterator, Compare>()) {
        if (algorithm::is_soon_sorted(first, last, before))
            return;
        algorithm::halt stop{std::stop_token()};
        algorithm::quicksort<Iterator, Compare>(before, stop).run(first, last);
        stop.rethrow();
    }
}
// The same for a random-access range of known size.
template <algorithm::sized_random_access Range, class Compare = std::less<>>
void parallel_sort(Range&& range, const Compare& before = {}) {
    parallel_sort(std::ranges::begin(range), algorithm::end_of(range), before);
}

// Sorts [first, last) by `before`; elements of which neither comes before the other keep their order.
template <std::random_access_iterator Iterator, class Compare = std::less<>>
void parallel_stable_sort(Iterator first, Iterator last, const Compare& before = {}) {
    if constexpr (algorithm::can_sort<Iterator, Compare>()) {
        if (algorithm::is_soon_sorted(first, last, before))
            return;
        const std::size_t count = algorithm::count_between(first, last);
        algorithm::scratch<Iterator> buffer(first, count);
        algorithm::halt stop{std::stop_token()};
        algorithm::merge_sort<Compare> sort(before, stop);
        if constexpr (buffer.is_raw)
            sort.run(first, buffer.data(), count, false);
        else
            sort.run(buffer.data(), first, count, true);
        stop.rethrow();
    }
}
// The same for a random-access range of known size.
template <algorithm::sized_random_access Range, class Compare = std::less<>>
void parallel_stable_sort(Range&& range, const Compare& before = {}) {
    parallel_stable_sort(std::ranges::begin(range), algorithm::end_of(range), before);
}

// Says what is wrong with any other call.
template <class Never = void>
auto parallel_sort(...) {
    static_assert(fits::never<Never>, "teff: parallel_sort() and parallel_stable_sort() are called as (container, "
                                      "order) or (first, last, order) for elements with random access, such as those "
                                      "of a std::vector");
}
// The same for this name.
template <class Never = void>
auto parallel_stable_sort(...) {
    parallel_sort<Never>();
}

}  // namespace teff
