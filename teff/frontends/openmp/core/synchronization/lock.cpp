// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The waits for locks.
#include <teff/frontends/openmp/core/synchronization/lock.hpp>

#include <teff/base/backoff.hpp>
#include <teff/pool/pool.hpp>

namespace teff::openmp {
namespace {

// Together these pauses take about as long as a sleep and a wake-up (some microseconds).
constexpr unsigned spin_rounds = 6;

}  // namespace

bool owned_word::spin(std::uint32_t owner) noexcept {
    for (unsigned round = 0; round < spin_rounds; ++round) {
        for (unsigned i = 0; i < (1U << round); ++i)
            cpu_relax();
        // relaxed: only a hint. try_acquire() decides.
        const std::uint32_t seen = word_.load(std::memory_order_relaxed);
        if (seen == 0 && try_acquire(owner))
            return true;
        if ((seen & sleepers) != 0)
            return false;
    }
    return false;
}

void owned_word::acquire_slowly(std::uint32_t owner) noexcept {
    if (sanitizers::tells_orders() && try_acquire(owner))
        return;
    if (spin(owner))
        return;
    // relaxed: the exchanges below decide.
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    while (true) {
        if (seen == 0) {
            // acquire: as in try_acquire(). Sets the bit, since other threads may sleep.
            // relaxed on failure: nothing is read before the word is owned.
            if (word_.compare_exchange_weak(seen, owner | sleepers, std::memory_order_acquire,
                                            std::memory_order_relaxed)) {
                sanitizers::happens_after(word_.address());
                return;
            }
            continue;
        }
        // relaxed: the bit asks the owner for a wake-up and publishes nothing; release() reads it by its exchange of
        // the same word. The kernel compares the word again before the thread sleeps.
        if ((seen & sleepers) == 0 && !word_.compare_exchange_weak(seen, seen | sleepers, std::memory_order_relaxed,
                                                                   std::memory_order_relaxed))
            continue;
        pool::instance().sleep_in_wait(word_, seen | sleepers,
                                       {.kind = "OpenMP lock", .event = "to be released", .object = this});
        // relaxed: as above.
        seen = word_.load(std::memory_order_relaxed);
    }
}

}  // namespace teff::openmp
