// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which workers of the pool sleep, so that a thread that wakes one can choose it, and can change where it will run
// before it wakes it (wake_placement.hpp).
//
// Each worker has a bit, set while it sleeps and nobody has called it. Whoever clears the bit has the worker: a thread
// that wants to wake it (claim), or the worker itself, woken in another way (end_sleep). A thread that has claimed a
// worker writes its call into the worker's record and then sets `is_written`; the worker waits for that, since only
// then the other thread no longer changes its mask.
//
//                 begin_sleep, end_sleep    claim
//   begin_sleep             -                yes      each worker for itself
//   claim                  yes               yes      any thread; several claim different workers
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/shared_data.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace teff {

// Sleeper: what a thread that wakes a worker has to know of it. Call: what that thread leaves for the worker. workers:
// they have the numbers 0 to workers - 1.
template <class Sleeper, class Call, unsigned workers>
class sleeping_workers {
public:
    static constexpr unsigned capacity = workers;

    // What `self` refers to has to last until end_sleep().
    void begin_sleep(unsigned worker, const Sleeper& self) noexcept {
        records_[worker].sleeper.write(self);
        // release: publishes the record; partner: the acquire in claim().
        word_of(worker).fetch_or(bit_of(worker), std::memory_order_release);
    }
    // When the worker is awake: calls answer(call) if a thread has claimed it.
    template <class Answer>
    void end_sleep(unsigned worker, Answer&& answer) noexcept {
        // relaxed: if the bit was set, nobody has read or written the record since begin_sleep().
        if ((word_of(worker).fetch_and(~bit_of(worker), std::memory_order_relaxed) & bit_of(worker)) != 0)
            return;
        record& mine = records_[worker];
        // acquire: sees the call, and comes after what its maker did; partner: the release in claim().
        while (mine.is_written.load(std::memory_order_acquire) == 0)
            yield_thread();
        answer(mine.call.read());
        // relaxed: the next thread that claims the worker sees it through the release in begin_sleep().
        mine.is_written.store(0, std::memory_order_relaxed);
    }
    // Claims the sleeping worker with the lowest number: calls make_call(sleeper), which returns the Call, and
    // returns its number. `workers` if none is asleep.
    template <class MakeCall>
    unsigned claim(MakeCall&& make_call) noexcept {
        for (unsigned first = 0; first < workers; first += word_bits) {
            // relaxed: a hint; the exchange below decides.
            for (std::uint64_t seen = word_of(first).load(std::memory_order_relaxed); seen != 0; seen &= seen - 1) {
                const unsigned worker = first + static_cast<unsigned>(std::countr_zero(seen));
                // acquire: sees the record; partner: the release in begin_sleep().
                if ((word_of(worker).fetch_and(~bit_of(worker), std::memory_order_acquire) & bit_of(worker)) == 0)
                    continue;
                record& found = records_[worker];
                found.call.write(make_call(found.sleeper.read()));
                // release: publishes the call; partner: the acquire in end_sleep().
                found.is_written.store(1, std::memory_order_release);
                return worker;
            }
        }
        return workers;
    }
    // For the only thread of the child of a fork().
    void reset() noexcept {
        // relaxed, both: there is one thread.
        for (auto& word : asleep_)
            word.store(0, std::memory_order_relaxed);
        for (record& each : records_)
            if (each.is_written.load(std::memory_order_relaxed) != 0)
                each.is_written.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr unsigned word_bits = 64;

    struct record {
        plain<Sleeper> sleeper;
        plain<Call> call;
        atomic<unsigned> is_written{0};
    };

    static constexpr std::uint64_t bit_of(unsigned worker) noexcept { return std::uint64_t{1} << worker % word_bits; }
    atomic<std::uint64_t>& word_of(unsigned worker) noexcept { return asleep_[worker / word_bits]; }

    std::array<atomic<std::uint64_t>, (workers + word_bits - 1) / word_bits> asleep_{};
    std::array<record, workers> records_{};
};

}  // namespace teff
