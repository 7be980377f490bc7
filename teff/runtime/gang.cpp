// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The caller's part and a worker's part of a gang.
#include <teff/runtime/gang.hpp>

namespace teff {

unsigned gang::run(unsigned threads, function body, void* argument) noexcept {
    gang members(body, argument);
    pool& workers = pool::instance();
    workers.open_reserved(members, threads - 1);
    const unsigned size = members.size_;
    {
        const scoped_membership inside(members);
        body(argument, 0, size);
    }
    // In the child of a fork inside `body` the other members do not exist: this ends the process with a message.
    [[maybe_unused]] const bool stopped = members.stop_.is_set();
    workers.close(members, members.left_);
    return size;
}

unsigned gang::take_slot() noexcept {
    if (waiting_ == 0)
        return no_slot;
    const unsigned slot = waiting_--;
    if (waiting_ == 0) {
        // relaxed: under the pool's mutex, which orders the rest.
        complete_.store(1, std::memory_order_relaxed);
        futex_wake(complete_.address(), futex_wake_all);
    }
    return slot;
}

// A member that is through before all numbers are taken waits, lest it takes a second one.
void gang::join(unsigned slot, unsigned) noexcept {
    crowd& workers = pool::instance().idle();
    workers.begin_stay();
    {
        const scoped_membership inside(*this);
        body_(argument_, slot, size_);
    }
    // As in run().
    [[maybe_unused]] const bool stopped = stop_.is_set();
    // relaxed: nothing is read through it.
    while (complete_.load(std::memory_order_relaxed) == 0)
        futex_wait(complete_, 0);
    workers.end_stay();
    pool::instance().leave(*this, slot, left_);
}

}  // namespace teff
