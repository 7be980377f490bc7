// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One wait, for whatever waits: a fiber, a member of a team, or another thread. Everything that fibers can wait for
// (join, sync_var, ...) keeps a list of these objects, which lie on the stacks of the calls that wait.
//
//   fiber     it is left, and its worker goes on with other tasks; wake() makes it ready
//   member    runs tasks of its team meanwhile, on top of its stack, and sleeps if there are none
//   other     sleeps
//
//                            wait, wait_if, ...                   wake
//   one of the waits           -    once, by its maker              yes     once, by any thread; see each of them
// Construct and destroy: the thread that waits. wake() is the last use: as soon as the wait can return, the object may
// be gone.
//
// The state of a fiber's wait is one word. With wait(): `awake`, then `asleep` (stored when the fiber may be made
// ready: mostly by the code that it was left for) and `woken`; of these two steps the second one to be made makes it
// ready. With the others the wake-up comes after that, so the word is `asleep` from the start.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/spin_lock.hpp>
#include <teff/frontends/threads/waits.hpp>
#include <teff/runtime/count_latch.hpp>

namespace teff {

class task_member;
struct task_header;

}  // namespace teff

namespace teff::threads {

class fiber_state;

using task_runner = void (*)(task_member& self, task_header& taken) noexcept;

class parking {
public:
    parking() noexcept;
    // Of a fiber that its worker leaves for another one, which alone causes the wake-up.
    explicit parking(fiber_state& left) noexcept : fiber_(&left), word_(asleep), not_woken_(0) {}
    parking(const parking&) = delete;
    parking& operator=(const parking&) = delete;

    // The wake-up may come before, during or after it. what: for the report of a deadlock, as below. runs: how a member
    // runs tasks meanwhile (wait_rules).
    void wait(const wait_reason& what, task_runner runs = nullptr) noexcept;
    // The wake-up may come as soon as stays(argument) has begun; if that returns false, there will be none, and the
    // wait ends. A fiber may be made ready when stays() is called, so the wake-up costs less.
    void wait_if(const wait_reason& what, bool (*stays)(void* argument) noexcept, void* argument) noexcept;
    // The caller holds the lock under which this object was made known. Releases it when the wake-up may come.
    void release_and_wait(spin_lock& held, const wait_reason& what) noexcept;
    void wake() noexcept;
    // The same, but a fiber that is to go on is not made ready: it is returned, and the caller does that.
    fiber_state* wake_but_fiber() noexcept;

private:
    static constexpr unsigned awake = 0, asleep = 1, woken = 2;

    static bool falls_asleep(void* self) noexcept;
    void wait_as_thread(const wait_reason& what, task_runner runs = nullptr) noexcept;
    void wait_as_fiber(const wait_reason& what, bool (*stays)(void* argument) noexcept, void* argument) noexcept;

    fiber_state* const fiber_;  // that waits; nullptr: it is not a fiber that waits
    atomic<unsigned> word_{awake};
    count_latch not_woken_;     // counts one until wake(), if it is not a fiber that waits
};

}  // namespace teff::threads
