// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the workers of a fixed team wait between regions, and how its caller starts them on the next one without a
// mutex.
//
// Each worker has a cache line of its own, with a command and a flag. The caller writes the command and clears the
// flag, so the worker gets both with one transfer of the line. A worker waits until its flag is cleared; it spins first
// and sleeps later. Only a worker that spins for longer is counted as waiting. When it has carried out a command it
// sets its flag again, and only then tells the caller: after a region by arriving at the barrier at its end, after a
// resize by done(). (`leave` is the last order.) So the caller never writes a command while a worker may still read
// the previous one.
//
//                       release    await_done    mark_waiting, wait, done    safe together?
//   release                -            -              yes           caller only; after the last order was carried out
//   await_done                          -              yes           caller only
//   mark_waiting, wait, done                                   yes           each worker for its own slot
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/runtime/first_looks.hpp>
#include <teff/runtime/idle_sleep.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/region.hpp>
#include <teff/runtime/timeline.hpp>
#include <teff/scheduler/event_count.hpp>
#include <teff/scheduler/slots.hpp>

#include <cstdint>

namespace teff {

class dock {
public:
    enum class order : unsigned char { none, run, resize, leave };
    struct command {
        order what = order::none;
        region_function body = nullptr;  // of a run
        void* argument = nullptr;
    };

    // slots: 1..4096, the caller's included; looks: what a thread does before it counts as waiting. Throws
    // std::bad_alloc.
    explicit dock(unsigned slots, first_looks::plan looks = {}) : workers_(slots), first_looks_(looks) {}

    // Gives the command to the workers of slots 1 to `end` - 1.
    void release(unsigned end, const command& given) noexcept {
        if (given.what != order::run)
            expect(end - 1);
        for (unsigned slot = 1; slot < end; ++slot) {
            workers_[slot].given = given;
            sanitizers::happens_before(workers_[slot].is_waiting.address());
            // release: publishes the command and what the caller did before; partner: the acquire in wait().
            workers_[slot].is_waiting.store(0, std::memory_order_release);
        }
        // This begins with a fence; partner: the fence in event_count::prepare_sleep().
        sleepers_.notify_all();
    }
    // So many workers will call done().
    void expect(unsigned workers) noexcept {
        // relaxed: the workers see it through the release of their flags, or of the pool's mutex.
        awaited_.store(workers, std::memory_order_relaxed);
    }
    // So many of the expected workers will not call done().
    void expect_fewer(unsigned workers) noexcept {
        // relaxed: as above.
        awaited_.fetch_sub(workers, std::memory_order_relaxed);
    }
    // Returns when all expected workers have called done().
    void await_done(std::int64_t spin_us) noexcept {
        // acquire: sees what the workers did; partner: the release in done().
        await(spin_us, [this] { return awaited_.load(std::memory_order_acquire) == 0; });
        sanitizers::happens_after(awaited_.address());
    }

    // Called by a worker that has carried out an order, before it tells the caller.
    // relaxed: the operation that tells the caller orders it.
    void mark_waiting(unsigned slot) noexcept { workers_[slot].is_waiting.store(1, std::memory_order_relaxed); }
    // Called by a worker that has just joined, or has carried out a resize.
    void done(unsigned slot) noexcept {
        mark_waiting(slot);
        sanitizers::happens_before(awaited_.address());
        // release: publishes what the worker did; partner: the acquire in await_done().
        awaited_.fetch_sub(1, std::memory_order_release);
        sleepers_.notify_all();
    }
    // Waits for the next command to the worker of `slot`, and returns it.
    command wait(unsigned slot, std::int64_t spin_us) noexcept {
        // acquire: sees the command; partner: the release in release().
        await(spin_us, [&] { return workers_[slot].is_waiting.load(std::memory_order_acquire) == 0; });
        sanitizers::happens_after(workers_[slot].is_waiting.address());
        return workers_[slot].given;
    }

private:
    struct alignas(false_sharing_range) worker_line {
        atomic<unsigned> is_waiting{1};
        command given;  // the caller writes it before it clears is_waiting
    };

    template <class Condition>
    void await(std::int64_t spin_us, Condition&& is_met) noexcept {
        if (first_looks_.is_met_soon(is_met))
            return;
        const scoped_activity searching(activity::search);
        sleepers_.begin_search();
        look_until_found(spin_us, is_met, [&] {
            sleep_unless(sleepers_, is_met, [&](std::uint32_t ticket) {
                pool::instance().sleep_idle(sleepers_, ticket);
            });
            return true;
        });
        sleepers_.end_search();
    }

    slots<worker_line> workers_;
    first_looks first_looks_;
    alignas(false_sharing_range) atomic<unsigned> awaited_{0};
    event_count sleepers_;
};

}  // namespace teff
