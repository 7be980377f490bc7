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
// Any thread may call any operation at any time. Each operation is atomic. Operations that wait for the same state are
// served first in, first out, and a later operation never overtakes them: whenever the lock is free, no operation waits
// for the state that the variable has. The thread that changes the state performs the operations that were waiting for
// it (take_waiter()), and wakes their callers after it has released the lock. So a woken operation only returns, and
// its thread may then destroy the variable if no other operation waits.
//
// A thread that reads a value sees everything that was done before the value was written.
//
// The lock is a spin lock, so an operation that need not wait costs one read-modify-write. A waiting fiber holds the
// lock until it may be made ready. So the waking thread, which takes the lock, needs no other word to know that.
// Rejected: one word with the state and a lock-free list, like the bits in hardware; it costs as many
// read-modify-writes.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/intrusive.hpp>
#include <teff/base/locks.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <stdexcept>
#include <type_traits>
#include <utility>

namespace teff {

// T: copied as bytes, such as a number or a pointer.
template <class T>
class sync_var {
    static constexpr bool is_copied_as_bytes = std::is_trivially_copyable_v<T>;
    static constexpr bool has_default = std::is_default_constructible_v<T>;
    static_assert(is_copied_as_bytes, "teff: the T of a sync_var<T> or single_var<T> must be trivially copyable, "
                                      "such as a number or a pointer; use a channel<T>, or a pointer to the value");
    static_assert(has_default, "teff: the T of a sync_var<T> or single_var<T> must have a default value");

public:
    // Empty.
    sync_var(site made = site::current()) noexcept : value_(), made_(made) {}
    // Full.
    explicit sync_var(T value, site made = site::current()) noexcept : is_full_(true), value_(value), made_(made) {}
    // No operation may be under way.
    ~sync_var() = default;
    // Takes the state and the value of `other`, which is then empty. No operation may be under way on either; ends the
    // program with a message if one waits.
    sync_var(sync_var&& other) noexcept : sync_var(other.leave(), other.made_) {}
    // The same; the state and the value that this variable had are gone.
    sync_var& operator=(sync_var&& other) noexcept {
        if (this != &other) {
            const content taken = other.leave();
            const scoped_lock locked(lock_);
            require_unused();
            is_full_ = taken.is_full;
            value_ = taken.value;
            made_ = other.made_;
        }
        return *this;
    }

    // Waits until the variable is empty; leaves it full, with the new value.
    void write_ef(T value) noexcept { perform(operation::write_ef, value); }
    // Waits until the variable is full; leaves it full, with the new value.
    void write_ff(T value) noexcept { perform(operation::write_ff, value); }
    // Does not wait; leaves the variable full, with the new value.
    void write_xf(T value) noexcept {
        lock_.lock();
        value_ = value;
        is_full_ = true;
        settle_and_release();
    }
    // Waits until the variable is full; leaves it empty, and returns its value.
    T read_fe() noexcept { return read(operation::read_fe); }
    // Waits until the variable is full; leaves it full, and returns its value.
    T read_ff() noexcept { return read(operation::read_ff); }
    // Returns the value, whatever the state is, without waiting: T() while it has none.
    T read_xx() const noexcept {
        const scoped_lock locked(lock_);
        return value_;
    }
    // Does not wait; leaves the variable empty, with the value T().
    void reset() noexcept {
        lock_.lock();
        value_ = T();
        is_full_ = false;
        settle_and_release();
    }
    // A hint if other threads use the variable.
    bool is_full() const noexcept {
        const scoped_lock locked(lock_);
        return is_full_;
    }

