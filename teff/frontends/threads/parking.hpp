// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One wait of a fiber, of a member of a team, or of another thread. Everything that fibers can wait for (join,
// sync_var, ...) keeps a list of these objects, which lie on the stacks of the calls that wait.
//
//   fiber     is suspended, and its worker runs other tasks; wake() makes the fiber ready
//   member    runs tasks of its team meanwhile, on top of its stack, and sleeps if there are none
//   other     sleeps
//
//                            wait, wait_if, ...                   wake
//   one of the waits           -    once, by its maker              yes     once, by any thread; see each of them
// Construct and destroy: the thread that waits. wake() is the last use: as soon as the wait can return, the object may
// be gone.
//
// The state of a fiber's wait is one word. With wait() it starts as `awake`. Two steps follow in either order: `asleep`
// is stored when the fiber may be made ready (usually by the code that the worker switched to), and wake() stores
// `woken`. The later of the two steps makes the fiber ready. With the other functions the wake-up always comes after
// the first step, so the word is `asleep` from the start.
//
// A wait_list holds the waiting fibers and threads of the mutex, the condition variable, the latch, the barrier and the
// channel:
//
//   a call that waits                               a call that wakes one
//     under the guard: add(self)                      under the guard: next = take()
//     self.here.release_and_wait(guard, ..)           guard released: next->here.wake()
// The guard is a spin lock of the object that contains the list. It is held for a few instructions, or until the
// waiting fiber may be made ready.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/intrusive.hpp>
#include <teff/base/locks.hpp>
#include <teff/strand/wait_reason.hpp>
#include <teff/team/count_latch.hpp>

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
    // For a fiber whose worker switches to the one fiber that will wake it.
    explicit parking(fiber_state& left) noexcept : fiber_(&left), word_(asleep), not_woken_(0) {}
    parking(const parking&) = delete;
    parking& operator=(const parking&) = delete;

    // Waits. wake() may come before, during or after this call. what: for the report of a deadlock, as below. runs: how
    // a member runs tasks meanwhile (wait_rules).
    void wait(const wait_reason& what, task_runner runs = nullptr) noexcept;
    // Waits. wake() may come as soon as stays(argument) has begun. If stays() returns false, wake() must not be called,
    // and the wait ends. When stays() is called a fiber may already be made ready, so the wake-up costs less.
    void wait_if(const wait_reason& what, bool (*stays)(void* argument) noexcept, void* argument) noexcept;
    // Waits. The caller holds the lock under which it has made this object known; the lock is released when the wake-up
    // may come.
    void release_and_wait(spin_lock& held, const wait_reason& what) noexcept;
    void wake() noexcept;
    // As wake(), but returns a fiber that should continue instead of making it ready; the caller makes it ready.
    fiber_state* wake_but_fiber() noexcept;

private:
    static constexpr unsigned awake = 0, asleep = 1, woken = 2;

    static bool falls_asleep(void* self) noexcept;
    void wait_as_thread(const wait_reason& what, task_runner runs = nullptr) noexcept;
    void wait_as_fiber(const wait_reason& what, bool (*stays)(void* argument) noexcept, void* argument) noexcept;

    fiber_state* const fiber_;  // the fiber that waits; nullptr: a thread waits
    atomic<unsigned> word_{awake};
    count_latch not_woken_;     // counts one until wake(), if a thread waits
};

// An object that fibers can wait for is moved only while nothing uses it: waiting calls hold its address.
inline void require_unused(bool is_unused, const char* type) noexcept {
    TEFF_CHECK(is_unused, type, "one is moved while a fiber or thread uses it, as when the vector that it is in grows",
               "move it before others use it, or keep it in a std::deque or behind a std::unique_ptr");
}

// A fiber or thread in a wait_list; lies on the stack of its call. After wake() the waiter may be gone, and so may the
// object that contains the list.
struct waiter : list_hook {
    parking here;
};

// First in, first out. All functions: under the guard.
class wait_list {
public:
    bool empty() const noexcept { return waiters_.empty(); }
    void add(waiter& last) noexcept { waiters_.push_back(last); }
    // nullptr if nothing waits.
    waiter* take() noexcept {
        waiter* const first = waiters_.first();
        if (first != nullptr)
            waiters_.remove(*first);
        return first;
    }

private:
    intrusive_list<waiter> waiters_;
};

// Called without the guard: wakes all waiters of a list that belongs to the caller alone.
inline void wake_all(wait_list& taken) noexcept {
    while (waiter* const next = taken.take())
        next->here.wake();
}

}  // namespace teff::threads
