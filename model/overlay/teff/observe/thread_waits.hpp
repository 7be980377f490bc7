// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/observe/thread_waits.hpp in the model build: no thread is known, since reports have no part in the
// protocols.
#pragma once

#include <teff/strand/wait_reason.hpp>

namespace teff {

struct wait_trace {};
struct known_thread {
    wait_record waits;
    wait_trace trace;
};

inline known_thread* know_this_thread() noexcept { return nullptr; }
inline void forget_this_thread() noexcept {}
inline void take_trace(wait_trace&, const wait_reason&) noexcept {}
inline void forget_threads_after_fork() noexcept {}

}  // namespace teff
