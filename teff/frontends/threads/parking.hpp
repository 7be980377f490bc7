// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One wait, for whatever waits: a fiber, a member of a team, or another thread. Everything that fibers can wait for
// (join, sync_var, ...) keeps a list of these objects, which lie on the stacks of the calls that wait.
//
//   fiber     it is left, and its worker goes on with other tasks; wake() makes it ready
//   member    runs tasks of its team meanwhile, on top of its stack, and sleeps if there are none
//   other     sleeps
//
//              wait                         wake
//   wait        -    once, by its maker     yes     once, by any thread, before, during or after wait()
// Construct and destroy: the thread that waits. wake() is the last use: as soon as wait() can return, the object may be
// gone.
//
// The state of a fiber's wait is one word: `awake`, then `asleep` (stored by the worker that has left the fiber, when
// another thread may enter it) and `woken`. Of these two steps the second one to be made makes the fiber ready.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/frontends/threads/waits.hpp>
#include <teff/runtime/count_latch.hpp>

namespace teff::threads {

class fiber_state;

class parking {
public:
    parking() noexcept;
    parking(const parking&) = delete;
    parking& operator=(const parking&) = delete;

    // what: for the report of a deadlock.
    void wait(const awaited& what) noexcept;
    void wake() noexcept;

    // Called by the worker that has left the fiber. False: the fiber was woken already, and the caller makes it ready;
    // otherwise this object may be gone.
    bool falls_asleep() noexcept {
        // release: the fiber can be entered elsewhere; partner: the acquire in wake(). acquire: what was done before
        // the wake-up is seen where the fiber goes on; partner: the release in wake().
        return word_.exchange(asleep, std::memory_order_acq_rel) == awake;
    }

private:
    static constexpr unsigned awake = 0, asleep = 1, woken = 2;

    void wait_as_thread(const awaited& what) noexcept;

    fiber_state* const fiber_;  // that waits; nullptr: it is not a fiber that waits
    atomic<unsigned> word_{awake};
    count_latch not_woken_;     // counts one until wake(), if it is not a fiber that waits
};

}  // namespace teff::threads
