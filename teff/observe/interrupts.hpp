// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets the process do something before SIGINT, SIGTERM or SIGHUP ends it: it writes its trace.
//
// A handler may not write files. So it only wakes a thread, which does the work, gives the signal back its default
// effect, and sends it again. The process then ends by the signal, as its parent expects. A second signal meanwhile
// ends it at once. A signal that the program ignores, or handles when this begins or later, stays the program's.
//
// Once in a process.
#pragma once

namespace teff {

// From now on `action` is called before. Without memory for a thread nothing changes.
void act_before_interrupts(void (*action)()) noexcept;
// For the child of a fork(), which has no such thread: gives the signals back their default effect.
void leave_interrupts() noexcept;

}  // namespace teff
