// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting a detached operating-system thread that receives no signals.
//
// Detached, because workers live as long as the process: exit() must not wait for them. All signals are blocked in
// them, so that the application's handlers run on the application's threads.
#pragma once

namespace teff {

// Returns false if the system has no thread to give (EAGAIN and the like); nothing is left behind then.
[[nodiscard]] bool start_thread(void* (*run)(void*), void* argument) noexcept;

}  // namespace teff
