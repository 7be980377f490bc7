// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the tallies of all threads, and adds them up for queries; see fiber_counts.hpp.
#include <teff/frontends/threads/fiber_counts.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/thread.hpp>
#include <teff/pool/pool.hpp>

#include <pthread.h>
#include <utility>

namespace teff::threads {
namespace {

// Tallies are never freed: what a thread has counted stays true after its end. A later thread continues its tally.
struct tally_list {
    mutex guard;
    // under the guard
    fiber_tally* all = nullptr;
    fiber_tally* unused = nullptr;

    fiber_tally* take() noexcept {
        const scoped_lock locked(guard);
        if (fiber_tally* const reused = unused) {
            unused = reused->next_free;
            return reused;
        }
        auto* const made = create<fiber_tally>();
        if (made != nullptr) {
            made->next = all;
            all = made;
        }
        return made;
    }
    void give_back(fiber_tally& left) noexcept {
        const scoped_lock locked(guard);
        left.next_free = unused;
        unused = &left;
    }
    // In the child of a fork(): the fibers of the other threads do not exist.
    void restart() noexcept {
        guard.reset_after_fork();
        for (fiber_tally* each = all; each != nullptr; each = each->next) {
            // relaxed: the child has one thread.
            for (atomic<std::uint64_t>* const count : {&each->started, &each->ended, &each->blocked, &each->woken})
                count->store(0, std::memory_order_relaxed);
            if (each != tally_of_thread)
                // relaxed: as above.
                each->runs_fiber.store(false, std::memory_order_relaxed);
        }
    }
};
constinit tally_list tallies;
// Shared by threads that have no memory for a tally of their own; its counts may be wrong.
constinit fiber_tally common_tally;

constinit pthread_once_t tally_forks_handled = PTHREAD_ONCE_INIT;

void give_back_tally() noexcept {
    if (tally_of_thread != &common_tally)
        tallies.give_back(*std::exchange(tally_of_thread, &common_tally));
}

}  // namespace

constinit thread_local fiber_tally* tally_of_thread = nullptr;

[[gnu::noinline]] fiber_tally& make_tally() noexcept {
    ::pthread_once(&tally_forks_handled, [] { pthread_atfork(nullptr, nullptr, [] { tallies.restart(); }); });
    fiber_tally* const made = call_at_thread_end<give_back_tally>() ? tallies.take() : nullptr;
    tally_of_thread = made != nullptr ? made : &common_tally;
    return *tally_of_thread;
}

}  // namespace teff::threads

namespace teff {

fiber_counts count_fibers() noexcept {
    std::uint64_t started = 0;
    std::uint64_t ended = 0;
    std::uint64_t blocked = 0;
    std::uint64_t woken = 0;
    fiber_counts counts;
    {
        const scoped_lock locked(threads::tallies.guard);
        for (const threads::fiber_tally* each = threads::tallies.all; each != nullptr; each = each->next) {
            // relaxed: a hint. The counts that are subtracted are read first, so that a sum may be too large but not
            // below zero.
            ended += each->ended.load(std::memory_order_relaxed);
            woken += each->woken.load(std::memory_order_relaxed);
            counts.running += each->runs_fiber.load(std::memory_order_relaxed) ? 1 : 0;
            blocked += each->blocked.load(std::memory_order_relaxed);
            started += each->started.load(std::memory_order_relaxed);
        }
    }
    const auto difference = [](std::uint64_t more, std::uint64_t less) {
        return more > less ? static_cast<std::size_t>(more - less) : 0;
    };
    counts.fibers = difference(started, ended);
    counts.blocked = difference(blocked, woken);
    counts.ready = difference(counts.fibers, counts.running + counts.blocked);
    pool& workers = pool::instance();
    counts.workers = workers.worker_count();
    counts.idle_workers = workers.idle().idle();
    return counts;
}

}  // namespace teff
