// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of a reduction: how the body is called and what it returns, and how the partial results of a team's
// members become one result (Blaze-Tasks, sections 4.2 and 4.3.1).
//
// The body is called as fun(pool, task) with the task as an rvalue, or as an lvalue if it takes only that (the paper
// passes an lvalue). Its result type is deduced with the pool of the default scheduler. A body that returns void has a
// result that is always neutral.
//
// The caller adds the partial results in the order of slots, one after another, while that is short. If additions are
// long, several threads add the remaining ones pairwise, in a tree (team/tree_combination.hpp), so that the time grows
// with the logarithm of their number. How long they are is measured: after 1, 2, 4, ... additions the caller estimates
// what the rest would take. The first partial result is not measured, because in most short calls there is no other.
//
// Differs from the paper, which always combines up the tree in which the threads of the call were started: our threads
// outlive the call, and members may have left long before its end. They leave their partial results behind, so the
// caller can start a tree where one is worth it. Only the caller knows the type of the sums, so the tree is compiled
// once, in the library, for addresses.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace teff::reducing {

// The neutral result of bodies that return nothing.
struct nothing {
    nothing& operator+=(nothing) noexcept { return *this; }
};

// The body must be inlined into the task loop: a call out of line would force the pool, and with it the member's
// cursor, into memory. GCC inlines it without help; Clang needs an attribute of the call that only Clang has.
#if defined(__clang__) && __clang_major__ >= 15
#define TEFF_INLINE_CALL [[clang::always_inline]]
#else
#define TEFF_INLINE_CALL
#endif
template <class Fun, class Pool, class Task>
[[gnu::always_inline]] inline decltype(auto) call(Fun& fun, Pool& pool, Task&& task) {
    if constexpr (std::is_invocable_v<Fun&, Pool&, Task&&>)
        TEFF_INLINE_CALL return fun(pool, std::forward<Task>(task));
    else
        TEFF_INLINE_CALL return fun(pool, task);
}
#undef TEFF_INLINE_CALL

template <class Fun, class Pool, class Task>
using body_result = std::decay_t<decltype(call(std::declval<Fun&>(), std::declval<Pool&>(), std::declval<Task>()))>;

template <class R>
using stored_result = std::conditional_t<std::is_void_v<R>, nothing, R>;

// sum += fun(pool, task), for void bodies too.
template <class R, class Fun, class Pool, class Task>
[[gnu::always_inline]] inline void accumulate(R& sum, Fun& fun, Pool& pool, Task&& task) {
    if constexpr (std::is_same_v<R, nothing>)
        call(fun, pool, std::forward<Task>(task));
    else
        sum += call(fun, pool, std::forward<Task>(task));
}

// The properties of a sum's type that the library needs.
struct sum_type {
    std::size_t size = 0;  // 0: the body returns nothing
    std::size_t alignment = 1;
    bool may_be_long = false;  // whether an addition can be long
    // *into += std::move(*from); throws what that throws.
    void (*add)(void* into, void* from) = nullptr;

    template <class R>
    static sum_type of() noexcept {
        if constexpr (std::is_same_v<R, nothing>)
            return {};
        else
            return {sizeof(R), alignof(R), !std::is_scalar_v<R>, add_one<R>};
    }

private:
    template <class R>
    static void add_one(void* into, void* from) {
        *static_cast<R*>(into) += std::move(*static_cast<R*>(from));
    }
};

// The partial result of each slot.
struct partial_sums {
    unsigned slots;
    void* team;
    // Returns the partial result of one slot, or nullptr if there is none.
    void* (*get)(void* team, unsigned slot) noexcept;

    void* of(unsigned slot) const noexcept { return get(team, slot); }
};

// Adds all partial results to *total; they are moved from. Only when no member works any more. Throws what += throws.
void add_up(void* total, const partial_sums& partial, const sum_type& type);

}  // namespace teff::reducing
