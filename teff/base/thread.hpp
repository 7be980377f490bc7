// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a detached operating-system thread that receives no signals.
//
// Threads are detached because workers live as long as the process: exit() must not wait for them. All signals are
// blocked in them, so that the application's handlers run on the application's threads. Their stacks have the
// system's default size (`ulimit -s`), and 1 MiB if that is less.
#pragma once

namespace teff {

// Returns false if the system cannot start a thread (EAGAIN and the like); no resource is leaked then.
[[nodiscard]] bool start_thread(void* (*run)(void*), void* argument) noexcept;

}  // namespace teff
