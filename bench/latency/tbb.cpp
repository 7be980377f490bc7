// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// latency with oneTBB's mutexes, on operating system threads, because oneTBB tasks must not wait for each other.
#include <bench/latency/latency.hpp>

#include <oneapi/tbb/mutex.h>   // has no name under tbb/
#include <tbb/spin_mutex.h>

namespace bench {
namespace {

template <class Mutex> outcome measure_lock(const parameters& p) {
    alignas(128) Mutex lock;
    return latency::measure_on_threads(p, [&lock](std::uint64_t& counter) {
        lock.lock();
        ++counter;
        lock.unlock();
    });
}

}  // namespace

outcome run_latency(const parameters& p) {
    if (p.variant == "spin_lock") return measure_lock<tbb::spin_mutex>(p);
    return measure_lock<tbb::mutex>(p);
}

}  // namespace bench
