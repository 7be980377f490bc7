// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::transform with calls that may run at the same time.
//
//   teff::parallel_transform(in, out.begin(), [](double x) { return std::sqrt(x); });
//
// All functions return the end of the output. The output may be the input itself, and must not overlap it otherwise.
// `f` is called through const, from several threads at once. They throw the first exception in time; elements that have
// not begun by then are not begun. If `token` requests a stop, they return early, with the same end and with some
// elements not written. They also throw stack_exhausted, std::bad_alloc and stopped, like fork_join(). They may be
// called from any thread; teff::execute decides where they run (fork_join.hpp).
// Source: the C++ standard, [alg.transform], without its execution policies.
#pragma once

#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/lazy_loop.hpp>
#include <teff/base/fits.hpp>
#include <teff/version.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff {

namespace algorithm {

// Whether F can transform elements and its result be written; if not, says why.
template <class F, class Output, class... Elements>
consteval bool can_transform() {
    constexpr bool is_callable = called_with<F, Elements...>;
    static_assert(is_callable, "teff: the function given to parallel_transform() must be callable through const with "
                               "an element of each input, as in parallel_transform(in, out.begin(), [](double x) { "
                               "return 2 * x; })");
    constexpr bool can_be_written =
        !is_callable || std::is_assignable_v<std::iter_reference_t<Output>, fits::result_of<const F&, Elements...>>;
    static_assert(can_be_written, "teff: the function given to parallel_transform() returns a type that cannot be "
                                  "assigned to the elements of the output");
    return is_callable && can_be_written;
}

}  // namespace algorithm

// *o = f(*i) for each i in [first, last) and the corresponding o.
template <std::random_access_iterator Input, std::random_access_iterator Output, class F>
Output parallel_transform(Input first, Input last, Output out, const F& f, std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    if constexpr (algorithm::can_transform<F, Output, std::iter_reference_t<Input>>())
        algorithm::run_chunks(
            [&f, first, out](std::size_t begin, std::size_t end) {
                algorithm::held<F> function = f;
                const Input stop = algorithm::advanced(first, end);
                Output to = algorithm::advanced(out, begin);
                for (Input from = algorithm::advanced(first, begin); from != stop; ++from, ++to)
                    *to = std::invoke(function, *from);
            },
            count, 1, std::move(token));
    return algorithm::advanced(out, count);
}

// *o = f(*i, *j) for each i in [first, last) and the corresponding j and o; j starts at `second`.
template <std::random_access_iterator First, std::random_access_iterator Second, std::random_access_iterator Output,
          class F>
Output parallel_transform(First first, First last, Second second, Output out, const F& f, std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    if constexpr (algorithm::can_transform<F, Output, std::iter_reference_t<First>, std::iter_reference_t<Second>>())
        algorithm::run_chunks(
            [&f, first, second, out](std::size_t begin, std::size_t end) {
                algorithm::held<F> function = f;
                const First stop = algorithm::advanced(first, end);
                Second beside = algorithm::advanced(second, begin);
                Output to = algorithm::advanced(out, begin);
                for (First from = algorithm::advanced(first, begin); from != stop; ++from, ++beside, ++to)
                    *to = std::invoke(function, *from, *beside);
            },
            count, 1, std::move(token));
    return algorithm::advanced(out, count);
}

// The same for the elements of random-access ranges of known size. Of two input ranges the shorter one determines the
// number of elements.
template <algorithm::sized_random_access Range, std::random_access_iterator Output, class F>
Output parallel_transform(Range&& range, Output out, const F& f, std::stop_token token = {}) {
    return parallel_transform(std::ranges::begin(range), algorithm::end_of(range), out, f, std::move(token));
}
// The same for two ranges.
template <algorithm::sized_random_access First, algorithm::sized_random_access Second,
          std::random_access_iterator Output, class F>
Output parallel_transform(First&& first, Second&& second, Output out, const F& f, std::stop_token token = {}) {
    const auto count = std::min<std::size_t>(std::ranges::size(first), std::ranges::size(second));
    const auto begin = std::ranges::begin(first);
    return parallel_transform(begin, algorithm::advanced(begin, count), std::ranges::begin(second), out, f,
                              std::move(token));
}

// Says what is wrong with any other call.
template <class Never = void>
auto parallel_transform(...) {
    static_assert(fits::never<Never>, "teff: parallel_transform() is called as (first, last, out, f), (first, last, "
                                      "second, out, f), (container, out, f) or (container, container, out, f), where "
                                      "all elements have random access and `out` is an iterator");
    return fits::unknown();
}

}  // namespace teff
