// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For programs whose tests fork (child_process.hpp): what ThreadSanitizer asks for at the start of the program.
//
// By default each child would sleep for a second before it ends, and the child of a process with threads may not start
// threads of its own. It may with die_after_fork=0, but nothing is checked in it: what is checked is the parent.
// Without ThreadSanitizer nobody calls the function.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "atexit_sleep_ms=20:die_after_fork=0"; }
