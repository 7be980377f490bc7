// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chapel's sync block: it ends when all fibers that were begun inside have ended, also those that were begun by such
// fibers, and by tasks that were made inside. (Evans et al., section 2.2, have `begin`; the block is Chapel's.)
//
// The running code knows the innermost sync block around it and whether a serial block surrounds it (`surroundings`),
// on a fiber and in the tasks that were made there (strand/enclosing.hpp). Only the thread that runs a strand accesses
// the strand's entry.
//
// The block counts its own body and its parts. A begun fiber has a part, and so has a task that may end later than the
// code that has made it (strand/strand.hpp). Parts are made only while the code that makes them is a part of the
// block, or runs inside one, so the count cannot rise again from zero. Whichever of them counts down last wakes the
// waiting fiber, unless it is the body itself.
//
//   run                  once, on a fiber, which has the block on its stack
//   part: make           by code inside the block: its body, a begun fiber, or a task
//   part: destroy; fail  any thread. A part's destructor is its last use of the block.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/strand/strand.hpp>

#include <cstddef>
#include <exception>
#include <utility>

namespace teff::threads {

class sync_block;

struct surroundings {
    sync_block* block = nullptr;  // the innermost sync block, also one that began on another fiber; nullptr: none
    bool is_serial = false;       // inside a serial block: begin, cobegin and coforall start no fibers
};

// The blocks around the calling code. There are none on a thread that runs no fiber, in another team that was entered
// inside a block, and in a reduction.
surroundings surroundings_here() noexcept;

// For the scope of a block on a fiber.
class scoped_surroundings {
public:
    explicit scoped_surroundings(const surroundings& inside) noexcept;
    ~scoped_surroundings() { here_ = before_; }
    scoped_surroundings(const scoped_surroundings&) = delete;
    scoped_surroundings& operator=(const scoped_surroundings&) = delete;

private:
    enclosing& here_;
    const enclosing before_;
};

class sync_block : public enclosing_block {
public:
    sync_block() noexcept
        : enclosing_block{[](enclosing_block& self) noexcept { static_cast<sync_block&>(self).count_part(); },
                          [](enclosing_block& self) noexcept { static_cast<sync_block&>(self).end_part(); }} {}
    sync_block(const sync_block&) = delete;
    sync_block& operator=(const sync_block&) = delete;

    // Calls the body, waits, and throws the exception that came first, of the body or of a fiber.
    template <class Body>
    void run(Body& body) {
        try {
            const scoped_surroundings inside({.block = this, .is_serial = surroundings_here().is_serial});
            body();
        } catch (...) {
            fail(std::current_exception());
        }
        wait();
        if (error_ != nullptr)
            std::rethrow_exception(std::move(error_));
    }

    // Keeps the first exception.
    void fail(std::exception_ptr error) noexcept {
        const scoped_lock locked(guard_);
        if (error_ == nullptr)
            error_ = std::move(error);
    }

    // A part of the block: the block waits for its body and for its parts. A part without a block does nothing.
    class part {
    public:
        explicit part(sync_block* block) noexcept : block_(block) {
            if (block_ != nullptr)
                block_->count_part();
        }
        part(part&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
        part& operator=(part&&) = delete;
        ~part() {
            if (block_ != nullptr)
                block_->end_part();
        }

        sync_block* block() const noexcept { return block_; }

    private:
        sync_block* block_;
    };

private:
    void wait() noexcept {
        parking parked;
        waiter_ = &parked;
        sanitizers::happens_before(unfinished_.address());
        // release: the last part can use our parking. acquire: sees what the parts have done, if all have ended.
        // Partner of both: end_part().
        if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) != 1)
            parked.wait({.kind = "the fibers of a sync block", .event = "to end", .is_for_tasks = true});
        sanitizers::happens_after(unfinished_.address());
    }
    // relaxed: the part that the caller has, or its body, keeps the count above zero.
    void count_part() noexcept { unfinished_.fetch_add(1, std::memory_order_relaxed); }
    void end_part() noexcept {
        sanitizers::happens_before(unfinished_.address());
        // release: the body sees what this part has done. acquire: the last one uses the parking, and its wake-up
        // passes on what the other parts have done. Partners: wait(), and the other parts.
        if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            wake_waiter();
    }
    void wake_waiter() noexcept {
        sanitizers::happens_after(unfinished_.address());
        waiter_->wake();
    }

    atomic<std::size_t> unfinished_{1};  // the body, and the parts
    parking* waiter_ = nullptr;          // written by the body before it counts down
    mutex guard_;
    std::exception_ptr error_;           // under the guard, until all have ended
};

}  // namespace teff::threads
