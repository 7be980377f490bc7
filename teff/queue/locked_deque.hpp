// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deque of small items (pointers) in a growable ring under a spin lock: the queue of a worker in the scheduler
// `distrib` and of a shepherd in `sherwood` (Evans, Olivier, Barrett, Stelle, ROSS 2017, sections 3.1 and 3.3).
//
//   thieves <- head [ oldest  ...  newest ] tail <-> owners
//
//                      push*  pop  try_take*  may_have_items    safe together?
//   push, push_all      yes   yes     yes          yes          any thread
//   pop                       yes     yes          yes          any thread; in both schedulers the queue's owners
//   try_take_oldest                   yes          yes          any thread
//   may_have_items                                 yes          any thread; takes no lock; a hint
// check_invariants takes the lock: any thread. Construction and destruction exclude everything. The value T{}, nullptr
// for pointers, is not a valid item. The destructor does not touch remaining items.
//
// The queue never reads what an item points to: a task may lie anywhere, and its memory may be freed as soon as the
// task has been taken. This is why there is a lock.
//
// One word holds the number of items and the lock. So one load of the word tells whether there is anything to take, one
// compare-and-swap takes the lock, and one store releases it together with the new number. The lock is held for a
// few instructions per item, or while a push allocates a larger array. Pushes and pops wait for the lock, and yield
// after some rounds (backoff), since its holder may not be running. Thieves do not wait: they go to another victim.
// Threads that wait form a line, as in the lock of Mellor-Crummey and Scott (1991): each polls a flag of its own, and
// only the first one polls the word. If all polled it, its cache line would move at every look, also away from the
// holder. A thread that finds the lock free takes it at once, whether others wait or not, so a thread that does several
// operations in a row keeps the cache line.
// Memory: none before the first push. From then on until destruction there is an array: the first one, or one with less
// than twice as many slots as the most items that the queue has held at once. fork() may leave the lock held in the
// child process, which does not use its parent's queues.
//
// Differs from the paper: the queue of its Distrib is lock-free, a list updated by compare-and-swap at head and tail;
// the one of its Sherwood has a lock whose waiters sleep.
// Rejected:
// - A lock-free list through the tasks (Treiber 1986). A thief reads the link of a task that another thread may have
//   taken since, so tasks must lie in type-stable memory, and the head needs a version that tells whether the link was
//   still valid. Moreover the list has one end: thieves would take the newest task, which is the smallest part of a
//   tree of tasks, and the one that the owner has in its cache.
// - The deque of Chase and Lev (2005). It does not read tasks either, but an outgrown array must be kept for late
//   thieves, each pop has a full fence, and only the owner may push.
// - A mutex whose waiters sleep (base/locks.hpp). Unlocking it is a second read-modify-write, and the critical section
//   is shorter than going to sleep.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/shared_data.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace teff {

// The result of try_take_oldest(): an item, or none. `contended`: none, because another thread was using the queue.
template <class T>
struct pop_attempt {
    T item{};
    bool contended = false;
};

// FirstCapacity: the number of slots of the first array, a power of two.
template <class T, std::size_t FirstCapacity = 64>
class alignas(false_sharing_range) locked_deque {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 2 * sizeof(void*), "items are small and copied");
    static_assert(std::has_single_bit(FirstCapacity));
    using slot = plain<T>;

public:
    // Allocates nothing.
    locked_deque() noexcept = default;
    locked_deque(const locked_deque&) = delete;
    locked_deque& operator=(const locked_deque&) = delete;
    ~locked_deque() { free_array(); }

    // Adds an item, not T{}, as the newest. Returns false and changes nothing if the array is full and there is no
    // memory for a larger one.
    [[nodiscard]] bool push(T item) noexcept {
        return push_all(1, [item] { return item; });
    }
    // The same for `added` items, each the result of a call of next(); the last one becomes the newest.
    template <class Next>
    [[nodiscard]] bool push_all(std::size_t added, Next&& next) noexcept {
        const std::size_t count = lock();
        if (count + added > capacity_.read() && !grow(count, count + added)) [[unlikely]] {
            unlock(count);
            return false;
        }
        for (std::size_t i = 0; i < added; ++i) {
            const T item = next();
            TEFF_ASSERT(item != T{}, "not an item");
            at(count + i).write(item);
        }
        unlock(count + added);
        return true;
    }

    // The newest item, or T{} if there is none. A thread that finds none, or gets false from may_have_items(), sees
    // what the thread that took the last item did before that.
    T pop() noexcept {
        if (!may_have_items())
            return T{};
        const std::size_t count = lock();
        if (count == 0) {
            unlock(count);
            return T{};
        }
        const T newest = at(count - 1).read();
        unlock(count - 1);
        return newest;
    }

    // The oldest item, or none if the queue is empty (with the same guarantee as pop()) or another thread is using it.
    pop_attempt<T> try_take_oldest() noexcept {
        pop_attempt<T> result;
        result.contended = !try_take_oldest(1, [&](T oldest) { result.item = oldest; });
        return result;
    }
    // Takes up to `at_most` items (1 or more) and calls take(item) for each under the lock, from the oldest on. False:
    // none, because another thread is using the queue.
    template <class Take>
    bool try_take_oldest(std::size_t at_most, Take&& take) noexcept {
        const std::size_t seen = look();
        const std::size_t count = count_of(seen);
        if (count == 0)
            return true;
        if (!try_lock(seen))
            return false;
        const std::size_t taken = std::min(count, at_most);
        for (std::size_t age = 0; age < taken; ++age)
            take(at(age).read());
        head_.write(place_of(taken));
        unlock(count - taken);
        return true;
    }

    bool may_have_items() const noexcept { return count_of(look()) != 0; }

    // The first broken invariant in words, or nullptr.
    const char* check_invariants() noexcept {
        const std::size_t count = lock();
        const char* const broken = find_broken(count);
        unlock(count);
        return broken;
    }

