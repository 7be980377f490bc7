// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The deque of the scheduler `demand`: a private LIFO array in front, a shared part behind it.
//
//   base ... bottom [ oldest  private items  newest ] top ... end        shared part: [ older items ]
//
// The owner pushes and pops at `top`, which it keeps in a register: one plain compare with a mark, one plain load or
// store of the item. Nobody else sees the private part. Two marks, `low` and `high`, are both the bounds of the array
// and the way to ask: a thief that wants work overwrites them with values that every push and every pop runs into
// (armed), so noticing a request costs the fast path nothing. The slow path puts the marks back.
//                   owner's operations  ask   steal, visible    safe together?
//   owner's              -              yes       yes           one owner at a time; set_request_flag() is one, too
//   ask                                 yes       yes
//   steal, visible                                yes
// A request is not lost: the owner resets the marks (M1), fence, reads whether anybody is hungry (H1); the thief
// announces that it is idle (H2), fence, writes the marks (M2). If H1 misses H2, the owner's fence comes first in the
// single total order, so M2 is later than M1 in the marks' modification order, and the next push or pop runs into it.
// Rejected: a request flag beside the bounds (a second compare in push and pop); a Chase-Lev deque (a fence in pop).
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/queue/shared_part.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

namespace teff {

template <class T>
class split_deque {
public:
    split_deque() noexcept = default;
    split_deque(const split_deque&) = delete;
    split_deque& operator=(const split_deque&) = delete;
    ~split_deque() { deallocate(base_, bytes(capacity()), alignof(T)); }

    // Owner. Gives the deque its first memory; false if there is none. The marks start armed, so that the first
    // operation takes the slow path and looks around.
    [[nodiscard]] bool open() noexcept {
        if (base_ == nullptr && !allocate_array(initial_capacity))
            return false;
        bottom_ = base_;
        arm();
        return true;
    }
    T* bottom() const noexcept { return bottom_; }

    // Owner, fast path. `top` is one past the newest private item.
    bool pop_is_private(const T* top) const noexcept {
        // relaxed: a request seen one operation later is as good; nothing is read through the mark.
        return reinterpret_cast<std::uintptr_t>(top) > low_.load(std::memory_order_relaxed);
    }
    bool push_is_private(const T* top) const noexcept {
        // relaxed: as above.
        return reinterpret_cast<std::uintptr_t>(top) < high_.load(std::memory_order_relaxed);
    }

    // Owner, slow path.
    std::size_t private_size(const T* top) const noexcept { return static_cast<std::size_t>(top - bottom_); }

    // Room for one more at `top`; moves the items down or, up to `limit` items, into a larger array. Returns the new
    // top, or nullptr if there is no room within the limit or no memory; the items are untouched then. If a move
    // throws, the private items are gone and the new top is bottom().
    T* make_room(T* top, std::size_t limit) {
        if (top < base_ + capacity() && private_size(top) < limit)
            return top;
        if (private_size(top) >= limit)
            return nullptr;
        return private_size(top) <= capacity() / 2 ? compact(top) : grow(top);
    }

    // Moves the oldest private items, up to `count`, to the shared part. False if it has no room now or count is 0.
    bool expose(T* top, std::size_t count) {
        count = std::min<std::size_t>({count, private_size(top), shared_.room()});
        if (count == 0)
            return false;
        T* const first = bottom_;
        bottom_ += count;  // first: if a move throws, the items are gone
        shared_.publish(first, static_cast<unsigned>(count));
        return true;
    }

    // When no private item is left: the private part starts over. Returns the new top.
    T* restart() noexcept {
        bottom_ = base_;
        return base_;
    }

    // After restart(): takes back up to `at_most` of the newest shared items. Returns the new top.
    T* take_back(unsigned at_most) { return base_ + shared_.take_newest(base_, at_most); }

    unsigned shared_size() const noexcept { return shared_.size(); }

    // Puts the marks back to the bounds of the array (M1). The caller then looks at who is hungry.
    void disarm(std::size_t limit) noexcept {
        const std::size_t room = std::min(capacity(), static_cast<std::size_t>(bottom_ - base_) + limit);
        // relaxed: ordered by the fence below.
        low_.store(reinterpret_cast<std::uintptr_t>(bottom_), std::memory_order_relaxed);
        // relaxed: as above.
        high_.store(reinterpret_cast<std::uintptr_t>(base_ + room), std::memory_order_relaxed);
        // seq_cst: M1 before H1 of the argument above; partner: the fence in ask().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }

    // After an expose or take_back that followed disarm(): the bottom moved, a request must survive.
    void bottom_moved() noexcept {
        std::uintptr_t seen = low_.load(std::memory_order_relaxed);  // relaxed: judged by the swap
        if (seen != armed_low)
            // relaxed: a private bound; if a thief armed it meanwhile, the swap fails and the request stands.
            low_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(bottom_), std::memory_order_relaxed,
                                         std::memory_order_relaxed);
    }

