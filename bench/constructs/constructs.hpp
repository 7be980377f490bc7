// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OpenMP's constructs cost: a variant each. The question is that of the EPCC micro-benchmarks (J. M. Bull, 1999),
// the design is our own.
//
// A variant executes its construct again and again, with next to nothing inside. The time of a reference loop, which
// does the same without the construct, is subtracted; what is left, for one construct, is `overhead_ns`. Samples of the
// construct and of the reference take turns, and medians of both are used, so that a disturbance of the machine does
// not end up in the difference. Ratios between runtimes are those of `construct_ns`, nothing subtracted, which is never
// zero. The number of constructs in a sample is chosen by the time that they take, since runtimes differ by factors of
// a hundred.
//
// Executions are counted by every thread for itself, in a thread-local variable, without a call of the runtime.
// Sections that exclude each other increment one plain variable instead. A construct that is left out, executed twice
// or not exclusive makes the sum wrong.
//
//   parallel, reduction      one region; with a reduction of one sum
//   barrier, single          in a region, by all threads; `single` includes its barrier
//   for_KIND, for_KIND_4     a loop of 64 iterations per thread of that schedule, also with chunks of 4; its barrier,
//                            too
//   ordered                  a loop of 64 iterations per thread, static chunks of 1, each with an ordered region
//   sections                 four sections and their barrier
//   atomic                   one update of a number, of all threads together
//   critical, lock           one entry, of all threads together: each enters its share
//   task, task_single        one task without waiting, of all together; created by all threads, or by a single one
//   taskwait, taskgroup      one task that its creator, which is every thread, waits for
//   task_undeferred          one task with `if(false)`
//   depend_in, depend_inout, depend_mutex
//                            one task with one dependence, created by a single thread; inout: they form a chain; mutex:
//                            mutexinoutset, they exclude each other
//   taskloop_GRAIN           a loop of 64 iterations per thread, tasks of 1, 8 or 64, by a single thread that waits for
//                            them
#pragma once

#include <bench/harness/kernel.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench::constructs {

constexpr std::uint64_t iterations_per_thread = 64;   // of a loop
constexpr int chunk = 4;
constexpr int sections = 4;

// One unit of work, which the compiler can neither leave out nor combine with the next one. It increments a register:
// the time of an increment in memory changes sevenfold with the place of the variable.
inline void step(std::uint64_t& counter) {
    std::uint64_t next = counter + 1;
    asm volatile("" : "+r"(next));
    counter = next;
}

struct sampling {
    unsigned samples;
    double seconds;                                   // of one sample, at least
};

// The samples that p asks for.
sampling sampling_of(const parameters& p);

// Of all samples together.
struct reading {
    std::vector<double> construct_ns;                 // of one construct, by sample
    std::vector<double> reference_ns;
    double seconds = 0;
    std::uint64_t executed = 0;
    std::uint64_t expected = 0;
};

outcome checked(const reading& found);

// Calls construct(count) and reference(count) as described above. `construct` executes `count` constructs and returns
// what was executed; one of them executes `each` steps.
template <class Construct, class Reference>
reading measure(const parameters& p, std::uint64_t each, const Construct& construct, const Reference& reference) {
    const sampling wanted = sampling_of(p);
    reading found;
    const auto sample = [&](std::uint64_t count) {
        const double seconds = time_seconds([&] { found.executed += construct(count); });
        found.expected += count * each;
        return seconds;
    };
    // The least of three tries, since a disturbed one would end the search at a count that is far too small.
    const auto least_of_three = [&](std::uint64_t count) {
        const double first = sample(count);
        return first < wanted.seconds ? first : std::min(sample(count), sample(count));
    };
    // Every thread of those that share the constructs gets as many.
    std::uint64_t count = p.threads;
    double seconds = least_of_three(count);
    while (seconds < wanted.seconds) {
        const double factor = std::clamp(1.2 * wanted.seconds / std::max(seconds, 1e-9), 2.0, 8.0);
        count = static_cast<std::uint64_t>(static_cast<double>(count) * factor) / p.threads * p.threads;
        seconds = least_of_three(count);
    }
    const double nanoseconds = 1e9 / static_cast<double>(count);
    for (unsigned index = 0; index < wanted.samples; ++index) {
        seconds = sample(count);
        found.seconds += seconds;
        found.construct_ns.push_back(seconds * nanoseconds);
        found.reference_ns.push_back(time_seconds([&] { reference(count); }) * nanoseconds);
    }
    return found;
}

}  // namespace bench::constructs
