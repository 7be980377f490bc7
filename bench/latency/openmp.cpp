// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// latency with OpenMP's locks and atomic construct, on the threads of a parallel region.
#include <bench/latency/latency.hpp>

#include <omp.h>

namespace bench {
namespace {

void increment_locked(int threads, std::uint64_t count, omp_lock_t& lock, std::uint64_t& counter) {
#pragma omp parallel num_threads(threads) default(none) shared(lock, counter) firstprivate(count)
    for (std::uint64_t index = 0; index < count; ++index) {
        omp_set_lock(&lock);
        ++counter;
        omp_unset_lock(&lock);
    }
}

void increment_atomically(int threads, std::uint64_t count, std::uint64_t& counter) {
#pragma omp parallel num_threads(threads) default(none) shared(counter) firstprivate(count)
    for (std::uint64_t index = 0; index < count; ++index) {
        [[maybe_unused]] std::uint64_t before;
#pragma omp atomic capture
        before = counter++;
    }
}

}  // namespace

outcome run_latency(const parameters& p) {
    const std::uint64_t count = latency::increments_per_thread(p);
    const auto threads = static_cast<int>(p.threads);
    alignas(128) std::uint64_t counter = 0;
    alignas(128) omp_lock_t lock;
    omp_init_lock(&lock);
    const double seconds = time_seconds([&] {
        if (p.variant == "mutex")
            increment_locked(threads, count, lock, counter);
        else
            increment_atomically(threads, count, counter);
    });
    omp_destroy_lock(&lock);
    return latency::checked(p, seconds, counter);
}

}  // namespace bench
