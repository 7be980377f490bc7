// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the arguments of parallel_pipeline(n, f1, f2, ...) into stages. The type of the values between two filters is
// what the first of them returns, so each filter's types are known when the filters before it are.
//
// A filter that does not fit ends the recursion over the arguments with one static_assert. Nothing is instantiated
// behind it, so the compiler gives one message.
#pragma once

#include <teff/algorithms/pipeline_run.hpp>

#include <concepts>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace teff {

// How many values a filter processes at a time, and in which order.
enum class filter_mode {
    parallel,             // several values at a time
    serial_in_order,      // one at a time, in the order in which they entered the pipeline
    serial_out_of_order,  // one at a time, in any order
};

template <class In, class Out>
class filter;

}  // namespace teff

namespace teff::pipelines {

// A function and its mode. Its types follow from its place in a pipeline.
template <class F>
struct deduced_filter {
    filter_mode mode;
    F function;
};

template <class>
inline constexpr bool is_deduced = false;
template <class F>
inline constexpr bool is_deduced<deduced_filter<F>> = true;

// The types of a filter that names them itself.
template <class>
struct stated {
    static constexpr bool is_given = false;
};
template <class I, class O>
struct stated<filter<I, O>> {
    static constexpr bool is_given = true;
    using in = I;
    using out = O;
};

// For values of type T, or for void.
template <class T>
concept passable = std::is_void_v<T> || (std::is_object_v<T> && std::move_constructible<T>);

template <class In, class Out, class F, class Given>
void push_back(chain& stages, filter_mode mode, Given&& function) {
    stages.push_back(std::make_shared<stage_of<In, Out, F>>(
        std::forward<Given>(function), mode != filter_mode::parallel, mode == filter_mode::serial_in_order));
}

// The result of the function F, which is given a value of type In; for the first filter In is void.
template <class F, class In>
struct result_of : std::invoke_result<F&, In> {};
template <class F>
struct result_of<F, void> : std::invoke_result<F&, flow_control&> {};

struct appending {
    // Adds the filters to `stages`, the last of which passes on values of type In. Throws std::bad_alloc,
    // std::invalid_argument, and what moving a function throws.
    template <class In, class Next, class... More>
    static void filters(chain& stages, Next&& next, More&&... more) {
        using given = std::remove_cvref_t<Next>;
        if constexpr (stated<given>::is_given)
            stated_filter<In>(stages, next, std::forward<More>(more)...);
        else if constexpr (is_deduced<given>)
            function<In>(stages, next.mode, std::forward<Next>(next).function, std::forward<More>(more)...);
        else
            function<In>(stages, filter_mode::serial_in_order, std::forward<Next>(next), std::forward<More>(more)...);
    }

private:
    template <class In, class I, class O, class... More>
    static void stated_filter(chain& stages, const filter<I, O>& next, More&&... more) {
        constexpr bool is_same = std::is_same_v<In, I>;
        if constexpr (!is_same) {
            static_assert(is_same, "teff: the In of a filter<In, Out> in this pipeline is not the type that the "
                                   "filter before it returns (void for the first filter)");
        } else {
            if (next.stages_.empty())
                throw std::invalid_argument("teff: a filter given to parallel_pipeline is empty; make it with "
                                            "make_filter()");
            stages.insert(stages.end(), next.stages_.begin(), next.stages_.end());
            rest<O>(stages, std::forward<More>(more)...);
        }
    }

    // Function: a reference if the function is the caller's.
    template <class In, class Function, class... More>
    static void function(chain& stages, filter_mode mode, Function&& next, More&&... more) {
        constexpr bool is_first = std::is_void_v<In>;
        constexpr bool is_storable = std::constructible_from<Function, Function>;
        constexpr bool is_callable = fits<In, void, Function>;
        if constexpr (!is_storable)
            static_assert(is_storable, "teff: a filter's function can be neither copied nor moved; keep it in a "
                                       "variable and pass the variable, which is then called in place");
        else if constexpr (is_first && !is_callable)
            static_assert(is_callable, "teff: the first filter of a pipeline must be callable with a "
                                       "teff::flow_control&");
        else if constexpr (!is_callable)
            static_assert(is_callable, "teff: a filter is not callable with an rvalue of the type that the filter "
                                       "before it returns");
        else if constexpr (sizeof...(More) == 0)
            push_back<In, void, Function>(stages, mode, std::forward<Function>(next));
        else
            returning<In, std::decay_t<typename result_of<Function, In>::type>, Function>(
                stages, mode, next, std::forward<More>(more)...);
    }
    template <class In, class Out, class Function, class... More>
    static void returning(chain& stages, filter_mode mode, std::remove_reference_t<Function>& next, More&&... more) {
        constexpr bool is_movable = passable<Out>;
        if constexpr (!is_movable) {
            static_assert(is_movable, "teff: a filter returns a type that cannot be moved to the next filter");
        } else {
            push_back<In, Out, Function>(stages, mode, std::forward<Function>(next));
            rest<Out>(stages, std::forward<More>(more)...);
        }
    }

    template <class Out, class... More>
    static void rest(chain& stages, More&&... more) {
        constexpr bool is_last = sizeof...(More) == 0;
        constexpr bool passes_on = !std::is_void_v<Out>;
        if constexpr (!is_last && passes_on)
            filters<Out>(stages, std::forward<More>(more)...);
        else
            static_assert(is_last, "teff: a filter that returns void must be the last one of its pipeline");
    }
};

}  // namespace teff::pipelines
