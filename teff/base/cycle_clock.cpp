// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measuring the speed of the counter.
#include <teff/base/cycle_clock.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/clock.hpp>

namespace teff {
namespace {

// Both clocks at one moment.
struct moment {
    std::int64_t cycles, ns;
};

// The best of a few: between two looks at the counter others may run.
moment read_both() noexcept {
    moment best{};
    std::int64_t least = INT64_MAX;
    for (int attempt = 0; attempt < 8; ++attempt) {
        const std::int64_t before = cycle_count();
        const std::int64_t ns = monotonic_ns();
        const std::int64_t between = cycle_count() - before;
        if (between >= 0 && between < least) {
            least = between;
            best = {before + between / 2, ns};
        }
    }
    return best;
}

double measure_ns_per_cycle() noexcept {
    constexpr std::int64_t duration_ns = 200'000;
    const moment begin = read_both();
    moment end = begin;
    while (end.ns - begin.ns < duration_ns)
        end = read_both();
    const double ns_per_cycle =
        static_cast<double>(end.ns - begin.ns) / static_cast<double>(end.cycles - begin.cycles);
    // From 10 MHz to 100 GHz; not true of what is no number either.
    const bool makes_sense = ns_per_cycle > 0.01 && ns_per_cycle < 100;
    return makes_sense ? ns_per_cycle : 1;
}

}  // namespace

std::int64_t cycle_count() noexcept {
#if defined(__x86_64__)
    return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#else
    return monotonic_ns();
#endif
}

std::int64_t ns_of_cycles(std::int64_t cycles) noexcept {
    static constinit atomic<double> ns_per_cycle{0};
    // relaxed, both: a number by itself; of two that measure at once either is right.
    double factor = ns_per_cycle.load(std::memory_order_relaxed);
    if (factor == 0) {
        factor = measure_ns_per_cycle();
        ns_per_cycle.store(factor, std::memory_order_relaxed);
    }
    return static_cast<std::int64_t>(static_cast<double>(cycles) * factor);
}

}  // namespace teff
