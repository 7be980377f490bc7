// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The latency of changing one word that all threads change (X-OpenMP, section 2.2, Figs. 1 and 2): every thread
// increments the same number, protected by a mutex, a semaphore or a spin lock, or by fetch-and-add. The latency is
// the time of a thread from one increment to its next.
//
// The variants are the four mechanisms. Runtime pthread uses those of the system. OpenMP and oneTBB have some
// mechanisms of their own, which do the same work. A size is the number of increments, divided equally among the
// threads. Cycles are those of the time stamp counter, which runs at a constant rate, independent of the cores'
// frequency.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/own_threads.hpp>

namespace bench::latency {

// The increments of each thread, for the size that p asks for.
std::uint64_t increments_per_thread(const parameters& p);

outcome checked(const parameters& p, double seconds, std::uint64_t counter);

// Runs on operating system threads; each calls increment(counter) its number of times.
template <class Increment> outcome measure_on_threads(const parameters& p, const Increment& increment) {
    const std::uint64_t count = increments_per_thread(p);
    alignas(128) std::uint64_t counter = 0;
    const double seconds = run_on_threads(p.threads, [&](unsigned) {
        for (std::uint64_t index = 0; index < count; ++index) increment(counter);
    });
    return checked(p, seconds, counter);
}

}  // namespace bench::latency
