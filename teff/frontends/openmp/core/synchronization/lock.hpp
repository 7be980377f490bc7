// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locks of OpenMP (5.1, section 3.9) and the exclusion of critical sections (section 2.19.1). All compilers give a
// simple lock at least 4 bytes and a nestable lock at least 8, and a critical section static memory that is zero. So a
// lock is one futex word, zero means free, and a nestable lock has the nesting count beside it.
//
//   word      0, or the number of the owner; the top bit says that a thread may sleep on the word
//   acquire   tries, spins for a bounded number of pauses, then sleeps. A thread does not spin if another one already
//             sleeps: with more threads than CPUs, a thread that spins keeps the owner from running
//   release   wakes one sleeper. The sleeper takes the lock with the top bit set, since others may sleep, too
//
// A waiting thread runs no tasks. The owner may hold the lock across a task scheduling point, and a task that asks for
// the lock on top of the owner's frame would never get it.
//
// The owner of a nestable lock is a task (current_task_number() in place.hpp); in programs from before OpenMP 3.0 it is
// a thread. The owner of a simple lock is not stored. Rejected: elision for the speculative hints, since current
// processors have it disabled; queue locks, which need memory per waiting thread and stop all others while the next
// thread in line is not running.
//
//                         acquire, try_acquire    release       safe together?
//   acquire, try_acquire          yes               yes
//   release                                     the owner only
#pragma once

#include <teff/base/futex.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>

#include <cstdint>

namespace teff::openmp {

// Exclusion with a number for the owner, from 1 to largest_owner.
class owned_word {
public:
    static constexpr std::uint32_t largest_owner = 0x7fff'ffff;

    constexpr owned_word() noexcept = default;

    bool try_acquire(std::uint32_t owner) noexcept {
        const bool is_ours = write_owner(owner);
        if (is_ours)
            sanitizers::happens_after(word_.address());
        return is_ours;
    }
    // Asks for a sanitizer first: a load after the read-modify-write would wait for it.
    void acquire(std::uint32_t owner) noexcept {
        if (sanitizers::tells_orders() || !write_owner(owner)) [[unlikely]]
            acquire_slowly(owner);
    }
    // Returns false if the word had no owner, which is a mistake of the user.
    bool release() noexcept {
        const void* const address = word_.address();
        sanitizers::happens_before(address);
        // release: publishes the owner's writes; partner: the acquire of the next try_acquire() or acquire_slowly().
        // After this the lock may be destroyed.
        const std::uint32_t seen = word_.exchange(0, std::memory_order_release);
        if (seen > largest_owner) [[unlikely]]
            futex_wake(address, 1);
        return seen != 0;
    }
    // Exact for the caller's own number, since no other thread writes or clears that.
    bool is_owned_by(std::uint32_t owner) const noexcept {
        // relaxed: if the number is the caller's, the caller wrote it.
        return (word_.load(std::memory_order_relaxed) & ~sleepers) == owner;
    }

private:
    static constexpr std::uint32_t sleepers = largest_owner + 1;

    bool write_owner(std::uint32_t owner) noexcept {
        std::uint32_t seen = 0;
        // acquire: makes the last owner's writes before its release() visible.
        // relaxed on failure: nothing is read before the word is owned.
        return word_.compare_exchange_strong(seen, owner, std::memory_order_acquire, std::memory_order_relaxed);
    }
    [[gnu::noinline]] void acquire_slowly(std::uint32_t owner) noexcept;
    bool spin(std::uint32_t owner) noexcept;

    futex_word word_{0};
};

class lock {
public:
    bool try_acquire() noexcept { return word_.try_acquire(1); }
    void acquire() noexcept { word_.acquire(1); }
    bool release() noexcept { return word_.release(); }

private:
    owned_word word_;
};

class nest_lock {
public:
    static constexpr std::uint32_t largest_owner = owned_word::largest_owner;

    // Returns the new nesting count; 0: another owner has the lock.
    std::uint32_t try_acquire(std::uint32_t owner) noexcept {
        if (word_.is_owned_by(owner))
            return nested();
        if (!word_.try_acquire(owner))
            return 0;
        count_.write(1);
        return 1;
    }
    void acquire(std::uint32_t owner) noexcept {
        if (word_.is_owned_by(owner)) {
            nested();
            return;
        }
        word_.acquire(owner);
        count_.write(1);
    }
    // How often the caller, its owner, has acquired it.
    std::uint32_t depth() const noexcept { return count_.read(); }
    // Frees the lock after as many calls as there were acquisitions. Returns false if the lock was free.
    bool release() noexcept {
        if (count_.read() == 0) [[unlikely]]
            return false;
        count_.write(count_.read() - 1);
        return count_.read() != 0 || word_.release();
    }

private:
    std::uint32_t nested() noexcept {
        count_.write(count_.read() + 1);
        return count_.read();
    }

    owned_word word_;
    plain<std::uint32_t> count_{0};  // the owner's
};

static_assert(sizeof(lock) == 4 && alignof(lock) == 4, "omp_lock_t has 4 bytes in programs built by GCC");
static_assert(sizeof(nest_lock) == 8 && alignof(nest_lock) == 4, "a nestable lock has 8 bytes in Fortran and for LLVM");

class lock_scope {
public:
    explicit lock_scope(lock& held) noexcept : held_(held) { held_.acquire(); }
    ~lock_scope() { held_.release(); }
    lock_scope(const lock_scope&) = delete;
    lock_scope& operator=(const lock_scope&) = delete;

private:
    lock& held_;
};

// A lock of the process, on cache lines of its own.
struct alignas(false_sharing_range) process_lock : lock {};

// The lock of the critical sections without a name in GCC's programs.
inline constinit process_lock unnamed_critical;
// A critical section's static memory, zero at first: 32 bytes from Clang, a pointer from GCC. Both compilers give the
// memory of one name the same symbol, so objects of both exclude each other.
inline lock& critical_in(void* memory) noexcept { return *static_cast<lock*>(memory); }

// Acquires and releases a lock, and tells a tool. object: what the tool knows the lock by.
inline void enter(lock& held, events::mutex_kind kind, unsigned hint, const void* object,
                  events::call_site from) noexcept {
    events::mutex_acquire(kind, hint, object, from);
    held.acquire();
    events::mutex_acquired(kind, object, from);
}
inline void leave(lock& held, events::mutex_kind kind, const void* object, events::call_site from) noexcept {
    held.release();
    events::mutex_released(kind, object, from);
}

// The lock of atomic operations that are wider than the processor's. GCC's programs take it around their own code, and
// calls for the same variable from objects of another compiler must exclude that code.
inline constinit process_lock atomic_lock;
inline void enter_atomic(events::call_site from) noexcept {
    enter(atomic_lock, events::mutex_kind::atomic, 0, &atomic_lock, from);
}
inline void leave_atomic(events::call_site from) noexcept {
    leave(atomic_lock, events::mutex_kind::atomic, &atomic_lock, from);
}

}  // namespace teff::openmp
