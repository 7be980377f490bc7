// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function for each element, possibly at the same time; the function may add further elements.
//
//   teff::parallel_for_each(values, [](double& each) { each *= 2; });
//   teff::parallel_for_each(std::list<page>{"index.html"}, [&](const page& each, teff::feeder<page>& more) {
//       for (const page& next : links_of(each))
//           if (seen.insert(next))
//               more.add(next);
//   });
//
// Elements with random access are divided among the threads as by parallel_for(). Those of other ranges, such as lists,
// sets and streams, are visited in their order on the calling thread, which makes a task for each that another thread
// may take; it does so, too, where the function takes a feeder. A task costs some 20 ns, a piece of a loop nothing.
//
// All functions call `f` through const, from several threads at once. They return when it has been called for all
// elements, the added ones included. They throw the first exception in time; elements whose call has not begun by then
// are dropped. If `token` requests a stop, they return early, with some elements left out. They also throw
// stack_exhausted, std::bad_alloc and stopped, like fork_join(). They may be called from any thread, and inside each
// other. The names are from the oneTBB specification, section "parallel_for_each".
#pragma once

#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/lazy_loop.hpp>
#include <teff/base/fits.hpp>
#include <teff/task_group.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff {

namespace algorithm {

template <class T, class F>
class fed_calls;

}  // namespace algorithm

// Adds elements to a call of parallel_for_each(). A function that takes a feeder beside the element gets that of its
// call. Must not be used after the function has returned. T: a movable type that is no reference.
template <class T>
class feeder {
public:
    feeder(const feeder&) = delete;
    feeder& operator=(const feeder&) = delete;

    // The function will be called for the element, now or later, on this thread or another one. Calls that add elements
    // may nest to any depth. Any thread. Throws what moving the element throws, std::bad_alloc or stopped; then nothing
    // was added.
    void add(T&& element) { add_(*this, std::move(element)); }
    // The same for a copy of the element.
    void add(const T& element) { add(T(element)); }

private:
    template <class, class>
    friend class algorithm::fed_calls;
    explicit feeder(void (*how)(feeder&, T&&)) noexcept : add_(how) {}

    void (*const add_)(feeder& self, T&& element);
};

namespace algorithm {

// Whether F takes an element of type T and a feeder.
template <class F, class T>
concept takes_feeder = called_with<F, T&, feeder<T>&>;

// Whether F takes an element alone. If not, it says why.
template <class F, class Element>
consteval bool takes_element() {
    constexpr bool is_callable = called_with<F, Element>;
    static_assert(is_callable, "teff: the function given to parallel_for_each() must be callable through const with "
                               "an element, as in parallel_for_each(values, [](double& each) { each *= 2; }), or with "
                               "an element and a teff::feeder of the type of the elements");
    return is_callable;
}

// The calls of `f`, as tasks of a group, for elements of type T that the tasks own.
template <class T, class F>
class fed_calls : public feeder<T> {
public:
    fed_calls(const F& f, std::stop_token token)
        : feeder<T>([](feeder<T>& self, T&& element) { static_cast<fed_calls&>(self).call_for(std::move(element)); }),
          f_(f), group_(std::move(token)) {}

    template <class Iterator, class Sentinel>
    void run(Iterator first, const Sentinel& last) {
        group_.run_and_wait([&] {
            for (; first != last && !group_.is_canceling(); ++first)
                call_for(T(*first));
        });
    }

private:
    void call_for(T&& element) {
        group_.run([this, own = std::move(element)]() mutable {
            if constexpr (takes_feeder<F, T>)
                std::invoke(f_, own, static_cast<feeder<T>&>(*this));
            else
                std::invoke(f_, own);
        });
    }

    const F& f_;
    task_group group_;
};

// The calls of `f` for elements that stay where they are, so that the tasks refer to them.
template <class Iterator, class Sentinel, class F>
void call_for_each(Iterator first, const Sentinel& last, const F& f, std::stop_token token) {
    task_group group(std::move(token));
    group.run_and_wait([&] {
        for (; first != last && !group.is_canceling(); ++first)
            group.run([&f, &each = *first] { std::invoke(f, each); });
    });
}

}  // namespace algorithm

// Calls f(*i), or f(*i, feeder), for each i in [first, last). With a feeder, and where iterators give no references or
// can pass only once, `f` gets copies of the elements, or objects moved from what the iterators give.
template <std::input_iterator Iterator, std::sentinel_for<Iterator> Sentinel, class F>
void parallel_for_each(Iterator first, Sentinel last, const F& f, std::stop_token token = {}) {
    using element = std::iter_value_t<Iterator>;
    using reference = std::iter_reference_t<Iterator>;
    if constexpr (algorithm::takes_feeder<F, element>)
        algorithm::fed_calls<element, F>(f, std::move(token)).run(std::move(first), last);
    else if constexpr (!algorithm::takes_element<F, reference>())
        return;
    else if constexpr (std::random_access_iterator<Iterator> && std::sized_sentinel_for<Sentinel, Iterator>)
        algorithm::run_chunks(
            [&f, first](std::size_t begin, std::size_t end) {
                algorithm::held<F> function = f;
                const Iterator stop = algorithm::advanced(first, end);
                for (Iterator i = algorithm::advanced(first, begin); i != stop; ++i)
                    std::invoke(function, *i);
            },
            algorithm::count_between(first, last), 1, std::move(token));
    else if constexpr (std::forward_iterator<Iterator> && std::is_lvalue_reference_v<reference>)
        algorithm::call_for_each(std::move(first), last, f, std::move(token));
    else
        algorithm::fed_calls<element, F>(f, std::move(token)).run(std::move(first), last);
}
// The same for the elements of a range.
template <std::ranges::input_range Range, class F>
void parallel_for_each(Range&& range, const F& f, std::stop_token token = {}) {
    if constexpr (algorithm::sized_random_access<Range>)
        parallel_for_each(std::ranges::begin(range), algorithm::end_of(range), f, std::move(token));
    else
        parallel_for_each(std::ranges::begin(range), std::ranges::end(range), f, std::move(token));
}
// Says what is wrong with any other call.
template <class Never = void>
auto parallel_for_each(...) {
    static_assert(fits::never<Never>, "teff: parallel_for_each(range, f) and parallel_for_each(first, last, f) need "
                                      "elements of a range or of two iterators, and a function for an element");
}

}  // namespace teff
