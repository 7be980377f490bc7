// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one comparison by which a thread decides whether to call a function at once or to offer it to other threads.
#pragma once

#include <teff/base/request_mark.hpp>
#include <teff/runtime/running_thread.hpp>

#include <cstdint>

namespace teff {

// Whether the calling thread's next task or fork may be a plain call (deferral.hpp). Compares the stack pointer with
// the thread's limit, which detects a stack that is used up, a request, and a thread with too few tasks queued
// (thread_context.hpp).
[[gnu::always_inline]] inline bool is_plain() noexcept {
    std::uintptr_t stack;
#if defined(__x86_64__)
    asm("mov{q %%rsp, %0| %0, rsp}" : "=r"(stack));
#elif defined(__aarch64__)
    // The address of the frame would be above what alloca() has taken.
    asm("mov %0, sp" : "=r"(stack));
#else
    stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#endif
    return !is_below(stack, running_thread.limit);
}

}  // namespace teff
