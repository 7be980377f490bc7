// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline: a stream of values, each of which passes through a chain of filters; several values are under way at a
// time. Names and meaning are those of the oneTBB specification.
//
//   std::ifstream file("words.txt");
//   teff::parallel_pipeline(16,
//       [&](teff::flow_control& flow) {
//           std::string word;
//           if (!(file >> word)) flow.stop();
//           return word;
//       },
//       teff::make_filter(teff::filter_mode::parallel, &std::string::size),
//       [&](std::size_t n) { sum += n; });
//
// A filter calls its function as std::invoke() does, so that it may be a lambda, generic or not, a pointer to a member,
// or any other callable object. The types of the values follow from the functions. They can also be stated, as in
// make_filter<std::string, std::size_t>(mode, f); such filters can be connected by & and kept.
#pragma once

#include <teff/algorithms/pipeline_filters.hpp>
#include <teff/algorithms/pipeline_run.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/strand/stack.hpp>

#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace teff {

// Passed to the first filter. The call that invokes stop() is the last one, and its result is dropped.
using flow_control = pipelines::flow_control;

// A chain of filters from values of type In to values of type Out. In is void if the chain contains the first filter of
// a pipeline, Out is void if it contains the last one. Cheap to copy; copies share the functions. A default-constructed
// chain is empty.
template <class In, class Out>
class filter {
    static_assert(pipelines::passable<In> && pipelines::passable<Out>,
                  "teff: In and Out of a filter<In, Out> must be types of values that can be moved, or void");

public:
    // Connects two chains, this one first. Throws std::invalid_argument if one of them is empty.
    template <class Further>
        requires(!std::is_void_v<Out>)
    filter<In, Further> operator&(const filter<Out, Further>& second) const {
        if (stages_.empty() || second.stages_.empty())
            throw std::invalid_argument("teff: a filter joined by & is empty; make it with make_filter()");
        filter<In, Further> both;
        both.stages_ = stages_;
        both.stages_.insert(both.stages_.end(), second.stages_.begin(), second.stages_.end());
        return both;
    }

private:
    template <class, class>
    friend class filter;
    template <class I, class O, class F>
    friend filter<I, O> make_filter(filter_mode mode, F&& f);
    friend void parallel_pipeline(std::size_t max_tokens, const filter<void, void>& chain);
    friend pipelines::appending;

    pipelines::chain stages_;
};

// f: callable by std::invoke() with an rvalue of type In, from several threads at once if the mode is parallel; in the
// first filter of a pipeline, with a flow_control&. Its result is converted to Out. A copy of f is called, or an object
// moved from it; std::ref(f) is called in place. In and Out: movable.
template <class In, class Out, class F>
filter<In, Out> make_filter(filter_mode mode, F&& f) {
    using function = std::decay_t<F>;
    constexpr bool is_storable = std::is_constructible_v<function, F>;
    constexpr bool is_callable = pipelines::fits<In, Out, function>;
    filter<In, Out> made;
    if constexpr (!is_storable)
        static_assert(is_storable, "teff: the function given to make_filter cannot be copied; pass std::move(f), or "
                                   "std::ref(f) to call it in place");
    else if constexpr (!is_callable)
        static_assert(is_callable, "teff: the function given to make_filter<In, Out> is not callable with an rvalue of "
                                   "type In (a teff::flow_control& if In is void), or its result is not an Out");
    else
        pipelines::push_back<In, Out, function>(made.stages_, mode, std::forward<F>(f));
    return made;
}

// The same for parallel_pipeline(n, f1, f2, ...), which deduces In and Out.
template <class F>
pipelines::deduced_filter<std::decay_t<F>> make_filter(filter_mode mode, F&& f) {
    constexpr bool is_storable = std::is_constructible_v<std::decay_t<F>, F>;
    if constexpr (is_storable) {
        return {mode, std::forward<F>(f)};
    } else {
        static_assert(is_storable, "teff: the function given to make_filter cannot be copied; pass std::move(f), or "
                                   "std::ref(f) to call it in place");
        __builtin_unreachable();
    }
}

// Runs the chain until its first filter stops it and all values have passed through. At most max_tokens values (1 or
// more) are in the pipeline at a time. Throws the first exception of a filter in time; values that are still in the
// pipeline then are destroyed. Throws std::bad_alloc if there is no memory, std::invalid_argument if max_tokens is 0 or
// the chain is empty, and stack_exhausted and stopped like fork_join(). Any thread may call it. A chain may be run
// again, but not twice at the same time unless its functions allow that.
inline void parallel_pipeline(std::size_t max_tokens, const filter<void, void>& chain) {
    pipelines::run(max_tokens, chain.stages_);
}

// The same for filters that are given one by one, in their order: results of make_filter(), with or without stated
// types, or functions, which are then called for one value at a time, in order. A function is called with an rvalue of
// the type that the filter before it returns (decayed), the first one with a flow_control&. What the last one returns
// is dropped. Functions in variables are called in place, temporary ones are moved.
template <class First, class... More>
void parallel_pipeline(std::size_t max_tokens, First&& first, More&&... more) {
    pipelines::chain stages;
    pipelines::appending::filters<void>(stages, std::forward<First>(first), std::forward<More>(more)...);
    pipelines::run(max_tokens, stages);
}

}  // namespace teff
