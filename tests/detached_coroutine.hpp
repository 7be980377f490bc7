// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a coroutine without a result that goes on by itself. Its caller cannot tell when it ends.
#pragma once

#include <coroutine>
#include <exception>

namespace tests {

// OnException is called if the coroutine throws, and must not return.
template <auto OnException = std::terminate>
struct detached_coroutine {
    struct promise_type {
        detached_coroutine get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { OnException(); }
    };
};

}  // namespace tests
