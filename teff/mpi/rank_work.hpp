// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's tasks, as the thread that communicates sees them (balance.hpp): can it take items out, has all work ended,
// put these items in. There are two kinds: rank_team.hpp for the scheduler `demand`, and phases.hpp for all others.
//
//   thread safety     is_halted(), bell(): any thread; all other functions: the communicating thread
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>
#include <teff/mpi/transfer.hpp>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace teff::mpi {

// Wakes the communicating thread, which otherwise sleeps between two looks at its messages.
class doorbell {
public:
    // Any thread. After the first step the doorbell may be gone.
    void ring() noexcept {
        const void* const address = word_.address();
        // release: what the thread did before is seen by the one that wakes; partner: the acquire in seen().
        word_.fetch_add(1, std::memory_order_release);
        futex_wake(address, futex_wake_all);
    }
    std::uint32_t seen() const noexcept {
        // acquire: see ring().
        return word_.load(std::memory_order_acquire);
    }
    // Sleeps for at most this time; not at all if the bell has rung since seen().
    void wait(std::uint32_t seen, std::int64_t timeout_ns) const noexcept { futex_wait(word_, seen, timeout_ns); }

private:
    futex_word word_{0};
};

class rank_work {
public:
    // Whether no item is queued here and no task runs. From then on that stays so until put() is called.
    virtual bool is_dry() noexcept = 0;
    // Takes up to `at_most` of the oldest items and appends their bytes, as many as a message may have. Returns how
    // many items; 0 if there are none to give.
    // searches: whether to search for some microseconds; otherwise it looks once, and the next call finds what this one
    // has asked for.
    virtual unsigned take(unsigned at_most, bool searches, writer& to) noexcept = 0;
    // Adds `count` items of another rank. In a halted rank they are dropped.
    virtual void put(reader& from, unsigned count) noexcept = 0;
    // Lets running tasks finish and drops all items. Tasks that fail, and the call's stop token, do the same.
    virtual void halt() noexcept = 0;

    bool is_halted() const noexcept {
        // relaxed: the flag publishes no other data.
        return halted_.load(std::memory_order_relaxed);
    }
    doorbell& bell() noexcept { return bell_; }

protected:
    rank_work() = default;
    rank_work(const rank_work&) = delete;
    rank_work& operator=(const rank_work&) = delete;
    ~rank_work() = default;

    // Whether a message with these bytes may have one more item.
    static bool has_room(writer& to) noexcept { return to.bytes().size() < most_bytes; }
    // Throws std::length_error if the last item was too large.
    static void check_size(writer& to) {
        if (to.bytes().size() > INT_MAX - most_bytes)
            throw std::length_error("teff::mpi: an item of 2 GiB or more cannot be sent; make the items smaller");
    }

    // Any thread.
    void note_halt() noexcept {
        // relaxed: see is_halted(). The ring makes the communicating thread look.
        halted_.store(true, std::memory_order_relaxed);
        bell_.ring();
    }

private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 26;

    doorbell bell_;
    atomic<bool> halted_{false};
};

}  // namespace teff::mpi