    // Any thread. The first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept {
        const scoped_lock locked(lock_);
        return (is_full_ ? wait_for_full_ : wait_for_empty_).empty() ? nullptr
                                                                     : "no operation waits for the present state";
    }

private:
    struct content {
        bool is_full;
        T value;
    };
    sync_var(const content& taken, const site& made) noexcept
        : is_full_(taken.is_full), value_(taken.value), made_(made) {}
    // Under the lock, since the thread that moves the variable must see what was done before it was written.
    content leave() noexcept {
        const scoped_lock locked(lock_);
        require_unused();
        return {std::exchange(is_full_, false), std::exchange(value_, T())};
    }
    void require_unused() const noexcept {
        threads::require_unused(wait_for_full_.empty() && wait_for_empty_.empty(), "sync_var");
    }

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
        lock_.lock();
        if (try_perform(what, value))
            settle_and_release();
        else
            wait_for_turn(what, value);
    }

    // Under the lock, from here on. The next two functions release it.
    // Out of line: most operations need not wait, and need no frame for a waiter.
    [[gnu::noinline]] void wait_for_turn(operation what, T& value) noexcept {
        waiter self(what, value);
        (needs_full(what) ? wait_for_full_ : wait_for_empty_).push_back(self);
        self.here.release_and_wait(lock_, {.kind = "sync_var", .event = needs_full(what) ? "to be full" : "to be empty",
                                           .object = this, .made = made_});
    }
    // After it the variable may be gone.
    void settle_and_release() noexcept {
        if (waiting_for_this_state().empty())
            lock_.unlock();
        else
            settle_release_and_wake();
    }
    [[gnu::noinline]] void settle_release_and_wake() noexcept {
        waiter& first = take_waiter();
        if (!waiting_for_this_state().empty())
            return settle_rest(first);
        lock_.unlock();
        // Each waiter may be gone when it has been woken.
        first.here.wake();
    }
    [[gnu::noinline]] void settle_rest(waiter& first) noexcept {
        waiters performed;
        performed.push_back(first);
        while (!waiting_for_this_state().empty())
            performed.push_back(take_waiter());
        lock_.unlock();
        while (waiter* const next = performed.first()) {
            performed.remove(*next);
            next->here.wake();
        }
    }
    // Performs the first operation that waits for the present state; there is one.
    waiter& take_waiter() noexcept {
        waiters& from = waiting_for_this_state();
        waiter& first = *from.first();
        from.remove(first);
        try_perform(first.what, first.value);
        return first;
    }
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
    waiters& waiting_for_this_state() noexcept { return is_full_ ? wait_for_full_ : wait_for_empty_; }

    mutable spin_lock lock_;
    // under the lock
    bool is_full_ = false;
    T value_;
    waiters wait_for_full_;
    waiters wait_for_empty_;
    site made_;  // for the report of a deadlock
};

// A variable that is written once, for fibers and all other threads (Chapel's single variable). It is a sync_var that
// no operation empties. So a read waits for the write, and then sees everything that was done before the write.
//
// Any thread may call any operation at any time. T: as of a sync_var.
template <class T>
class single_var {
public:
    // Empty.
    single_var(site made = site::current()) noexcept : value_(made) {}
    // Full.
    explicit single_var(T value, site made = site::current()) noexcept : is_written_(true), value_(value, made) {}
    // Takes the value of `other`, which is then empty. No operation may be under way on either; ends the program with a
    // message if one waits.
    single_var(single_var&& other) noexcept
        : is_written_(other.leave()), value_(std::move(other.value_)) {}
    // The same; the value that this variable had is gone.
    single_var& operator=(single_var&& other) noexcept {
        if (this != &other) {
            value_ = std::move(other.value_);
            // relaxed: no operation is under way.
            is_written_.store(other.leave(), std::memory_order_relaxed);
        }
        return *this;
    }

    // Does not wait. Throws std::logic_error if the variable was written before, which leaves it as it is.
    void write_ef(T value) {
        // relaxed: only decides which call is the first; the sync_var publishes the value.
        if (is_written_.exchange(true, std::memory_order_relaxed))
            throw std::logic_error("teff: a single_var was written a second time; it takes one value. Use a sync_var "
                                   "for a value that changes");
        value_.write_ef(value);
    }
    // Waits until the variable is full.
    T read_ff() noexcept { return value_.read_ff(); }
    // T() while the variable is empty.
    T read_xx() const noexcept { return value_.read_xx(); }
    // Whether the variable was written. A hint while another thread writes it.
    bool is_full() const noexcept { return value_.is_full(); }

private:
    // relaxed: no operation is under way.
    bool leave() noexcept { return is_written_.exchange(false, std::memory_order_relaxed); }

    atomic<bool> is_written_{false};
    sync_var<T> value_;
};

}  // namespace teff
