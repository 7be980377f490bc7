// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number that only grows, and that threads wait for: whose turn it is in an ordered loop, which loops have ended,
// how far an iteration of a doacross loop has come.
//
//              advance_to    await, has_reached    safe together?
//   advance_to     -               yes             one thread at a time
//   await                          yes
//
// A waiting thread looks for a while, gives way, and at last sleeps. No wake-up is lost: the thread that advances
// stores the number and then looks for sleepers; a thread that will sleep first counts itself among the sleepers and
// then looks at the number again. All four are sequentially consistent, so at least one of the two threads sees the
// other.
//
// A waiting thread runs no tasks: these waits are no task scheduling points.
#pragma once

#include <teff/base/futex.hpp>

#include <cstdint>

namespace teff::openmp {

class progress {
public:
    constexpr progress() noexcept = default;

    bool has_reached(std::uint64_t target) const noexcept {
        // acquire: sees what was done before; partner: the store in advance_to().
        return value_.load(std::memory_order_acquire) >= target;
    }
    // threads: how many there are in the team. If they are more than the CPUs, a waiting thread gives way early.
    void await(std::uint64_t target, unsigned threads) noexcept {
        if (!has_reached(target)) [[unlikely]]
            await_slowly(target, threads);
    }
    void advance_to(std::uint64_t value) noexcept {
        // seq_cst, both: see the head of this file. The store is also a release for has_reached().
        value_.store(value, std::memory_order_seq_cst);
        if (sleepers_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
            wake();
    }
    // While no other thread uses it: starts again. (The caller publishes it.)
    void restart_at(std::uint64_t value) noexcept {
        // relaxed: see above.
        value_.store(value, std::memory_order_relaxed);
    }

private:
    [[gnu::noinline]] void await_slowly(std::uint64_t target, unsigned threads) noexcept;
    [[gnu::noinline]] void wake() noexcept;

    atomic<std::uint64_t> value_{0};
    atomic<std::uint32_t> sleepers_{0};
    futex_word wakes_{0};  // the number of wake-ups
};

}  // namespace teff::openmp
