// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kind threads: programs that start a thread for each piece of work and let it wait (Evans et al.,
// section 4).
//
// A program is written once, as a template over a runtime's face, so that every runtime starts the same threads. The
// faces are <family>.cpp in this folder, which also instantiate every program. A face has:
//   run(p, f)         calls f where threads may be started, on p.threads workers or processors; returns when f does
//   all(f...)         calls each function on a thread of its own; returns when all have ended (Chapel's cobegin)
//   each(count, f)    the same for f(0) to f(count - 1) (Chapel's coforall)
// A face whose threads may wait for each other also has:
//   thread            of a function, which starts with it; join()
//   yield()           lets other threads run
//   mutex             lock(), unlock()
//   variable<T>       full or empty, at first empty: write(v) waits until it is empty, read() until it is full
//   event             wait() returns after set()
//
//   teff           fibers
//   serial         calls every function where it would be started; other variants: std::thread
//   boost_fiber    the fibers of Boost
//   openmp, tbb    tasks, which their creator waits for; they may not wait for each other
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace bench::threads {

// Of programs that only wait for the threads that they have started. The serial family has two versions, one of them
// for the runtime pthread.
std::vector<variant_description> variants(runtime_family family);

// Of programs whose threads wait for each other: these variants, if the family has such threads.
std::vector<variant_description> waiting_variants(runtime_family family, std::initializer_list<const char*> names);

// Every runtime gives a thread a stack of that size: the value of the option fiber_stack_kib of this library, by its
// variable or by default.
inline constexpr const char* stack_variable = "TEFF_FIBER_STACK_KIB";
std::size_t stack_bytes();

// An upper estimate of the memory of a run that starts so many threads, all of which wait for others.
std::uint64_t memory_bytes(const parameters& p, runtime_family family, std::uint64_t started);

// Adds the measures of a program whose tasks are the threads that it has started: `size`, named `size_name`, is given,
// and thread_ns is found.
outcome with_thread_measures(outcome result, const char* size_name, std::uint64_t size);

}  // namespace bench::threads
