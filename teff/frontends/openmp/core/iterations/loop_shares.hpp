// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic loops whose chunks may be handed out in any order (OpenMP's `nonmonotonic`, the default since 5.0). Each
// thread has a contiguous share of the chunks, and a word on a cache line of its own that counts the chunks that were
// handed out. While its share lasts, the thread needs nothing from the others. Then it takes chunks from their shares,
// one at a time, so that no thread is idle before all chunks are handed out. (The loop's last chunk is in no share, see
// loop.cpp.)
//
//   word     number of the loop (upper half) | chunks of the share that were handed out (lower half)
//
// A word belongs to one of the loops that may be unfinished at once, as the entries of the ring do (loop.hpp). The
// first thread that takes from the share, its owner or another one, sets the word to the loop's number. So a thread may
// take from the share of a thread that has not begun the loop, and nothing is reset at the end of a loop. Loop numbers
// are kept modulo 2^32. An old number is never mistaken for the present one: the owner's word is set in every loop that
// uses the ring, by take() or by skip(), and cleared before a thread takes part in a region again.
//
//                       take, is_used_up    skip    clear    safe together?
//   take, is_used_up            yes           -       -      any thread of the team
//   skip                                      -       -      the owner, in a loop without shares
//   clear                                             -      between two regions
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>

namespace teff::openmp {

class loop_share {
public:
    // Returns the number of chunks that were handed out before. If it is smaller than the size of the share, it is the
    // index of the caller's chunk in the share.
    std::uint32_t take(std::uint32_t loop) noexcept {
        // relaxed, all: only the numbers matter. The program orders the data that iterations exchange.
        std::uint64_t seen = word_.load(std::memory_order_relaxed);
        while (loop_of(seen) != loop) {
            if (word_.compare_exchange_weak(seen, start_of(loop) + 1, std::memory_order_relaxed,
                                            std::memory_order_relaxed))
                return 0;
        }
        // A thread adds to a word at most once after the share is used up, so the count stays in its half of the word.
        return count_of(word_.fetch_add(1, std::memory_order_relaxed));
    }
    // Whether a share of this size has nothing left, without writing.
    bool is_used_up(std::uint32_t loop, std::uint64_t size) const noexcept {
        // relaxed: a hint.
        const std::uint64_t seen = word_.load(std::memory_order_relaxed);
        return size == 0 || (loop_of(seen) == loop && count_of(seen) >= size);
    }
    // Marks the word as unused in this loop. relaxed: no other thread reads it before the next loop that uses it.
    void skip(std::uint32_t loop) noexcept { word_.store(start_of(loop), std::memory_order_relaxed); }
    // relaxed: the start of the next region publishes it.
    void clear() noexcept { word_.store(0, std::memory_order_relaxed); }

    // Loops with more chunks use no shares.
    static constexpr std::uint64_t most_chunks = std::uint64_t{1} << 31;

private:
    static constexpr unsigned half = 32;
    static constexpr std::uint64_t start_of(std::uint32_t loop) noexcept { return std::uint64_t{loop} << half; }
    static constexpr std::uint32_t loop_of(std::uint64_t word) noexcept {
        return static_cast<std::uint32_t>(word >> half);
    }
    static constexpr std::uint32_t count_of(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word); }

    atomic<std::uint64_t> word_{0};
};

// A thread's words, one for each loop that may be unfinished at once.
struct alignas(false_sharing_range) loop_shares {
    static constexpr unsigned loops = 8;
    loop_share of[loops];

    loop_share& operator[](std::uint32_t loop) noexcept { return of[loop % loops]; }
    void clear() noexcept {
        for (loop_share& each : of)
            each.clear();
    }
};

}  // namespace teff::openmp
