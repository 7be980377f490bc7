// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a listener of the runtime at each segmentation fault, so that it can explain the fault, before the program's
// own handler or the default action.
//
// A fiber that has used up its stack has no room for a signal handler. So each thread that runs fibers has a signal
// stack (sigaltstack), on which the handler of this file runs. Afterwards the handler that the program had installed is
// called; if there is none, the process ends by the same signal, with the registers of the fault in its core file. A
// handler that the program installs later replaces this one. A thread that already has a signal stack keeps it.
//
//   watch_faults          any thread, once in a process
//   make_signal_stack     any thread, for itself; freed when the thread exits
#pragma once

namespace teff {

// Called in the handler with the address of each fault, so it must be async-signal-safe.
using fault_listener = void (*)(const void* address) noexcept;

void watch_faults(fault_listener listener) noexcept;
void make_signal_stack() noexcept;

}  // namespace teff
