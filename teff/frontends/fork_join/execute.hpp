// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where forks run: in a team of their own thread that is made at its first fork, or in one with options of its own
// (runtime/session.hpp).
#pragma once

#include <teff/options.hpp>
#include <teff/runtime/session.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace teff {

// The stack of the calling thread does not allow another fork. The message says how large it is and how to get more.
class stack_exhausted : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace forking {

// Calls `f` by run(function, argument), with the result of `f`.
template <class F, class Run>
auto call_through(F&& f, Run&& run) -> std::invoke_result_t<F> {
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

// Calls `f` and returns what it returns; what it forks, and what that forks, runs with these options. Without this
// function forks run with those of the TEFF_* variables. Throws what `f` throws; std::invalid_argument: an option
// cannot be used; std::bad_alloc: no memory to start; stopped: `stop` has asked for it, and `f` let that through. Does
// not return before everything that `f` forked or handed over has ended. May be called in a task, which then is to wait
// inside only for what was begun inside.
template <std::invocable F>
auto execute(const options& call, F&& f) -> std::invoke_result_t<F> {
    return forking::call_through(std::forward<F>(f), [&](void (*function)(void*), void* argument) {
        run_in_team(call, function, argument);
    });
}

// Calls `f` and returns what it returns, in isolation: while it waits, in any depth, its thread runs nothing but what
// `f` and what that forks have forked. So `f` may hold a lock, which other tasks take, across its waits. It may wait
// only for what was begun inside. Costs a team: a microsecond, of X-OpenMP's schedulers with many threads a hundred.
// Throws what `f` throws; std::bad_alloc: no memory to start.
template <std::invocable F>
auto isolate(F&& f) -> std::invoke_result_t<F> {
    return forking::call_through(std::forward<F>(f), [](void (*function)(void*), void* argument) {
        run_in_similar_team(function, argument);
    });
}

}  // namespace teff
