// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See own_threads.hpp.
#include <bench/harness/own_threads.hpp>

#include <bench/harness/kernel.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace bench {
namespace {

using time_point = std::chrono::steady_clock::time_point;

enum class start { not_yet, now, never };

double seconds_between(time_point first, time_point last) {
    return std::chrono::duration<double>(last - first).count();
}

}  // namespace

double run_on_threads(unsigned threads, const std::function<void(unsigned)>& body) {
    std::atomic<unsigned> there{0};
    std::atomic<start> begin{start::not_yet};
    std::vector<time_point> ends(threads);
    const auto work = [&](unsigned index) {
        // release: makes everything that this thread did while starting visible to the starter; partner: its acquire
        // load of `there` below.
        there.fetch_add(1, std::memory_order_release);
        waiting pause;
        // acquire: sees what the starter did before it started the threads; partner: the release stores of `begin`.
        while (begin.load(std::memory_order_acquire) == start::not_yet) pause.wait();
        if (begin.load(std::memory_order_relaxed) == start::never) return;   // relaxed: the loop saw it
        body(index);
        ends[index] = std::chrono::steady_clock::now();
    };
    std::vector<std::jthread> running;
    try {
        for (unsigned index = 0; index < threads; ++index) running.emplace_back(work, index);
    } catch (...) {
        begin.store(start::never, std::memory_order_release);   // release: partner is the acquire above
        throw;
    }
    waiting pause;
    while (there.load(std::memory_order_acquire) < threads) pause.wait();
    const time_point first = std::chrono::steady_clock::now();
    begin.store(start::now, std::memory_order_release);
    running.clear();   // joins
    return seconds_between(first, *std::max_element(ends.begin(), ends.end()));
}

void waiting::wait() {
    constexpr unsigned pauses_per_yield = 128;
    if (++times_ % pauses_per_yield == 0) {
        std::this_thread::yield();
        return;
    }
#if defined(__x86_64__)
    _mm_pause();
#endif
}

double cycles_per_nanosecond() {
#if defined(__x86_64__)
    const time_point first = std::chrono::steady_clock::now();
    const std::uint64_t first_cycle = __rdtsc();
    time_point last = first;
    while (seconds_between(first, last) < 2e-3) last = std::chrono::steady_clock::now();
    return static_cast<double>(__rdtsc() - first_cycle) / (seconds_between(first, last) * 1e9);
#else
    return 0;
#endif
}

}  // namespace bench