private:
    // The word: twice the number of items, plus one while the lock is held.
    static constexpr std::size_t held = 1;
    static constexpr std::size_t count_of(std::size_t word) noexcept { return word / 2; }

    std::size_t look() const noexcept {
        // acquire: a thread that finds no item sees what the thread that took the last item did before that; partner:
        // the release in unlock(). The swaps of threads that have taken the lock since continue its release sequence.
        return word_.load(std::memory_order_acquire);
    }

    // Waits for the lock. Returns the number of items.
    std::size_t lock() noexcept {
        // relaxed: the swap in try_lock() validates it.
        const std::size_t seen = word_.load(std::memory_order_relaxed);
        return try_lock(seen) ? count_of(seen) : lock_in_line();
    }

    // A thread that waits for the lock; on its stack.
    struct waiter {
        // the one before it writes, once
        atomic<bool> is_first{false};
        // the one behind it writes, once
        atomic<waiter*> next{nullptr};
    };

    // For a thread that found the lock held.
    [[gnu::noinline]] std::size_t lock_in_line() noexcept {
        waiter self;
        // acq_rel: the waiter behind us sees `self` initialised, and we the waiter before us; partner: the same.
        if (waiter* const before = last_.exchange(&self, std::memory_order_acq_rel)) {
            // release: `self` is initialised before it is called; partner: the acquire in call_next(). From here on
            // `before` may be gone.
            before->next.store(&self, std::memory_order_release);
            // relaxed: the thread that stores it holds the lock, so the lock, which we take next, orders its accesses
            // before the end of `self`.
            for (backoff wait; !self.is_first.load(std::memory_order_relaxed);)
                wait.pause();
        }
        std::size_t seen;
        for (backoff wait;; wait.pause()) {
            // relaxed: the swap in try_lock() validates it.
            seen = word_.load(std::memory_order_relaxed);
            if (try_lock(seen))
                break;
        }
        call_next(self);
        return count_of(seen);
    }
    // For the first waiter, which holds the lock now: leaves the line, and the waiter behind it is the first one.
    void call_next(waiter& self) noexcept {
        for (backoff wait;; wait.pause()) {
            // acquire: sees that waiter initialised; partner: the release in lock_in_line().
            if (waiter* const next = self.next.load(std::memory_order_acquire)) {
                // relaxed: as in lock_in_line(); the lock, which this thread holds, orders the rest.
                next->is_first.store(true, std::memory_order_relaxed);
                return;
            }
            waiter* last = &self;
            // relaxed, both: no other thread has `self`, and none reads anything through nullptr. On failure a waiter
            // behind us is about to say where it is.
            if (last_.compare_exchange_strong(last, nullptr, std::memory_order_relaxed, std::memory_order_relaxed))
                return;
        }
    }
    // Takes the lock if it was free in `seen` and the word has not changed since.
    bool try_lock(std::size_t seen) noexcept {
        // acquire: sees what the last holder wrote; partner: the release in unlock(). relaxed on failure: nothing is
        // read then.
        return (seen & held) == 0 && word_.compare_exchange_strong(seen, seen | held, std::memory_order_acquire,
                                                                   std::memory_order_relaxed);
    }
    void unlock(std::size_t count) noexcept {
        // release: publishes the ring and what its items point to, and gives the guarantee of look(); partners: the
        // acquires in try_lock() and look().
        word_.store(2 * count, std::memory_order_release);
    }

    // The following functions require the lock.

    // The index of the slot of the item with that age; 0 is the oldest item.
    std::size_t place_of(std::size_t age) const noexcept { return (head_.read() + age) & (capacity_.read() - 1); }
    slot& at(std::size_t age) noexcept { return slots_.read()[place_of(age)]; }

    // Makes room for `needed` items. Returns false if there is no memory.
    bool grow(std::size_t count, std::size_t needed) noexcept {
        const std::size_t larger = std::max(FirstCapacity, std::bit_ceil(needed));
        void* const memory = allocate(larger * sizeof(slot), false_sharing_range);
        if (memory == nullptr)
            return false;
        slot* const grown = static_cast<slot*>(memory);
        for (std::size_t age = 0; age < count; ++age)
            std::construct_at(grown + age, at(age).read());
        std::uninitialized_value_construct_n(grown + count, larger - count);
        free_array();
        slots_.write(grown);
        capacity_.write(larger);
        head_.write(0);
        return true;
    }
    void free_array() noexcept {
        if (slots_.read() != nullptr)
            deallocate(slots_.read(), capacity_.read() * sizeof(slot), false_sharing_range);
    }

    const char* find_broken(std::size_t count) noexcept {
        const std::size_t capacity = capacity_.read();
        if ((slots_.read() == nullptr) != (capacity == 0))
            return "an array has slots";
        if (count > capacity)
            return "there are no more items than slots";
        if (capacity != 0 && (!std::has_single_bit(capacity) || head_.read() >= capacity))
            return "the head is inside of the array";
        for (std::size_t age = 0; age < count; ++age) {
            if (at(age).read() == T{})
                return "no slot between head and tail is empty";
        }
        return nullptr;
    }

    // any thread writes; the fields below are written under the lock and share its line, which the lock's holder has
    atomic<std::size_t> word_{0};
    plain<std::size_t> head_{0};
    plain<std::size_t> capacity_{0};  // 0 or a power of two
    plain<slot*> slots_{nullptr};
    // threads that wait for the lock write: the end of their line, or nullptr
    alignas(false_sharing_range) atomic<waiter*> last_{nullptr};
};

}  // namespace teff
