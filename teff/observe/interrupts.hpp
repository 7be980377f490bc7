// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function before SIGINT, SIGTERM or SIGHUP ends the process. The runtime uses this to write its trace.
//
// A signal handler must not write files. So it only wakes a thread, which calls the function, restores the signal's
// default action and sends the signal again. The process then ends by the signal, as its parent expects. A second
// signal in the meantime ends the process at once. Signals that the program ignores or handles, now or later, are left
// alone.
//
// Call once in a process.
#pragma once

namespace teff {

// From now on `action` is called before such a signal ends the process. If the thread cannot be started, nothing
// changes.
void act_before_interrupts(void (*action)()) noexcept;
// For the child of a fork(), which does not have that thread: restores the signals' default actions.
void leave_interrupts() noexcept;

}  // namespace teff
