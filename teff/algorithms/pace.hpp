// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many iterations a piece runs before it looks whether somebody is hungry: as many as take about a microsecond,
// found by measuring each chunk with the cycle counter. A look, and that the processor does not overlap the last
// iterations of a chunk with the first ones of the next, cost some forty nanoseconds; and who is hungry waits no longer
// than he takes to wake up.
//
// The pieces of a call share what they learnt: one word in the call's frame, `known_pace`, which is written only when a
// piece finds another number, so all of them have it in their caches.
//
// As long as nothing is known, a long loop first probes: it forks nothing until a chunk took long enough to be
// measured, and so a loop that is over in less than a few chunks disturbs nobody. A short one forks at once: its
// iterations may be large, and then each one that runs before the first fork counts. Cycles are not converted:
// converting begins with measuring the counter, which takes longer than most loops.
//
// What takes only some chunks is divided if somebody waits for it: a loop that looks so often need not have jobs at
// hand. Schedulers that want every job do not know who waits, so there such pieces stay whole.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cycle_clock.hpp>
#include <teff/fork_join.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace teff::algorithm {

class known_pace {
public:
    // 0: nothing is known. relaxed, both: a number by itself, any of those that were found does.
    std::size_t load() const noexcept { return chunk_.load(std::memory_order_relaxed); }
    void store(std::size_t chunk) noexcept { chunk_.store(chunk, std::memory_order_relaxed); }

private:
    atomic<std::size_t> chunk_{0};
};

// A piece's own view of it.
class pace {
public:
    // grain: the least number of iterations in a chunk, 1 or more.
    pace(known_pace& known, std::size_t grain, std::size_t length) noexcept
        : known_(known), grain_(grain), chunk_(known.load()) {
        if (chunk_ != 0)
            return;
        chunk_ = grain;
        probes_ = length / probing_share >= grain;
    }

    std::size_t chunk() const noexcept { return chunk_; }

    // Whether dividing so much pays off.
    bool is_worth_forking(std::size_t rest) const noexcept {
        if (probes_ || rest <= grain_ || rest / 2 < chunk_)
            return false;
        // A chunk that is no longer than it must be may take any time.
        return chunk_ == grain_ || rest / 2 / chunk_ >= chunks_of_a_task || forking::is_awaited();
    }

    // How much more than half of a piece who divides it keeps, since the other half begins later: about as long after
    // as a quarter of a chunk takes.
    std::size_t head_start() const noexcept { return (chunk_ - grain_) / 4; }

    void start() noexcept { before_ = cycle_count(); }
    // `count` iterations have been run since start() or the last call.
    void ran(std::size_t count) noexcept {
        const std::int64_t now = cycle_count();
        const auto cycles = static_cast<std::uint64_t>(std::max<std::int64_t>(now - before_, 1));
        before_ = now;
        took(count, cycles);
    }
    // The same, of so many cycles.
    void took(std::size_t count, std::uint64_t cycles) noexcept {
        // Long enough: also if the next one takes four times as long, nobody waits for long.
        if (cycles >= least_cycles && cycles <= 4 * least_cycles) [[likely]] {
            settle();
            return;
        }
        adapt(count, cycles);
    }
    // Whether the last chunk of a piece is to be measured, too: where chunks are as short as can be. If an interruption
    // led to that, pieces that are divided before their first chunk would never find out.
    bool is_least() const noexcept { return known_.load() == grain_; }

private:
    // A chunk that was interrupted, or found cold memory, says little about the next one: bounded steps.
    void adapt(std::size_t count, std::uint64_t cycles) noexcept {
        constexpr std::uint64_t most_growth = 8, most_shrinking = 4;
        std::size_t wanted;
        if (cycles < least_cycles)
            wanted = count * std::min(2 * least_cycles / cycles, most_growth);
        else
            wanted = count / std::min(cycles / (2 * least_cycles), most_shrinking);
        if (cycles < least_cycles)
            wanted = std::max(wanted, chunk_);
        chunk_ = std::max(wanted, grain_);
        if (!probes_ || cycles >= probing_cycles)
            settle();
    }
    void settle() noexcept {
        probes_ = false;
        if (known_.load() != chunk_)
            known_.store(chunk_);
    }

    static constexpr std::uint64_t least_cycles = 2048;
    static constexpr std::uint64_t probing_cycles = 256;
    static constexpr std::size_t probing_share = 256;
    static constexpr std::size_t chunks_of_a_task = 16;

    known_pace& known_;
    const std::size_t grain_;
    std::size_t chunk_;
    bool probes_ = false;
    std::int64_t before_ = 0;
};

}  // namespace teff::algorithm
