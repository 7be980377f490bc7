// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the rate of the time-stamp counter; see clock.hpp.
#include <teff/base/clock.hpp>

#include <teff/base/atomic.hpp>

namespace teff {
namespace {

// The values of both clocks at one moment.
struct moment {
    std::int64_t cycles, ns;
};

// Takes the closest of several readings: between two reads of the counter this thread may be preempted.
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
    // From 10 MHz to 100 GHz. Also false for a NaN.
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
    // relaxed, both: the number publishes no other data; if two threads measure at once, either result is right.
    double factor = ns_per_cycle.load(std::memory_order_relaxed);
    if (factor == 0) {
        factor = measure_ns_per_cycle();
        ns_per_cycle.store(factor, std::memory_order_relaxed);
    }
    return static_cast<std::int64_t>(static_cast<double>(cycles) * factor);
}

}  // namespace teff
