// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait until another thread of their team makes a condition true: their turn in an ordered loop, the end
// of a loop, an iteration of a doacross loop. They run no tasks, since these waits are no task scheduling points.
// `waiters` is for any condition; `progress` is a number that only grows.
//
//              notify    await    safe together?
//   notify      yes       yes
//   await                 yes
//
// A waiting thread polls for a while, yields, and at last sleeps on a word: the number of wake-ups, and below it a bit
// that says that some thread may sleep. No wake-up is lost: the thread that makes the condition true changes it and
// then reads the bit; a thread that will sleep first sets the bit and then reads the condition again. All four accesses
// are sequentially consistent, so at least one of the two threads sees the other. A thread sleeps only while the word
// is as it was when the thread set the bit, and each wake-up changes the word and wakes all. So a thread that finds the
// bit cleared again need not wake any.
//
// The wait orders nothing: afterwards the caller reads the condition once more, with acquire.
//
// In a region that may be cancelled threads do not sleep: the thread that cancels it does not know where others wait
// (cancellation.hpp).
#pragma once

#include <teff/base/futex.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/pool.hpp>

#include <cstdint>

namespace teff::openmp {

class waiters {
public:
    constexpr waiters() noexcept = default;

    // Called after a change of the condition, which is a sequentially consistent operation.
    void notify() noexcept {
        // seq_cst: see the head of this file.
        if ((word_.load(std::memory_order_seq_cst) & may_sleep) != 0) [[unlikely]]
            wake();
    }
    // is_met(order): whether the condition holds, by a load of that order.
    // threads: the number of threads in the team. With more threads than CPUs a waiting thread yields early.
    template <class IsMet>
    [[gnu::noinline]] void await(const IsMet& is_met, unsigned threads) noexcept {
        // relaxed, both: see the head of this file.
        if (look([&] { return is_met(std::memory_order_relaxed); }, threads))
            return;
        if (process().may_cancel) [[unlikely]]
            while (!is_met(std::memory_order_relaxed))
                yield_thread();
        else
            sleep([&] { return is_met(std::memory_order_seq_cst); });
    }

private:
    // A change usually comes within some hundred nanoseconds, which is too short for pauses.
    static constexpr unsigned first_looks = 500;
    // With more threads than CPUs: the number of times that a thread yields before it sleeps.
    static constexpr unsigned crowded_looks = 20;
    static constexpr std::uint32_t may_sleep = 1;  // the bit in the word

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
        while (true) {
            // seq_cst: see the head of this file.
            const std::uint32_t seen = word_.fetch_or(may_sleep, std::memory_order_seq_cst) | may_sleep;
            if (is_met())
                return;
            pool::instance().sleep_in_wait(word_, seen, {.kind = "the other threads of its OpenMP loop", .event = ""});
        }
    }
    [[gnu::noinline]] void wake() noexcept {
        // Clears the bit and carries into the number. If two threads wake at once, the bit may stay set, which costs
        // one needless wake-up later. relaxed: the kernel orders the sleeper's check of the word with the wake that
        // follows.
        word_.fetch_add(1, std::memory_order_relaxed);
        futex_wake(word_.address(), futex_wake_all);
    }

    futex_word word_{0};
};

// A number that only grows, and that threads wait for: the turn in an ordered loop, the number of loops that have
// ended.
//
//              advance_to    await, has_reached    safe together?
//   advance_to     -               yes             one thread at a time
//   await                          yes
class progress {
public:
    constexpr progress() noexcept = default;

    bool has_reached(std::uint64_t target) const noexcept {
        // acquire: sees what was done before; partner: the store in advance_to().
        const bool has = value_.load(std::memory_order_acquire) >= target;
        if (has)
            sanitizers::happens_after(value_.address());
        return has;
    }
    // threads: the number of threads in the team. False: is_given_up was set, and the number may never be reached.
    bool await(std::uint64_t target, unsigned threads, const atomic<bool>& is_given_up) noexcept {
        if (has_reached(target)) [[likely]]
            return true;
        // relaxed, of the mark: a thread that is told to give up uses no data of the canceller, and threads do not
        // sleep in a region that may be cancelled.
        waiting_.await(
            [&](std::memory_order order) {
                return value_.load(order) >= target || is_given_up.load(std::memory_order_relaxed);
            },
            threads);
        return has_reached(target);
    }
    void advance_to(std::uint64_t value) noexcept {
        sanitizers::happens_before(value_.address());
        // seq_cst: see the head of this file. The store is also a release for has_reached().
        value_.store(value, std::memory_order_seq_cst);
        waiting_.notify();
    }
    // Starts again, while no other thread uses the number. The caller publishes it.
    void restart_at(std::uint64_t value) noexcept {
        // relaxed: see above.
        value_.store(value, std::memory_order_relaxed);
    }

private:
    atomic<std::uint64_t> value_{0};
    waiters waiting_;
};

}  // namespace teff::openmp
