// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a call ends of a symbol that is exported and has no function behind it (symbols.txt): the process writes a line
// and exits with status 1. It does not abort, since nothing is broken: no core file, no handler of the program. It does
// not call exit() either: handlers would wait for threads that are inside a region.
#pragma once

namespace teff::openmp {

// A compiler or a program may well call it; it is not written yet.
[[noreturn]] void end_at_missing(const char* name) noexcept;
// It belongs to the inside of another runtime, or to something other than OpenMP.
[[noreturn]] void end_at_internal(const char* name) noexcept;

}  // namespace teff::openmp
