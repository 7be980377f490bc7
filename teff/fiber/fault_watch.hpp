// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets the runtime say what a segmentation fault means, before the program's own handler or the default action has it.
//
// A fiber that has used up its stack has no room for a signal handler. So each thread that runs fibers has a signal
// stack (sigaltstack), and the handler of this file asks for it. What happens afterwards is what would have happened
// without it: the handler that the program had installed is called; if there is none, the process ends by the same
// signal, with the registers of the fault in its core file. A handler that the program installs later replaces this
// one. A thread that has a signal stack keeps it.
//
//   watch_faults          any thread, once in a process
//   make_signal_stack     any thread, for itself; freed when the thread exits
#pragma once

namespace teff {

// Called in the handler with the address of each fault, so it may use only what a signal handler may.
using fault_listener = void (*)(const void* address) noexcept;

void watch_faults(fault_listener listener) noexcept;
void make_signal_stack() noexcept;

}  // namespace teff
