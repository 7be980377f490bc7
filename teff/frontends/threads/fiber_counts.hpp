// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many fibers there are and what they do: the queries of a tasking layer.
//
// Each thread that starts, runs or wakes fibers has a tally, which only this thread writes, by plain additions. A query
// adds up the tallies of all threads. So a count costs no access to shared memory, and a query that runs while fibers
// change is a hint: it may see a fiber twice or not at all. When nothing changes it is exact.
//
// Any thread may call any function.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>

#include <cstddef>
#include <cstdint>

namespace teff {

// Hints while fibers change, and otherwise exact.
struct fiber_counts {
    std::size_t fibers = 0;        // started and not ended
    std::size_t running = 0;       // on a worker
    std::size_t ready = 0;         // ready to begin or to continue
    std::size_t blocked = 0;       // waiting or sleeping
    std::size_t workers = 0;       // threads of the process's pool
    std::size_t idle_workers = 0;  // of these, those that have nothing to do
};

// Counts the fibers of all teams of the process.
fiber_counts count_fibers() noexcept;

namespace threads {

struct alignas(cache_line_size) fiber_tally {
    // the thread writes: how often a fiber was started, has ended, was suspended, and was made ready again
    atomic<std::uint64_t> started{0};
    atomic<std::uint64_t> ended{0};
    atomic<std::uint64_t> blocked{0};
    atomic<std::uint64_t> woken{0};
    atomic<bool> runs_fiber{false};

    // constant once it is in the list of all
    fiber_tally* next = nullptr;
    // under the guard of the list
    fiber_tally* next_free = nullptr;

    // relaxed, in both: only this thread writes, and a query is a hint.
    static void add_one(atomic<std::uint64_t>& to) noexcept {
        to.store(to.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    static void subtract_one(atomic<std::uint64_t>& from) noexcept {
        from.store(from.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    }
};

// The calling thread's tally; nullptr: none yet. Only out-of-line functions read it, since the code around a wait may
// run on different threads.
extern constinit thread_local fiber_tally* tally_of_thread [[gnu::tls_model("initial-exec")]];
fiber_tally& make_tally() noexcept;
inline fiber_tally& own_tally() noexcept {
    fiber_tally* const made = tally_of_thread;
    return made != nullptr ? *made : make_tally();
}

}  // namespace threads

}  // namespace teff
