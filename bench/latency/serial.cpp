// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// latency with the mechanisms of the system: runtime pthread.
#include <bench/latency/latency.hpp>

#include <atomic>

#include <pthread.h>
#include <semaphore.h>

namespace bench {
namespace {

// Each mechanism provides the two ends of a critical section.
struct mutex {
    alignas(128) pthread_mutex_t word = PTHREAD_MUTEX_INITIALIZER;
    void enter() { pthread_mutex_lock(&word); }
    void leave() { pthread_mutex_unlock(&word); }
};

struct semaphore {
    alignas(128) sem_t word;
    semaphore() { sem_init(&word, 0, 1); }
    void enter() {
        while (sem_wait(&word) != 0) {}   // interrupted by a signal
    }
    void leave() { sem_post(&word); }
};

struct spin_lock {
    alignas(128) pthread_spinlock_t word;
    spin_lock() { pthread_spin_init(&word, PTHREAD_PROCESS_PRIVATE); }
    void enter() { pthread_spin_lock(&word); }
    void leave() { pthread_spin_unlock(&word); }
};

template <class Lock> outcome measure_lock(const parameters& p) {
    Lock lock;
    return latency::measure_on_threads(p, [&lock](std::uint64_t& counter) {
        lock.enter();
        ++counter;
        lock.leave();
    });
}

}  // namespace

outcome run_latency(const parameters& p) {
    if (p.variant == "mutex") return measure_lock<mutex>(p);
    if (p.variant == "semaphore") return measure_lock<semaphore>(p);
    if (p.variant == "spin_lock") return measure_lock<spin_lock>(p);
    // seq_cst: the operation's default order; x86 has no weaker read-modify-write. It is the operation that is
    // measured, so no partner needs this order.
    return latency::measure_on_threads(p, [](std::uint64_t& counter) {
        std::atomic_ref(counter).fetch_add(1, std::memory_order_seq_cst);
    });
}

}  // namespace bench
