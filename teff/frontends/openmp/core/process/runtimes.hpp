// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which OpenMP runtimes there are in a process: the one that the program was linked with, and this one, which says that
// it is active.
#pragma once

#include <string_view>

namespace teff::openmp {

enum class runtime_name : unsigned char { none, libgomp, libomp };  // libomp: also libiomp5

// The runtime that a file with this path is. Packages of Python change names: libgomp-e985bcbb.so.1.0.0.
runtime_name runtime_named(std::string_view path) noexcept;

// The runtime that a program was linked with, by the name that it asks the loader for, or else the one that the first
// of its libraries asks for. Where the specification leaves a default to the runtime, the program gets the one that it
// had there (run-sched-var). An object that GCC built and that is linked with this runtime asks for both libgomp and
// libomp; it counts as one of libgomp.
runtime_name linked_runtime() noexcept;

// With TEFF_OPENMP_VERBOSE=on the runtime says on stderr that it is active: which file it is, and with what settings.
// `teff run --verbose` sets this. A process in which nothing is said has not used OpenMP, or not through this runtime.
//
// It is said at the first use and not when the library is loaded, where nothing of ours may run. Each other OpenMP
// runtime that is loaded by then gets a line, too. The loader finds its functions behind ours, so that it does nothing,
// but for a library that asks that very file for a function (dlsym).
//
// To be called once, when the runtime has read its settings; `threads` is the number for the next region.
void announce(unsigned threads) noexcept;

}  // namespace teff::openmp
