// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenMP runtimes of a process: the one that the program was linked with, and this one, which can report that it is
// active, and that a part of the calls goes to another one.
#pragma once

#include <string_view>

namespace teff::openmp {

enum class runtime_name : unsigned char { none, libgomp, libomp };  // libomp: also libiomp5

// The runtime to which a file of this path belongs. Packages of Python change names: libgomp-e985bcbb.so.1.0.0.
runtime_name runtime_named(std::string_view path) noexcept;

// The runtime that the program needs by its dynamic section, or else that of the first of its libraries that needs one.
// Where the specification leaves a default to the runtime, the program gets the default of that runtime
// (run-sched-var). An object that GCC built and that is linked with this runtime needs both libgomp and libomp; it
// counts as one of libgomp.
runtime_name linked_runtime() noexcept;

// With TEFF_OPENMP_VERBOSE=on the runtime writes to stderr that it is active, with its file and settings. `teff run
// --verbose` sets this. A process without this line has not used OpenMP, or not through this runtime.
//
// The line is written at the first use and not when the library is loaded, since the library runs no code then. Each
// other OpenMP runtime that is loaded by then gets a line, too. The loader finds this runtime's functions first, so the
// other runtime is unused, except by a library that requests a function of that very file (dlsym).
//
// Called once, when the runtime has read its settings. threads: the number of threads of the next region.
void announce(unsigned threads) noexcept;

// Writes a line if the process uses another runtime beside this one: if an entry point of OpenMP that an object calls
// was found by the loader in another runtime. It names the first such object and says what to do. That another runtime
// is loaded is no reason: many packages of Python bring one, and with `teff run` all their calls come here.
//
// Called at the first use and at the end of the process, since the loader finds a function at its first call, and
// libraries are loaded at any time. Nothing happens between the two. The line is written once, and not by a child that
// fork() made. The following is not seen: calls through dlsym(), a runtime linked into the program or renamed
// beyond recognition (runtime_named()), and a process that ends without exit().
void report_two_runtimes() noexcept;

// Whether the program, without its libraries, names a function that begins with this text. Costs a look at the names of
// its dynamic symbols.
bool program_names(std::string_view beginning) noexcept;

// The runtime for tools calls this while it is loaded: code is an address in the runtime whose entry points lead to it.
// That object is not another runtime.
void count_as_own(const void* code) noexcept;

}  // namespace teff::openmp
