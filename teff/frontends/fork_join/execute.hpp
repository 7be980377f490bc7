// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team in which forks run. A thread's first fork makes a team for the thread; execute() and isolate() make a team
// for one call (team/session.hpp).
#pragma once

#include <teff/base/fits.hpp>
#include <teff/options.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/session.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff {

namespace forking {

// Whether execute(), of an arena, too, isolate() and with_stack() can call F; if not, says why.
template <class F>
consteval bool can_call_through() {
    constexpr bool is_callable = std::is_invocable_v<F>;
    static_assert(is_callable, "teff: the function given to execute(), isolate() or with_stack() must be callable "
                               "without arguments, as in execute({.threads = 4}, [&] { work(); })");
    constexpr bool can_be_returned = !is_callable || fits::can_be_returned<fits::result_of<F>>;
    static_assert(can_be_returned, "teff: the function given to execute(), isolate() or with_stack() returns a type "
                                   "that cannot be moved to the caller; let it return a std::unique_ptr");
    return is_callable && can_be_returned;
}

// Calls `f` through run(function, argument), which calls function(argument) once. Returns the result of `f`.
template <class F, class Run>
auto call_through(F&& f, Run&& run) -> fits::result_of<F> {
    using result = std::invoke_result_t<F>;
    using stored = std::conditional_t<std::is_void_v<result>, char,
                                      std::conditional_t<std::is_reference_v<result>,
                                                         std::add_pointer_t<result>, result>>;
    struct frame {
        F& function;
        std::optional<stored> value;
    } here{f, {}};
    run(
        [](void* argument) {
            auto& mine = *static_cast<frame*>(argument);
            if constexpr (std::is_void_v<result>) {
                std::invoke(std::forward<F>(mine.function));
            } else if constexpr (std::is_reference_v<result>) {
                auto&& found = std::invoke(std::forward<F>(mine.function));
                mine.value.emplace(std::addressof(found));
            } else {
                mine.value.emplace(std::invoke(std::forward<F>(mine.function)));
            }
        },
        &here);
    if constexpr (std::is_reference_v<result>)
        return static_cast<result>(**here.value);
    else if constexpr (!std::is_void_v<result>)
        return std::move(*here.value);
}

}  // namespace forking

// Calls `f` and returns what it returns. Everything that `f` forks, directly or indirectly, runs with these options;
// outside this function forks run with the options of the TEFF_* variables. Returns only when everything that `f`
// forked or submitted has ended. May be called in a task; `f` may then wait only for work that was started inside the
// call. Throws what `f` throws; std::invalid_argument: an option cannot be used; std::bad_alloc: no memory to start;
// stack_exhausted: the stack of the calling thread is too small or used up, and `f` was not called; stopped: a stop was
// requested through the option `stop`, and `f` let the exception pass through.
template <class F>
auto execute(const options& call, F&& f) -> fits::result_of<F> {
    if constexpr (forking::can_call_through<F>()) {
        return forking::call_through(std::forward<F>(f), [&](void (*function)(void*), void* argument) {
            run_in_team(call, function, argument);
        });
    } else {
        __builtin_unreachable();
    }
}

// For a call whose braces contain a single name that is not an option. GCC takes the braces for this array, and its
// message tells the name.
template <std::size_t Count>
    requires(Count == 1)
fits::unknown execute(const fits::anything (&)[Count], ...);
// The same for more names.
template <std::size_t Count>
    requires(Count > 1)
fits::braces_name_what_is_no_option execute(const fits::anything (&)[Count], ...) = delete;
// Says what is wrong with any other call.
template <class Never = void>
auto execute(...) {
    static_assert(fits::never<Never>, "teff: the first argument of execute() must be teff::options, as in {.threads "
                                      "= 4}; braces may name .threads, .scheduler, .reclaimer, .tracker, "
                                      ".max_queued, .rescue, .shepherds and .stop, in this order, and nothing else");
    return fits::unknown();
}

// Calls `f` in isolation and returns what it returns: while `f` waits, at any depth, its thread runs only tasks that
// `f` forked, directly or indirectly. So `f` may hold a lock that other tasks take, even while it waits. `f` may wait
// only for work that was started inside the call. Makes a team, which costs a microsecond, or a hundred with X-OpenMP's
// schedulers and many threads. Throws what `f` throws; std::bad_alloc: no memory to start; stack_exhausted: as
// execute().
template <class F>
auto isolate(F&& f) -> fits::result_of<F> {
    if constexpr (forking::can_call_through<F>()) {
        return forking::call_through(std::forward<F>(f), [](void (*function)(void*), void* argument) {
            run_in_similar_team(function, argument);
        });
    } else {
        __builtin_unreachable();
    }
}

}  // namespace teff
