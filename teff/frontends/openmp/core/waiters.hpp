// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait until another thread of their team makes a condition true: their turn in an ordered loop, the end
// of a loop, an iteration of a doacross loop. They run no tasks, since these waits are no task scheduling points.
//
//              notify    await    safe together?
//   notify      yes       yes
//   await                 yes
//
// A waiting thread looks for a while, gives way, and at last sleeps. No wake-up is lost: the thread that makes the
// condition true changes it and then looks for sleepers; a thread that will sleep first counts itself among the
// sleepers and then looks at the condition again. All four are sequentially consistent, so at least one of the two
// threads sees the other.
//
// In a region that may be cancelled threads do not sleep: the thread that cancels it does not know where others wait
// (cancellation.hpp).
#pragma once

#include <teff/base/futex.hpp>
#include <teff/frontends/openmp/core/icvs.hpp>
#include <teff/runtime/idle_sleep.hpp>

#include <cstdint>

namespace teff::openmp {

class waiters {
public:
    constexpr waiters() noexcept = default;

    // Called after the change, which is a sequentially consistent operation.
    void notify() noexcept {
        // seq_cst: see the head of this file.
        if (sleepers_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
            wake();
    }
    // is_met(order): whether the condition holds, by a load of that order.
    // threads: how many there are in the team. If they are more than the CPUs, a waiting thread gives way early.
    template <class IsMet>
    [[gnu::noinline]] void await(const IsMet& is_met, unsigned threads) noexcept {
        // acquire: sees what was done before the change, which is a release, too.
        if (look([&] { return is_met(std::memory_order_acquire); }, threads))
            return;
        if (process().may_cancel) [[unlikely]]
            while (!is_met(std::memory_order_acquire))
                yield_thread();
        else
            sleep([&] { return is_met(std::memory_order_seq_cst); });
    }

private:
    // A change usually comes within some hundred nanoseconds, which is too short for growing pauses.
    static constexpr unsigned first_looks = 100;
    // With more threads than CPUs: how often a thread gives way before it sleeps.
    static constexpr unsigned crowded_looks = 20;

    template <class IsMet>
    static bool look(const IsMet& is_met, unsigned threads) noexcept {
        if (threads > process().processors) {
            for (unsigned each = 0; each < crowded_looks; ++each) {
                yield_thread();
                if (is_met())
                    return true;
            }
            return false;
        }
        for (unsigned each = 0; each < first_looks; ++each) {
            cpu_relax();
            if (is_met())
                return true;
        }
        // relaxed: see device_icvs.
        for (idle_spin spin(device().spin_us.load(std::memory_order_relaxed)); spin.pause();)
            if (is_met())
                return true;
        return false;
    }
    template <class IsMet>
    void sleep(const IsMet& is_met) noexcept {
        // seq_cst: see the head of this file.
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        while (true) {
            // acquire: the condition is read afterwards, so a wake-up that comes after that changes the word.
            const std::uint32_t seen = wakes_.load(std::memory_order_acquire);
            if (is_met())
                break;
            futex_wait(wakes_, seen);
        }
        // relaxed: a wake-up too many does no harm.
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
    }
    [[gnu::noinline]] void wake() noexcept {
        // release: comes after the change; partner: the acquire in sleep().
        wakes_.fetch_add(1, std::memory_order_release);
        futex_wake(wakes_.address(), futex_wake_all);
    }

    atomic<std::uint32_t> sleepers_{0};
    futex_word wakes_{0};  // the number of wake-ups
};

}  // namespace teff::openmp
