// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How public templates say what is wrong with an argument: a function of the wrong form, or a type that they cannot
// use.
//
// A template that is constrained is no candidate for a wrong argument, so the compiler lists all candidates and why
// each one does not fit: dozens of lines, in words of the library. So the public templates leave the argument's form
// open, look at it first, and instantiate nothing else if it does not fit:
//
//   constexpr bool is_callable = std::is_invocable_v<F&>;
//   if constexpr (!is_callable) {
//       static_assert(is_callable, "teff: ...");         one message: what, and what to write instead
//       return fits::unknown();
//   } else { ... }
//
// A container asks for a move deep inside of the standard library, so a type that cannot be moved has a constructor
// whose body is such an assertion: it is instantiated only where an object is moved. The price is that
// std::is_move_constructible is true of the type.
//
// A call that fits no template goes to one with the parameters (...), which is always the last choice, and says which
// forms there are. The condition of an assertion is a variable, since the compiler explains a concept at length.
// tests/compile/ has a program for each message.
#pragma once

#include <type_traits>

namespace teff::fits {

// False. In a template whose parameters may be any arguments, which is chosen where no other one fits.
template <class>
inline constexpr bool never = false;

// The type of the result of a call that cannot be made. It converts to anything, so that its use brings no second
// message.
struct unknown {
    template <class T>
    operator T() const;
    template <class T>
    friend T& operator+=(T& left, unknown);
};
// The same for a result that a coroutine awaits.
struct awaitable_unknown : unknown {
    static bool await_ready() noexcept;
    static void await_suspend(auto) noexcept;
    static unknown await_resume() noexcept;
};
// In the compiler's message about a function that is deleted.
struct braces_name_what_is_no_option : unknown {};

template <class F, class... Arguments>
struct result : std::type_identity<unknown> {};
template <class F, class... Arguments>
    requires std::is_invocable_v<F, Arguments...>
struct result<F, Arguments...> : std::invoke_result<F, Arguments...> {};

// What F returns when it is called with the arguments; `unknown` if it cannot be called.
template <class F, class... Arguments>
using result_of = typename result<F, Arguments...>::type;

// A parameter for which an argument of any type is converted.
struct anything {
    template <class T>
    anything(T&&) {}
};

// Whether a call can pass on such a result.
template <class T>
inline constexpr bool can_be_returned = std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>;

// Whether a copy of F, or an object moved from it, can be kept and called later.
template <class F>
inline constexpr bool can_be_kept = std::is_constructible_v<std::decay_t<F>, F>;
template <class F, class... Arguments>
inline constexpr bool can_be_called_later = std::is_invocable_v<std::decay_t<F>&, Arguments...>;

}  // namespace teff::fits
