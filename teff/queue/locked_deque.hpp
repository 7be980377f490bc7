// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deque of small items (pointers) in a growable ring under a spin lock, one per worker: the queue of the scheduler
// `distrib` (Evans, Olivier, Barrett, Stelle, ROSS 2017, section 3.3).
//
//   thieves <- head [ oldest  ...  newest ] tail <-> owner
//
//                      push  pop  try_take_oldest  may_have_items    safe together?
//   push                yes   yes       yes             yes          any thread; in `distrib` the owner
//   pop                       yes       yes             yes          any thread; in `distrib` the owner
//   try_take_oldest                     yes             yes          any thread
//   may_have_items                                      yes          any thread; takes no lock; a hint
// check_invariants takes the lock: any thread. Construction and destruction exclude everything. The value T{} is no
// item; with pointers that is nullptr. Items that are left are not touched.
//
// The queue never looks into what an item points to: a task may lie anywhere, and its memory may end as soon as the
// task was taken. This is why there is a lock.
//
// The number of items and the lock are one word. So a look at the word tells whether there is anything to take, one
// compare-and-swap takes the lock, and one store gives it back together with the new number. The lock is held for a
// few instructions, or for the allocation of a larger array by a push. `push` and `pop` wait for it, and yield after
// some rounds (backoff), since its holder may not be running. Thieves do not wait: they go to another victim. So in
// `distrib` nobody waits for an allocation, and only an owner waits at all, for the thief that is inside.
// Memory: none before the first push; then the first array, or one of less than twice the most items that were inside
// at once, until the end. fork() may leave the lock held in the child, which does not use the queues of its parent.
//
// Differs from the paper: its queue is lock-free, a list swung by compare-and-swap at head and tail.
// Rejected:
// - A lock-free list through the tasks (Treiber 1986). A thief reads the link of a task that may have been taken
//   meanwhile, so tasks have to lie in memory that keeps its type, and the head needs a version that tells whether
//   the link was still valid. Moreover it has one end: thieves take the newest task, which is the smallest part of a
//   tree of tasks, and the one that the owner has in its cache.
// - The deque of Chase and Lev (2005). It looks into no task either, but an array that was outgrown must stay for
//   late thieves, each pop has a full fence, and only the owner may push.
// - A mutex whose waiters sleep (base/mutex.hpp). Giving it back is a second read-modify-write, and the work under the
//   lock is shorter than going to sleep.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/base/plain.hpp>

#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace teff {

// What try_take_oldest() found: an item, or none and whether that is because another thread was using the queue.
template <class T>
struct pop_attempt {
    T item{};
    bool contended = false;
};

// FirstCapacity: of the first array, a power of two.
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

    // Adds an item, not T{}, as the newest. False, with nothing changed, if the array is full and there is no memory
    // for a larger one.
    [[nodiscard]] bool push(T item) noexcept {
        TEFF_ASSERT(item != T{}, "not an item");
        const std::size_t count = lock();
        if (count == capacity_.read() && !grow()) [[unlikely]] {
            unlock(count);
            return false;
        }
        at(count).write(item);
        unlock(count + 1);
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

    // The oldest item, or none: the queue is empty, with the same promise as pop(), or another thread is using it.
    pop_attempt<T> try_take_oldest() noexcept {
        const std::size_t seen = look();
        const std::size_t count = count_of(seen);
        if (count == 0)
            return {};
        if (!try_lock(seen))
            return {T{}, true};
        const T oldest = at(0).read();
        head_.write(place_of(1));
        unlock(count - 1);
        return {oldest, false};
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
        // acquire: a thread that finds no item sees what was done before the last one was taken; partner: the release
        // in unlock(), also through the swaps of those who took the lock since, which continue its release sequence.
        return word_.load(std::memory_order_acquire);
    }

    // Waits, and returns the number of items.
    std::size_t lock() noexcept {
        for (backoff wait;; wait.pause()) {
            // relaxed: judged by the swap.
            const std::size_t seen = word_.load(std::memory_order_relaxed);
            if (try_lock(seen))
                return count_of(seen);
        }
    }
    // If the word is as it was seen, and the lock was free then.
    bool try_lock(std::size_t seen) noexcept {
        // acquire: sees what the last holder wrote; partner: the release in unlock(). relaxed on failure: nothing is
        // read then.
        return (seen & held) == 0 && word_.compare_exchange_strong(seen, seen | held, std::memory_order_acquire,
                                                                   std::memory_order_relaxed);
    }
    void unlock(std::size_t count) noexcept {
        // release: hands the ring, what its items point to, and the promise of look() over; partners: the acquires in
        // try_lock() and look().
        word_.store(2 * count, std::memory_order_release);
    }

    // What follows is for the holder of the lock.

    // Where the item of that age is, from 0, the oldest.
    std::size_t place_of(std::size_t age) const noexcept { return (head_.read() + age) & (capacity_.read() - 1); }
    slot& at(std::size_t age) noexcept { return slots_.read()[place_of(age)]; }

    // The array is full.
    bool grow() noexcept {
        const std::size_t count = capacity_.read();
        const std::size_t larger = count == 0 ? FirstCapacity : 2 * count;
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

    // anybody writes; the rest of the line under the lock, whose holder has the line
    atomic<std::size_t> word_{0};
    plain<std::size_t> head_{0};
    plain<std::size_t> capacity_{0};  // 0 or a power of two
    plain<slot*> slots_{nullptr};
};

}  // namespace teff
