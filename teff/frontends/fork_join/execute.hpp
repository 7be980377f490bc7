// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where forks run: in a team of their own thread that is made at its first fork, or in one with options of its own.
#pragma once

#include <teff/options.hpp>

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

// Calls `function(argument)` as the caller of a team with these options; passes on what it throws.
void run_in_team(const options& call, void (*function)(void*), void* argument);

}  // namespace forking

// Calls `f` and returns what it returns; what it forks, and what that forks, runs with these options. Without this
// function forks run with those of the TEFF_* variables. Throws what `f` throws; std::invalid_argument: an option
// cannot be used; std::bad_alloc: no memory to start. Does not return before everything that `f` forked has ended.
template <std::invocable F>
auto execute(const options& call, F&& f) -> std::invoke_result_t<F> {
    using result = std::invoke_result_t<F>;
    using stored = std::conditional_t<std::is_void_v<result>, char,
                                      std::conditional_t<std::is_reference_v<result>,
                                                         std::add_pointer_t<result>, result>>;
    struct frame {
        F& function;
        std::optional<stored> value;
    } here{f, {}};
    forking::run_in_team(
        call,
        [](void* argument) {
            auto& mine = *static_cast<frame*>(argument);
            if constexpr (std::is_void_v<result>)
                std::invoke(std::forward<F>(mine.function));
            else if constexpr (std::is_reference_v<result>)
                mine.value.emplace(std::addressof(std::invoke(std::forward<F>(mine.function))));
            else
                mine.value.emplace(std::invoke(std::forward<F>(mine.function)));
        },
        &here);
    if constexpr (std::is_reference_v<result>)
        return static_cast<result>(**here.value);
    else if constexpr (!std::is_void_v<result>)
        return std::move(*here.value);
}

}  // namespace teff
