// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting by all threads that have nothing better to do.
//
//   teff::parallel_sort(values);
//   teff::parallel_sort(first, last, std::greater<>());
//   teff::parallel_stable_sort(people, [](const person& a, const person& b) { return a.name < b.name; });
//
// parallel_sort sorts in place; parallel_stable_sort keeps the order of equal elements and needs memory for as many
// elements again. Elements must be movable; `before` must be a strict weak order, is called through const, by several
// threads at once, and should be cheap to copy. Ranges that are sorted already, or the other way round, take linear
// time; the worst case is n log n comparisons.
//
// What is thrown first in time, by a comparison or an exchange of elements, reaches the caller; the elements are all
// there then, in some order (in whatever state a throwing move left them). Besides that they throw stack_exhausted,
// std::bad_alloc and stopped, as fork_join() does, and parallel_stable_sort std::bad_alloc before anything is moved.
// They may be called from any thread; where they run says teff::execute (fork_join.hpp).
// Source: the C++ standard, [sort]; parallel_sort also the oneTBB specification, section "parallel_sort".
#pragma once

#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/merge_sort.hpp>
#include <teff/algorithms/quicksort.hpp>
#include <teff/algorithms/scratch.hpp>
#include <teff/version.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <stop_token>
#include <utility>

namespace teff {

template <std::random_access_iterator Iterator, class Compare = std::less<>>
    requires std::sortable<Iterator, const Compare&>
void parallel_sort(Iterator first, Iterator last, const Compare& before = {}) {
    if (algorithm::is_soon_sorted(first, last, before))
        return;
    algorithm::halt ending{std::stop_token()};
    algorithm::quicksort<Iterator, Compare>(before, ending).run(first, last);
    ending.rethrow();
}
template <algorithm::sized_random_access Range, class Compare = std::less<>>
    requires std::sortable<std::ranges::iterator_t<Range>, const Compare&>
void parallel_sort(Range&& range, const Compare& before = {}) {
    parallel_sort(std::ranges::begin(range), algorithm::end_of(range), before);
}

template <std::random_access_iterator Iterator, class Compare = std::less<>>
    requires std::sortable<Iterator, const Compare&>
void parallel_stable_sort(Iterator first, Iterator last, const Compare& before = {}) {
    if (algorithm::is_soon_sorted(first, last, before))
        return;
    const std::size_t count = algorithm::count_between(first, last);
    algorithm::scratch<Iterator> buffer(first, count);
    algorithm::halt ending{std::stop_token()};
    algorithm::merge_sort<Compare> sort(before, ending);
    if constexpr (buffer.is_raw)
        sort.run(first, buffer.data(), count, false);
    else
        sort.run(buffer.data(), first, count, true);
    ending.rethrow();
}
template <algorithm::sized_random_access Range, class Compare = std::less<>>
    requires std::sortable<std::ranges::iterator_t<Range>, const Compare&>
void parallel_stable_sort(Range&& range, const Compare& before = {}) {
    parallel_stable_sort(std::ranges::begin(range), algorithm::end_of(range), before);
}

}  // namespace teff
