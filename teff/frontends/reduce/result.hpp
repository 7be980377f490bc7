// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a reduction calls its body, and the type of the result.
//
// The body is called as fun(pool, task) with the task as an rvalue, or as an lvalue if it takes only that (Blaze-Tasks,
// section 4.2, passes an lvalue). Its result type is deduced with the pool of the default scheduler. A body that
// returns void has a result that is always neutral.
#pragma once

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

}  // namespace teff::reducing
