// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations may run at the same time.
//
//   teff::parallel_for(0, n, [=](int i) { out[i] = work(in[i]); });
//   teff::parallel_for(teff::blocked_range(0, n), [=](auto part) { fill(part.begin(), part.end()); });
//
// Loops over elements are in parallel_for_each.hpp, which this header includes.
//
// A loop divides its remaining iterations when a worker is idle, and otherwise runs on. It finds by measuring how many
// iterations to run between two checks (algorithms/pace.hpp). So bodies of a nanosecond and of a second both work well,
// and there is no chunk size to choose. With one thread a loop costs what the serial loop costs. Capture small values
// by copy: a chunk works on a copy of a small `f`, so captured values can stay in registers.
//
// All functions call `f` or `body` through const, from several threads at once. They copy it only if it is trivially
// copyable. They return when all iterations have run. They throw the first exception in time; iterations that have not
// begun by then are not begun. If `token` requests a stop, they return early, with some iterations not run. They also
// throw stack_exhausted, std::bad_alloc and stopped, like fork_join(). They may be called from any thread, and inside
// each other; teff::execute decides where they run (fork_join.hpp). partitioner.hpp says what a partitioner does; it
// affects only the form that takes a range.
// The names are from the oneTBB specification, section "parallel_for".
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/lazy_loop.hpp>
#include <teff/algorithms/lazy_tree.hpp>
#include <teff/base/fits.hpp>
#include <teff/parallel_for_each.hpp>
#include <teff/partitioner.hpp>
#include <teff/version.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

namespace teff {

namespace algorithm {

// Whether a loop can call F with an index, or a body with a part of a range. If not, they say why.
template <class F, class Index>
consteval bool takes_index() {
    constexpr bool is_callable = called_with<F, Index>;
    static_assert(is_callable, "teff: the function given to parallel_for(first, last, f) must be callable through "
                               "const as f(i), as in parallel_for(0, n, [&](int i) { work(i); })");
    return is_callable;
}
template <class Body, class Range>
consteval bool takes_part() {
    constexpr bool is_callable = called_with<Body, const Range&>;
    static_assert(is_callable, "teff: the body given to parallel_for(range, body) must be callable through const "
                               "with a part of the range, as in parallel_for(teff::blocked_range(0, n), [&](auto "
                               "part) { ... })");
    return is_callable;
}

}  // namespace algorithm

// Calls body(part) for parts that together make up the range. Parts of a blocked_range are not smaller than half of
// its grainsize; other ranges are divided by their splitting constructor.
template <splittable_range Range, class Body>
void parallel_for(const Range& range, const Body& body, std::stop_token token = {}) {
    if constexpr (algorithm::takes_part<Body, Range>()) {
        struct work : algorithm::carries_nothing {
            const Body& body;
            explicit work(const Body& given) noexcept : body(given) {}
            void run(const Range& part, value&) const { std::invoke(body, part); }
        } calls(body);
        typename work::value none;
        algorithm::run_tree(calls, none, range, std::move(token));
    }
}
// The same for a blocked_range.
template <class Value, class Body>
void parallel_for(const blocked_range<Value>& range, const Body& body, std::stop_token token = {}) {
    if constexpr (algorithm::takes_part<Body, blocked_range<Value>>())
        algorithm::run_chunks([&](std::size_t begin, std::size_t end) { std::invoke(body, range.part(begin, end)); },
                              range.empty() ? 0 : range.size(), range.grainsize(), std::move(token));
}

// The same with a partitioner (partitioner.hpp).
template <splittable_range Range, class Body, partitioner Partitioner>
void parallel_for(const Range& range, const Body& body, const Partitioner&, std::stop_token token = {}) {
    if constexpr (algorithm::takes_part<Body, Range>())
        parallel_for(range, [&](const Range& part) { algorithm::call_by<Partitioner>(part, body); }, std::move(token));
}

// Calls f(i) for each i in [first, last). The bounds are integers, whose types may differ if their common type holds
// both values, or random-access iterators.
template <algorithm::counter First, algorithm::counter Last, class F>
void parallel_for(First first, Last last, const F& f, std::stop_token token = {}) {
    using index = std::common_type_t<First, Last>;
    if constexpr (algorithm::takes_index<F, index>()) {
        const auto from = static_cast<index>(first);
        algorithm::run_chunks(
            [&f, from](std::size_t begin, std::size_t end) {
                algorithm::held<F> function = f;
                const index stop = algorithm::advanced(from, end);
                for (index i = algorithm::advanced(from, begin); i != stop; ++i)
                    std::invoke(function, i);
            },
            algorithm::count_between(from, static_cast<index>(last)), 1, std::move(token));
    }
}
// The same with a partitioner, which has no effect here.
template <algorithm::counter First, algorithm::counter Last, class F>
void parallel_for(First first, Last last, const F& f, const partitioner auto&, std::stop_token token = {}) {
    parallel_for(first, last, f, std::move(token));
}
// The same for random-access iterators: calls f(i) for each iterator i.
template <std::random_access_iterator Iterator, class F>
void parallel_for(Iterator first, Iterator last, const F& f, std::stop_token token = {}) {
    if constexpr (algorithm::takes_index<F, Iterator>())
        algorithm::run_chunks(
            [&f, first](std::size_t begin, std::size_t end) {
                algorithm::held<F> function = f;
                const Iterator stop = algorithm::advanced(first, end);
                for (Iterator i = algorithm::advanced(first, begin); i != stop; ++i)
                    std::invoke(function, i);
            },
            algorithm::count_between(first, last), 1, std::move(token));
}

// Calls f(i) for first, first + step, ... below last. Throws std::invalid_argument unless step > 0.
template <algorithm::counter First, algorithm::counter Last, algorithm::counter Step, class F>
void parallel_for(First first, Last last, Step step, const F& f, std::stop_token token = {}) {
    using index = std::common_type_t<First, Last>;
    if constexpr (algorithm::takes_index<F, index>()) {
        if (step <= 0)
            throw std::invalid_argument("teff: parallel_for: the step is " +
                                        std::to_string(static_cast<long long>(step)) +
                                        "; it must be greater than 0 (to count down, loop over n - i)");
        const auto from = static_cast<index>(first);
        const auto stride = static_cast<std::size_t>(step);
        const std::size_t between = algorithm::count_between(from, static_cast<index>(last));
        algorithm::run_chunks(
            [&f, from, stride](std::size_t begin, std::size_t end) {
                algorithm::held<F> function = f;
                for (std::size_t each = begin; each != end; ++each)
                    std::invoke(function, algorithm::advanced(from, each * stride));
            },
            between / stride + (between % stride != 0), 1, std::move(token));
    }
}
// The same with a partitioner, which has no effect here.
template <algorithm::counter First, algorithm::counter Last, algorithm::counter Step, class F>
void parallel_for(First first, Last last, Step step, const F& f, const partitioner auto&, std::stop_token token = {}) {
    parallel_for(first, last, step, f, std::move(token));
}

// Says what is wrong with any other call.
template <class Never = void>
auto parallel_for(...) {
    static_assert(fits::never<Never>, "teff: parallel_for(first, last, f) needs two integers or random-access "
                                      "iterators, and parallel_for(range, body) a teff::blocked_range or another "
                                      "range that can be split; parallel_for_each() takes the elements of a container");
}

}  // namespace teff
