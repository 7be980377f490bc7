// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that is full or empty, for fibers and all other threads (full/empty synchronisation: Evans et al.,
// section 2.3, and Chapel's sync variables). The names of the operations say which state they wait for and which one
// they leave: e empty, f full, x either.
//
//              waits for   leaves                 waits for   leaves
//   write_ef   empty       full        read_fe    full        empty
//   write_ff   full        full        read_ff    full        full
//   write_xf   -           full        read_xx    -           as it is
//   reset      -           empty, with the value that it had at first
//
// Any thread may call any operation at any time. Each takes effect at once and as a whole. Operations that wait for the
// same state get their turn in the order in which they came (first in, first out), and none that comes later overtakes
// them: whenever the mutex is free, no operation waits for the state that the variable has. The thread that changes the
// state performs the operations that were waiting for it (settle()), and wakes them after it has released the mutex. So
// a woken operation has nothing left to do, and its thread may destroy the variable if no other operation waits.
//
// A thread that reads a value sees all that was done before the value was written.
//
// Rejected: one word with the state and a lock-free list, as the hardware's bits would be. The mutex costs as many
// read-modify-writes, is held for a few instructions, and no fiber is left while it is held.
#pragma once

#include <teff/base/intrusive_list.hpp>
#include <teff/base/mutex.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <type_traits>

namespace teff {

// T: copied as bytes, such as a number or a pointer.
template <class T>
    requires(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>)
class sync_var {
public:
    // Empty.
    sync_var(site made = site::current()) noexcept : value_(), made_(made) {}
    // Full.
    explicit sync_var(T value, site made = site::current()) noexcept : is_full_(true), value_(value), made_(made) {}
    // No operation may be under way.
    ~sync_var() = default;
    sync_var(const sync_var&) = delete;
    sync_var& operator=(const sync_var&) = delete;

    void write_ef(T value) noexcept { perform(operation::write_ef, value); }
    void write_ff(T value) noexcept { perform(operation::write_ff, value); }
    void write_xf(T value) noexcept {
        change([&] {
            value_ = value;
            is_full_ = true;
        });
    }
    T read_fe() noexcept { return read(operation::read_fe); }
    T read_ff() noexcept { return read(operation::read_ff); }
    T read_xx() const noexcept {
        const scoped_lock locked(mutex_);
        return value_;
    }
    void reset() noexcept {
        change([&] {
            value_ = T();
            is_full_ = false;
        });
    }
    // A hint if other threads use the variable.
    bool is_full() const noexcept {
        const scoped_lock locked(mutex_);
        return is_full_;
    }

    // Any thread. The first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept {
        const scoped_lock locked(mutex_);
        return (is_full_ ? wait_for_full_ : wait_for_empty_).empty() ? nullptr
                                                                     : "no operation waits for the present state";
    }

private:
    enum class operation : unsigned char { write_ef, write_ff, read_fe, read_ff };
    static constexpr bool needs_full(operation what) noexcept { return what != operation::write_ef; }

    // An operation that waits, on the stack of its call.
    struct waiter : list_hook {
        waiter(operation which, T& given) noexcept : what(which), value(given) {}

        const operation what;
        T& value;
        threads::parking here;
    };
    using waiters = intrusive_list<waiter>;

    T read(operation what) noexcept {
        T value;
        perform(what, value);
        return value;
    }
    void perform(operation what, T& value) noexcept {
        bool is_done = false;
        change([&] { is_done = try_perform(what, value); });
        if (!is_done)
            wait_and_perform(what, value);
    }
    // Out of line: most operations need not wait, and need no frame for a waiter.
    [[gnu::noinline]] void wait_and_perform(operation what, T& value) noexcept {
        waiter self(what, value);
        bool is_done = false;
        change([&] {
            is_done = try_perform(what, value);
            if (!is_done)
                (needs_full(what) ? wait_for_full_ : wait_for_empty_).push_back(self);
        });
        if (!is_done)
            self.here.wait({.kind = "sync_var", .event = needs_full(what) ? "to be full" : "to be empty",
                            .object = this, .made = made_});
    }

    // Under the mutex, from here on.
    bool try_perform(operation what, T& value) noexcept {
        if (is_full_ != needs_full(what))
            return false;
        if (what == operation::write_ef || what == operation::write_ff)
            value_ = value;
        else
            value = value_;
        is_full_ = what != operation::read_fe;
        return true;
    }
    // Performs operations that wait for the present state, until there are none. Adds them to `performed`.
    void settle(waiters& performed) noexcept {
        for (;;) {
            waiters& from = is_full_ ? wait_for_full_ : wait_for_empty_;
            waiter* const next = from.first();
            if (next == nullptr)
                return;
            from.remove(*next);
            try_perform(next->what, next->value);
            performed.push_back(*next);
        }
    }

    // Takes the mutex. After it the variable may be gone, and so may each waiter when it has been woken.
    template <class Change>
    void change(Change&& apply) noexcept {
        waiters performed;
        {
            const scoped_lock locked(mutex_);
            apply();
            settle(performed);
        }
        while (waiter* const next = performed.first()) {
            performed.remove(*next);
            next->here.wake();
        }
    }

    mutable mutex mutex_;
    // under the mutex
    bool is_full_ = false;
    T value_;
    waiters wait_for_full_;
    waiters wait_for_empty_;
    const site made_;  // for the report of a deadlock
};

}  // namespace teff