    // Owner: the next push, or pop, takes the slow path.
    void arm_push() noexcept {
        // relaxed: the owner reads it itself.
        high_.store(armed_high, std::memory_order_relaxed);
    }
    void arm_pop() noexcept {
        // relaxed: as above.
        low_.store(armed_low, std::memory_order_relaxed);
    }

    // Owner, or anybody after announcing that it is idle through ask(): the next push and pop take the slow path.
    void arm() noexcept {
        // relaxed: the fence in ask(), or being the owner, orders it.
        low_.store(armed_low, std::memory_order_relaxed);
        // relaxed: as above.
        high_.store(armed_high, std::memory_order_relaxed);
    }
    void ask() noexcept {
        // seq_cst: H2 before M2 of the argument above; partner: the fence in disarm().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // relaxed: after the fence an armed mark is one that the owner has not reset before it sees us idle.
        if (low_.load(std::memory_order_relaxed) != armed_low || high_.load(std::memory_order_relaxed) != armed_high)
            arm();
        // relaxed: a third mark, by the same argument; it may also be an old owner's, who then looks once in vain.
        atomic<std::uintptr_t>* const flag = request_flag_.load(std::memory_order_relaxed);
        // relaxed: see above.
        if (flag != nullptr && flag->load(std::memory_order_relaxed) != armed_low)
            // relaxed: see above.
            flag->store(armed_low, std::memory_order_relaxed);
    }
    // Owner, who has items elsewhere, too: another mark, which ask() sets to all ones; nullptr: no more. He puts it
    // back, and then goes through a fence, before he looks at who is hungry.
    // relaxed: a request before this is seen in the other marks.
    void set_request_flag(atomic<std::uintptr_t>* flag) noexcept {
        request_flag_.store(flag, std::memory_order_relaxed);
    }

    // Any thread: how many a thief could take now.
    unsigned visible() const noexcept { return shared_.size(); }

    // Thief: into its own deque `to`, after restart().
    typename shared_part<T>::taken steal_into(split_deque& to, unsigned shares) {
        return shared_.take_oldest(to.base_, shares);
    }

    // Owner: destroys private and shared items. Returns the new top.
    T* drop_all(T* top) noexcept {
        std::destroy(bottom_, top);
        bottom_ = base_;
        shared_.drop_all();
        return base_;
    }

    void check_invariants(const T* top) const noexcept {
        shared_.check_invariants();
        TEFF_CHECK(base_ <= bottom_ && bottom_ <= top && top <= base_ + capacity(), "split_deque",
                   "the private part left its array", "report this");
    }

private:
    static constexpr std::size_t initial_capacity = 2 * shared_part<T>::capacity;
    static constexpr std::uintptr_t armed_low = std::numeric_limits<std::uintptr_t>::max();
    static constexpr std::uintptr_t armed_high = 0;

    static constexpr std::size_t bytes(std::size_t items) noexcept { return items * sizeof(T); }
    std::size_t capacity() const noexcept { return capacity_; }

    bool allocate_array(std::size_t items) noexcept {
        void* memory = allocate(bytes(items), alignof(T));
        if (memory == nullptr)
            return false;
        base_ = static_cast<T*>(memory);
        capacity_ = items;
        return true;
    }

    T* compact(T* top) {
        const std::size_t count = private_size(top);
        T* const from = bottom_;
        bottom_ = base_;
        relocate(from, count, base_);
        return base_ + count;
    }

    T* grow(T* top) {
        const std::size_t count = private_size(top);
        T* const old_base = base_;
        T* const old_bottom = bottom_;
        const std::size_t old_capacity = capacity_;
        if (!allocate_array(2 * old_capacity))
            return nullptr;
        bottom_ = base_;
        try {
            relocate(old_bottom, count, base_);
        } catch (...) {
            deallocate(old_base, bytes(old_capacity), alignof(T));
            throw;
        }
        deallocate(old_base, bytes(old_capacity), alignof(T));
        return base_ + count;
    }

    // thieves write to ask, the owner to answer; read by the owner at every operation
    alignas(false_sharing_range) atomic<std::uintptr_t> low_{armed_low};
    atomic<std::uintptr_t> high_{armed_high};
    atomic<atomic<std::uintptr_t>*> request_flag_{nullptr};
    // owner writes
    alignas(false_sharing_range) T* base_ = nullptr;
    T* bottom_ = nullptr;
    std::size_t capacity_ = 0;
    shared_part<T> shared_;
};

}  // namespace teff
