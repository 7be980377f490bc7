// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one comparison by which a thread decides whether to call a function at once or to offer it to other threads.
#pragma once

#include <teff/base/request_mark.hpp>
#include <teff/strand/running_thread.hpp>

namespace teff {

// Whether the calling thread's next task or fork may be a plain call (deferral.hpp). Compares the stack pointer with
// the thread's limit, which detects a stack that is used up, a request, and a thread with too few tasks queued
// (thread_context.hpp).
[[gnu::always_inline]] inline bool is_plain() noexcept {
    return !is_below(stack_pointer(), running_thread.limit);
}

}  // namespace teff
