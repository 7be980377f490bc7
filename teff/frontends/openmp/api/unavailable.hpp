// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a call of a symbol without a function ends (symbols.txt): the process writes a line and exits with status 1. It
// does not abort, since nothing is broken: that would leave a core file and call handlers of the program. It does not
// call exit() either: handlers would wait for threads that are inside a region.
#pragma once

#include <teff/base/assert.hpp>

#include <unistd.h>

namespace teff::openmp {

// For a function that compilers or programs may call, and that is not written yet.
[[noreturn, gnu::cold, gnu::noinline]] inline void end_at_missing(const char* name) noexcept {
    warn("%s is not yet in Teff's OpenMP runtime: use the compiler's own runtime for this program", name);
    ::_exit(1);
}
// For a function that is internal to another runtime, or that is not part of OpenMP.
[[noreturn, gnu::cold, gnu::noinline]] inline void end_at_internal(const char* name) noexcept {
    warn("%s is not part of Teff's OpenMP runtime: use the compiler's own runtime for this program", name);
    ::_exit(1);
}

}  // namespace teff::openmp
