// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread waits for a number to grow.
#include <teff/frontends/openmp/core/progress.hpp>

#include <teff/frontends/openmp/core/icvs.hpp>
#include <teff/runtime/idle_sleep.hpp>

namespace teff::openmp {
namespace {

// A turn usually comes within some hundred nanoseconds, which is too short for growing pauses.
constexpr unsigned first_looks = 100;
// With more threads than CPUs: how often a thread gives way before it sleeps.
constexpr unsigned crowded_looks = 20;

bool is_crowded(unsigned threads) noexcept { return threads > process().processors; }

}  // namespace

void progress::await_slowly(std::uint64_t target, unsigned threads) noexcept {
    if (is_crowded(threads)) {
        for (unsigned look = 0; look < crowded_looks; ++look) {
            yield_thread();
            if (has_reached(target))
                return;
        }
    } else {
        for (unsigned look = 0; look < first_looks; ++look) {
            cpu_relax();
            if (has_reached(target))
                return;
        }
        for (idle_spin spin(device().spin_us.load(std::memory_order_relaxed)); spin.pause();)
            if (has_reached(target))
                return;
    }
    // seq_cst, here and below: see the header's head.
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    while (true) {
        // acquire: the number is read afterwards, so a wake-up that comes after that changes the word.
        const std::uint32_t seen = wakes_.load(std::memory_order_acquire);
        if (value_.load(std::memory_order_seq_cst) >= target)
            break;
        futex_wait(wakes_, seen);
    }
    // relaxed: a wake-up too many does no harm.
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

void progress::wake() noexcept {
    // release: comes after the store of the number; partner: the acquire in await_slowly().
    wakes_.fetch_add(1, std::memory_order_release);
    futex_wake(wakes_.address(), futex_wake_all);
}

}  // namespace teff::openmp
