// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A latch and a barrier for fibers and all other threads, with the interface of std::latch and the main part of that of
// std::barrier.
//
//   fiber_latch       opens once, when its count is zero. Any thread may call any function. When wait() has returned,
//                     the latch may be destroyed unless another wait is under way.
//   fiber_barrier     opens each time that `count` calls of arrive_and_wait() have come, and closes again. At most
//                     `count` fibers and threads use it.
#pragma once

#include <teff/base/locks.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <cstddef>
#include <utility>

namespace teff {

// Opens once, when it has been counted down to zero, as std::latch. Any thread may call any function.
class fiber_latch {
public:
    // count: how often it is to be counted down; 0: it is open from the beginning. made: for messages.
    explicit fiber_latch(std::size_t count, site made = site::current()) noexcept : count_(count), made_(made) {}
    // Takes over the count of `other`, which is open afterwards. No call may be under way; ends the program with a
    // message if one waits.
    fiber_latch(fiber_latch&& other) noexcept : count_(other.leave()), made_(other.made_) {}
    // The same for both.
    fiber_latch& operator=(fiber_latch&& other) noexcept {
        if (this != &other) {
            const std::size_t count = other.leave();
            const scoped_lock locked(guard_);
            threads::require_unused(waiting_.empty(), "fiber_latch");
            count_ = count;
            made_ = other.made_;
        }
        return *this;
    }

    // by: at most the count.
    void count_down(std::size_t by = 1) noexcept {
        threads::wait_list taken;
        {
            const scoped_lock locked(guard_);
            count_ -= by;
            if (count_ == 0)
                taken = std::exchange(waiting_, threads::wait_list());
        }
        threads::wake_all(taken);
    }
    // Whether it is open.
    [[nodiscard]] bool try_wait() const noexcept {
        const scoped_lock locked(guard_);
        return count_ == 0;
    }
    // Returns when it is open. A waiting fiber does not block its worker.
    void wait() noexcept {
        guard_.lock();
        if (count_ == 0) {
            guard_.unlock();
            return;
        }
        threads::waiter self;
        waiting_.add(self);
        self.here.release_and_wait(guard_,
                                   {.kind = "fiber_latch", .event = "to open", .object = this, .made = made_});
    }
    // Counts down, and waits. by: at most the count.
    void arrive_and_wait(std::size_t by = 1) noexcept {
        count_down(by);
        wait();
    }

private:
    std::size_t leave() noexcept {
        const scoped_lock locked(guard_);
        threads::require_unused(waiting_.empty(), "fiber_latch");
        return std::exchange(count_, 0);
    }

    mutable spin_lock guard_;
    // under the guard
    std::size_t count_;
    threads::wait_list waiting_;
    site made_;  // for the report of a deadlock
};

// Opens each time that as many as its count have arrived, as std::barrier without a completion function. Any thread.
class fiber_barrier {
public:
    // count: at least 1.
    explicit fiber_barrier(std::size_t count, site made = site::current()) noexcept : count_(count), made_(made) {}
    // Makes a barrier with the count of `other`. Ends the program with a message if a fiber or thread waits at `other`.
    fiber_barrier(fiber_barrier&& other) noexcept : count_(other.unused_count()), made_(other.made_) {}
    // The same for both.
    fiber_barrier& operator=(fiber_barrier&& other) noexcept {
        const std::size_t count = other.unused_count();
        unused_count();
        count_ = count;
        made_ = other.made_;
        return *this;
    }

    // Returns when as many as the count have called it, this call included. A waiting fiber does not block its worker.
    void arrive_and_wait() noexcept {
        guard_.lock();
        if (++arrived_ != count_) {
            threads::waiter self;
            waiting_.add(self);
            self.here.release_and_wait(guard_,
                                       {.kind = "fiber_barrier", .event = "to open", .object = this, .made = made_});
            return;
        }
        arrived_ = 0;
        threads::wait_list taken = std::exchange(waiting_, threads::wait_list());
        guard_.unlock();
        threads::wake_all(taken);
    }

private:
    std::size_t unused_count() const noexcept {
        const scoped_lock locked(guard_);
        threads::require_unused(arrived_ == 0, "fiber_barrier");
        return count_;
    }

    mutable spin_lock guard_;
    std::size_t count_;
    // under the guard
    std::size_t arrived_ = 0;
    threads::wait_list waiting_;
    site made_;  // for the report of a deadlock
};

}  // namespace teff
