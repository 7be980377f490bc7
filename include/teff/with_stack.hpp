// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that need more stack than the calling fiber or thread has.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/threads/large_stack.hpp>

#include <cstddef>
#include <utility>

namespace teff {

// Calls `f` with at least `bytes` of stack, and returns what it returns: where the caller is, if so much is left there,
// otherwise on a stack from the pool of fibers' stacks. `f` may do all that the caller may do: a fiber may wait inside.
// Throws what `f` throws, or std::bad_alloc, with nothing called, if there is no memory for the stack. Any thread.
template <class F>
auto with_stack(std::size_t bytes, F&& f) -> fits::result_of<F> {
    if constexpr (forking::can_call_through<F>()) {
        return forking::call_through(std::forward<F>(f), [bytes](void (*function)(void*), void* argument) {
            threads::call_with_stack(bytes, function, argument);
        });
    } else {
        __builtin_unreachable();
    }
}

}  // namespace teff
