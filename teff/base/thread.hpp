// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a detached operating-system thread that receives no signals but those of its own faults.
//
// Threads are detached because workers live as long as the process: exit() must not wait for them. All signals but
// those of faults (SIGSEGV and the like) are blocked in them, so that the application's handlers run on the
// application's threads. Their stacks have the system's default size (`ulimit -s`), and 1 MiB if that is less; or the
// size that the program has chosen.
#pragma once

#include <cstddef>

namespace teff {

// Returns false if the system cannot start a thread (EAGAIN and the like); no resource is leaked then.
[[nodiscard]] bool start_thread(void* (*run)(void*), void* argument) noexcept;

// The size in bytes of the stacks of threads that are started from now on; 0: as described above. A size below 64 KiB
// becomes 64 KiB. If the system refuses a stack of this size, a line says so, and the size is 0 from then on. Any
// thread.
void choose_stack_size(std::size_t bytes) noexcept;
// The size that the next thread's stack will have.
[[nodiscard]] std::size_t next_stack_size() noexcept;

}  // namespace teff
