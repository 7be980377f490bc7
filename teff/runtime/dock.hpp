// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the workers of a fixed team stay between regions, and how its caller sends them into the next one without a
// mutex.
//
// Each worker has a flag on a cache line of its own. The caller writes the order down and clears the flags of those
// that are to carry it out; a worker waits for its flag, first spinning, later asleep. A worker that has carried out
// an order sets its flag again, before it tells the caller: of a region by arriving at the barrier at its end, of the
// other orders by done(). So the caller never writes an order while somebody may still read the last one.
//
//                       release    await_done    moor, wait, done    safe together?
//   release                -            -              yes           the caller; after the last order was carried out
//   await_done                          -              yes           the caller
//   moor, wait, done                                   yes           each worker for its own slot
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/runtime/idle_sleep.hpp>
#include <teff/scheduler/event_count.hpp>
#include <teff/scheduler/slots.hpp>

#include <cstdint>

namespace teff {

class dock {
public:
    enum class order : unsigned char { none, run, resize, leave };

    // slots: 1..4096, the caller's included. Throws std::bad_alloc.
    explicit dock(unsigned slots) : berths_(slots) {}

    // Sends the workers of slots 1 to `end` - 1.
    void release(unsigned end, order what) noexcept {
        order_ = what;
        if (what != order::run)
            expect(end - 1);
        for (unsigned slot = 1; slot < end; ++slot)
            // release: the order can be read, and what the caller did is seen; partner: the acquire in wait().
            berths_[slot].moored.store(0, std::memory_order_release);
        // After a fence, which pairs with the one in event_count::prepare_sleep().
        sleepers_.notify_all();
    }
    // As many workers will call done() as are awaited.
    void expect(unsigned workers) noexcept {
        // relaxed: the workers come after the release of their flags, or of the pool's mutex.
        awaited_.store(workers, std::memory_order_relaxed);
    }
    // Fewer workers will call done() than were announced, by so many.
    void expect_fewer(unsigned workers) noexcept {
        // relaxed: as above.
        awaited_.fetch_sub(workers, std::memory_order_relaxed);
    }
    // Returns when they have.
    void await_done(std::int64_t spin_us) noexcept {
        // acquire: sees what they did; partner: the release in done().
        await(spin_us, [this] { return awaited_.load(std::memory_order_acquire) == 0; });
    }

    // A worker has carried out an order: before it tells anybody. relaxed: the telling orders it.
    void moor(unsigned slot) noexcept { berths_[slot].moored.store(1, std::memory_order_relaxed); }
    // A worker calls this when it has just come, and after every order but `run`.
    void done(unsigned slot) noexcept {
        moor(slot);
        // release: see await_done(). The last use of the dock by a worker that leaves, but for the call.
        awaited_.fetch_sub(1, std::memory_order_release);
        sleepers_.notify_all();
    }
    // The next order for the worker of that slot.
    order wait(unsigned slot, std::int64_t spin_us) noexcept {
        // acquire: sees the order; partner: the release in release().
        await(spin_us, [&] { return berths_[slot].moored.load(std::memory_order_acquire) == 0; });
        return order_;
    }

private:
    struct alignas(false_sharing_range) berth {
        atomic<unsigned> moored{1};
    };

    template <class Condition>
    void await(std::int64_t spin_us, Condition&& is_met) noexcept {
        if (is_met())
            return;
        sleepers_.begin_search();
        look_until_found(spin_us, is_met, [&] {
            sleep_unless(sleepers_, is_met, [&](std::uint32_t ticket) { sleepers_.sleep(ticket); });
            return true;
        });
        sleepers_.end_search();
    }

    slots<berth> berths_;
    order order_ = order::none;  // the caller writes, between orders
    alignas(false_sharing_range) atomic<unsigned> awaited_{0};
    event_count sleepers_;
};

}  // namespace teff
