// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations on values of a user's type that the library, which is compiled once, needs: one function per type, and
// one per operator of a reduction. (Tables of functions would be variables, which the loader makes unique in the
// process; a plugin that uses them could never be unloaded.)
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace teff::dataflow {

enum class value_action { size, alignment, can_construct, construct, destroy, can_move, move };

// size, alignment: in bytes. can_construct, can_move: 1 or 0. construct: makes a value-initialised T at `to`. move:
// assigns the value at `from` to the one at `to`. construct and move throw what T throws.
using value_function = std::size_t (*)(value_action what, void* to, void* from);

template <class T>
std::size_t act_on(value_action what, void* to, void* from) {
    constexpr bool can_construct = std::default_initializable<T>;
    constexpr bool can_move = std::is_move_assignable_v<T>;
    switch (what) {
    case value_action::size:
        return sizeof(T);
    case value_action::alignment:
        return alignof(T);
    case value_action::can_construct:
        return can_construct ? 1 : 0;
    case value_action::construct:
        if constexpr (can_construct)
            ::new (to) T();
        return 0;
    case value_action::destroy:
        std::destroy_at(static_cast<T*>(to));
        return 0;
    case value_action::can_move:
        return can_move ? 1 : 0;
    case value_action::move:
        if constexpr (can_move)
            *static_cast<T*>(to) = std::move(*static_cast<T*>(from));
        return 0;
    }
    return 0;
}

enum class reduction_action { make_identity, combine };

// make_identity: makes the neutral element at `into`. combine: adds the value at `from` to the one at `into`. Both
// throw what the type and the operator throw.
using reduction_function = void (*)(reduction_action what, void* into, void* from);

template <class Op>
inline constexpr bool is_sum = false;
template <class T>
inline constexpr bool is_sum<std::plus<T>> = true;
template <class T>
inline constexpr bool is_sum<std::bit_or<T>> = true;
template <class T>
inline constexpr bool is_sum<std::bit_xor<T>> = true;

// Op: default-constructible, without state that matters. Its neutral element is Op::identity(), a static function; sums
// (std::plus, std::bit_or, std::bit_xor) need none, since it is T{}. It combines two values as op(into, from), which
// either returns the result or, returning void, stores it in `into`.
template <class T, class Op>
void reduce_by(reduction_action what, void* into, void* from) {
    T& left = *static_cast<T*>(into);
    if (what == reduction_action::make_identity) {
        if constexpr (requires { static_cast<T>(Op::identity()); }) {
            ::new (into) T(Op::identity());
        } else {
            static_assert(is_sum<Op>, "teff::reduction: the operator needs a static function identity(), which returns "
                                      "its neutral element");
            ::new (into) T();
        }
    } else if constexpr (std::is_void_v<std::invoke_result_t<Op, T&, T&>>) {
        Op()(left, *static_cast<T*>(from));
    } else {
        left = Op()(std::as_const(left), std::as_const(*static_cast<T*>(from)));
    }
}

}  // namespace teff::dataflow
