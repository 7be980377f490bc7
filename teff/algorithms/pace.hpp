// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many iterations a piece runs between two checks for idle workers: as many as take about a microsecond, found by
// measuring each chunk with the cycle counter. A check costs some forty nanoseconds; this includes that the processor
// does not overlap the last iterations of a chunk with the first ones of the next. An idle worker waits no longer for a
// check than it takes to wake up.
//
// The pieces of a call share the result: one word in the call's frame, `known_pace`. It is written only when a piece
// finds another number, so all threads keep it in their caches.
//
// As long as nothing is known, a long loop first probes: it does not fork until a chunk took long enough to be
// measured. So a loop that ends within a few chunks disturbs no other thread. A short loop forks at once: its
// iterations may be large, and then each iteration that runs before the first fork delays the others. Cycles are not
// converted to seconds: that needs a calibration of the counter, which takes longer than most loops.
//
// A rest of only a few chunks is divided only if an idle worker waits for it, since a loop that checks so often need
// not keep jobs at hand. Schedulers that want every job do not know whether a worker waits, so with them such a rest
// stays whole.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/fork_join.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace teff::algorithm {

class known_pace {
public:
    // 0: nothing is known. relaxed, both: no other data depends on the number, and any number that a piece has found
    // will do.
    std::size_t load() const noexcept { return chunk_.load(std::memory_order_relaxed); }
    void store(std::size_t chunk) noexcept { chunk_.store(chunk, std::memory_order_relaxed); }

private:
    atomic<std::size_t> chunk_{0};
};

// How many iterations of a loop in the source take about 1024 cycles, as its last calls have found. So a loop that runs
// again and again is divided among waiting threads when it begins, instead of after a request. Loops over
// different data may share it, so it says only how to divide, never how long to run without a check. It is written when
// the number has changed by more than a quarter.
class alignas(false_sharing_range) remembered_pace {
public:
    static constexpr std::int64_t cycles = 1024;

    // Iterations that take about that many cycles; 0: nothing is known. relaxed, both: as in known_pace.
    std::size_t load() const noexcept { return iterations_.load(std::memory_order_relaxed); }
    // Whether `count` iterations that took so many cycles show that a number is far too large.
    static bool is_wrong(std::size_t number, std::size_t count, std::int64_t took) noexcept {
        constexpr double much = 64;
        return static_cast<double>(took) * static_cast<double>(number) >
               much * static_cast<double>(cycles) * static_cast<double>(count);
    }
    // The iterations of a chunk by that number: about as many as take four times as long.
    static std::size_t chunk_of(std::size_t number) noexcept {
        constexpr std::size_t longer = 4, largest = std::numeric_limits<std::size_t>::max() / longer;
        return longer * smaller(number, largest);
    }
    // Reports that `count` iterations took so many cycles; below zero if the counters of two processors differ. A time
    // too short to be measured shows only that a number is too small. Otherwise loops that a much too small number
    // divides into such parts would never be measured again.
    void note(std::size_t count, std::int64_t took) noexcept {
        const std::size_t before = load();
        // In whole numbers, since nearly every loop ends here. (Where they overflow, the number is found anew.)
        const std::size_t expected = before * static_cast<std::size_t>(took) / static_cast<std::size_t>(cycles);
        if (took < shortest ? before != 0 && count > before : count - expected + expected / 4 > expected / 2)
            learn(before, count, took);
    }

private:
    [[gnu::noinline]] void learn(std::size_t before, std::size_t count, std::int64_t took) noexcept {
        const bool is_measured = took >= shortest;
        if (took < 0)
            return;
        const double found =
            static_cast<double>(cycles) / static_cast<double>(larger(took, shortest)) * static_cast<double>(count);
        constexpr auto limit = static_cast<double>(most);
        const std::size_t now = found < limit ? larger<std::size_t>(static_cast<std::size_t>(found), 1) : most;
        if (now > before + before / 4 || (is_measured && now < before - before / 4))
            // relaxed: as in load().
            iterations_.store(now, std::memory_order_relaxed);
    }

    static constexpr std::int64_t shortest = 256;  // of what can be measured
    static constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 8;
    atomic<std::size_t> iterations_{0};
};

// The pace of one piece, which starts from the known pace.
class pace {
public:
    // grain: the smallest number of iterations in a chunk, 1 or more. length: the iterations of the piece. chunk: what
    // the piece knows itself, as long as the call knows nothing; 0: nothing.
    pace(known_pace& known, std::size_t grain, std::size_t length, std::size_t chunk = 0) noexcept
        : known_(known), grain_(grain), chunk_(known.load()) {
        if (chunk_ == 0)
            chunk_ = chunk;
        if (chunk_ != 0)
            return;
        chunk_ = grain;
        probes_ = length / probing_share >= grain;
    }

    std::size_t chunk() const noexcept { return chunk_; }

    // Whether it pays off to divide `rest` iterations.
    bool is_worth_forking(std::size_t rest) const noexcept {
        if (probes_ || rest <= grain_ || rest / 2 < chunk_)
            return false;
        // A chunk of the smallest length may take any time, so each half may hold enough work.
        return chunk_ == grain_ || rest / 2 / chunk_ >= chunks_of_a_task || forking::is_awaited();
    }

    // By how many iterations the half that runs here exceeds the other one. The other half begins later, by about the
    // time that a quarter of a chunk takes.
    std::size_t head_start() const noexcept { return (chunk_ - grain_) / 4; }

    void start() noexcept { before_ = cycle_count(); }
    // Reports that `count` iterations have run since start() or since the last call.
    void ran(std::size_t count) noexcept {
        const std::int64_t now = cycle_count();
        const std::int64_t cycles = now - before_;
        before_ = now;
        record(count, cycles);
    }
    // The same with a given duration in cycles, which is below zero if the counters of two processors differ.
    void record(std::size_t count, std::int64_t cycles) noexcept {
        // Long enough. Even if the next chunk takes four times as long, no worker waits for long.
        if (cycles >= std::int64_t{least_cycles} && cycles <= std::int64_t{4 * least_cycles}) [[likely]] {
            end_probing();
            return;
        }
        adapt(count, static_cast<std::uint64_t>(larger<std::int64_t>(cycles, 1)));
    }
    // Whether the last chunk of a piece is measured, too: only while chunks have the smallest length. An interruption
    // may have led to that length, and pieces that are divided before they finish a chunk would never correct it.
    bool is_least() const noexcept { return known_.load() == grain_; }

private:
    // Steps are bounded: a chunk that was interrupted, or that found cold memory, says little about the next one.
    void adapt(std::size_t count, std::uint64_t cycles) noexcept {
        constexpr std::uint64_t most_growth = 8, most_shrinking = 4;
        std::size_t wanted;
        if (cycles < least_cycles)
            wanted = count * smaller(2 * least_cycles / cycles, most_growth);
        else
            wanted = count / smaller(cycles / (2 * least_cycles), most_shrinking);
        if (cycles < least_cycles)
            wanted = larger(wanted, chunk_);
        chunk_ = larger(wanted, grain_);
        if (!probes_ || cycles >= probing_cycles)
            end_probing();
    }
    void end_probing() noexcept {
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
