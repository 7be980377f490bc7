// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers of a fixed team wait here between regions, and the team's caller starts them on the next region without
// a mutex.
//
// Each worker has a cache line of its own, with a command and its number. Only the caller writes there: it writes the
// command and then the next number, so the worker gets both with one transfer of the line. A worker waits until the
// number differs from that of the last command that it has carried out; it spins first and sleeps later. A worker
// reports the end of a command: of a region by arriving at the barrier at its end, of a resize by done(). (`leave` is
// the last order and needs no report.) So the caller never writes a command while a worker may still read the previous
// one.
//
// Only sleeping workers are counted. If spinning ones were counted, too, all workers of a large team would write one
// line when a region begins. Workers that take no part in regions of the present size sleep apart: an order to run,
// which is not for them, wakes none of them.
//
//                  release    await_done    wait, done    safe together?
//   release           -            -           yes        caller only; after the last order was carried out
//   await_done                     -           yes        caller only
//   wait, done                                 yes        each worker for its own slot
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/pool.hpp>
#include <teff/scheduler/event_count.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/team/first_looks.hpp>
#include <teff/team/region.hpp>

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
            worker_line& its = workers_[slot];
            its.given = given;
            sanitizers::happens_before(its.commands.address());
            // relaxed: only the caller writes it.
            const unsigned before = its.commands.load(std::memory_order_relaxed);
            // release: publishes the command and what the caller did before; partner: the acquire in wait().
            its.commands.store(before + 1, std::memory_order_release);
        }
        // This begins with a fence; partner: the fence in event_count::prepare_sleep().
        sleepers_.notify_all();
        if (given.what != order::run)
            left_out_.notify_all();
    }
    // Sets how many workers will call done().
    void expect(unsigned workers) noexcept {
        // relaxed: ordered before the workers' done() by the release of `commands`, or by the pool's mutex when they
        // join.
        awaited_.store(workers, std::memory_order_relaxed);
    }
    // Subtracts the expected workers that will not call done() after all.
    void lower_expected(unsigned workers) noexcept {
        // relaxed: as above.
        awaited_.fetch_sub(workers, std::memory_order_relaxed);
    }
    // Returns when all expected workers have called done().
    void await_done(std::int64_t spin_us) noexcept {
        // acquire: sees what the workers did; partner: the release in done().
        await(sleepers_, spin_us, [this] { return awaited_.load(std::memory_order_acquire) == 0; });
        sanitizers::happens_after(awaited_.address());
    }

    // Called by a worker that has just joined, or has carried out a resize.
    void done() noexcept {
        sanitizers::happens_before(awaited_.address());
        // release: publishes what the worker did; partner: the acquire in await_done().
        awaited_.fetch_sub(1, std::memory_order_release);
        sleepers_.notify_all();
    }
    // Waits for the next command to the worker of `slot`, and returns it. carried_out: the number of commands that the
    // worker has received since it joined; incremented. may_run: whether the next command may be to run.
    command wait(unsigned slot, unsigned& carried_out, std::int64_t spin_us, bool may_run) noexcept {
        const worker_line& mine = workers_[slot];
        // acquire: sees the command; partner: the release in release().
        await(may_run ? sleepers_ : left_out_, spin_us,
              [&] { return mine.commands.load(std::memory_order_acquire) != carried_out; });
        sanitizers::happens_after(mine.commands.address());
        ++carried_out;
        return mine.given;
    }

private:
    struct alignas(false_sharing_range) worker_line {
        // the caller writes both, the command first
        atomic<unsigned> commands{0};  // given so far
        command given;                 // the last one
    };

    template <class Condition>
    void await(event_count& sleepers, std::int64_t spin_us, Condition&& is_met) noexcept {
        if (first_looks_.is_met_soon(is_met))
            return;
        const scoped_activity searching(activity::search);
        look_until_found(spin_us, is_met, [&] {
            sleepers.begin_search();
            sleep_unless(sleepers, is_met, [&](std::uint32_t ticket) {
                pool::instance().sleep_idle(sleepers, ticket);
            });
            sleepers.end_search();
            return true;
        });
    }

    slots<worker_line> workers_;
    first_looks first_looks_;
    alignas(false_sharing_range) atomic<unsigned> awaited_{0};
    event_count sleepers_;
    event_count left_out_;  // workers whose next order is not to run
};

}  // namespace teff
