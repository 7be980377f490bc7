// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' stop watches on the system's monotonic clock, its random numbers, and the size of a cache line.
#include <teff/qthread/cacheline.h>
#include <teff/qthread/qtimer.h>

#include <teff/base/clock.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>
#include <ctime>
#include <new>
#include <unistd.h>

struct qtimer_s {
    std::int64_t start_ns = 0;
    std::int64_t stop_ns = 0;
};

namespace {

constexpr double seconds_per_ns = 1e-9;

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a counter whose bits are mixed. All threads walk through the same
// long sequence, from different starts, so that their parts hardly ever overlap.
[[gnu::noinline]] std::uint64_t next_random() noexcept {
    constexpr std::uint64_t step = 0x9e37'79b9'7f4a'7c15;
    static thread_local std::uint64_t state =
        static_cast<std::uint64_t>(teff::monotonic_ns()) * step ^ reinterpret_cast<std::uintptr_t>(&state);
    std::uint64_t mixed = state += step;
    mixed = (mixed ^ mixed >> 30) * 0xbf58'476d'1ce4'e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d0'49bb'1331'11eb;
    return mixed ^ mixed >> 31;
}

}  // namespace

extern "C" {

unsigned long qtimer_fastrand(void) { return next_random(); }
double qtimer_wtime(void) { return static_cast<double>(teff::monotonic_ns()) * seconds_per_ns; }
double qtimer_res(void) {
    timespec resolution{};
    return ::clock_getres(CLOCK_MONOTONIC, &resolution) == 0
               ? static_cast<double>(resolution.tv_sec) + static_cast<double>(resolution.tv_nsec) * seconds_per_ns
               : seconds_per_ns;
}

qtimer_t qtimer_create(void) { return new (std::nothrow) qtimer_s; }
void qtimer_destroy(qtimer_t timer) { delete timer; }
void qtimer_start(qtimer_t timer) { timer->start_ns = teff::monotonic_ns(); }
void qtimer_stop(qtimer_t timer) { timer->stop_ns = teff::monotonic_ns(); }
double qtimer_secs(qtimer_t timer) { return static_cast<double>(timer->stop_ns - timer->start_ns) * seconds_per_ns; }

int qthread_cacheline(void) {
    const long bytes = ::sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    return bytes > 0 ? static_cast<int>(bytes) : static_cast<int>(teff::cache_line_size);
}

}  // extern "C"
