// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The deque of the scheduler `demand`: a private LIFO array in front, a shared part behind it.
//
//   base ... bottom [ oldest  private items  newest ] top ... end        shared part: [ older items ]
//
// The owner pushes and pops at `top`, which it keeps in a register: one plain compare with a mark, one plain load or
// store of the item. No other thread accesses the private part. Two marks, `low` and `high`, are the bounds of the
// private part and also carry requests: a thief that asks for work overwrites (arms) them with values that make the
// compare of every push and every pop fail. So noticing a request costs the fast path nothing. The slow path resets
// the marks.
//                   owner's operations  ask   steal, visible    safe together?
//   owner's              -              yes       yes           one owner at a time; includes set_request_flag()
//   ask                                 yes       yes
//   steal, visible                                yes
// A request is not lost. The owner resets the marks (M1), executes a seq_cst fence, and reads whether any worker is
// idle (H1). The thief announces that it is idle (H2), executes a seq_cst fence, and writes the marks (M2). If H1 does
// not see H2, the owner's fence comes first in the single total order. Then M2 is later than M1 in the marks'
// modification order, and the owner's next push or pop takes the slow path.
// Rejected: a separate request flag beside the bounds (a second compare in push and pop); a Chase-Lev deque (a fence in
// pop).
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

    // Owner. Allocates the first array; returns false if there is no memory. The marks start armed, so that the first
    // operation takes the slow path and checks for idle workers.
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
        // relaxed: the owner may see a request one operation later; nothing is read through the mark.
        return reinterpret_cast<std::uintptr_t>(top) > low_.load(std::memory_order_relaxed);
    }
    bool push_is_private(const T* top) const noexcept {
        // relaxed: as above.
        return reinterpret_cast<std::uintptr_t>(top) < high_.load(std::memory_order_relaxed);
    }

    // Owner, slow path.
    std::size_t private_size(const T* top) const noexcept { return static_cast<std::size_t>(top - bottom_); }

    // Makes room for one more item at `top`: at the end of the array, moves the items down or into a larger array.
    // Returns the new top, or nullptr if there are `limit` items or there is no memory; the items are untouched then.
    // If a move throws, the private items are destroyed and the new top is bottom().
    T* make_room(T* top, std::size_t limit) {
        if (top < base_ + capacity() && private_size(top) < limit)
            return top;
        if (private_size(top) >= limit)
            return nullptr;
        return private_size(top) <= capacity() / 2 ? compact(top) : grow(top);
    }

    // Moves up to `count` of the oldest private items to the shared part. Returns false if it moved none: there are no
    // private items, the shared part has no room now, or count is 0.
    bool expose(T* top, std::size_t count) {
        count = std::min<std::size_t>({count, private_size(top), shared_.room()});
        if (count == 0)
            return false;
        T* const first = bottom_;
        bottom_ += count;  // before publish(): if a move throws, the items are destroyed
        shared_.publish(first, static_cast<unsigned>(count));
        return true;
    }

    // Call when there are no private items: the private part starts again at the array's begin. Returns the new top.
    T* restart() noexcept {
        bottom_ = base_;
        return base_;
    }

    // After restart(): takes back up to `at_most` of the newest shared items. Returns the new top.
    T* take_back(unsigned at_most) { return base_ + shared_.take_newest(base_, at_most); }

    unsigned shared_size() const noexcept { return shared_.size(); }

    // Resets the marks to the bounds of the private part, which may hold `limit` items (M1). The caller must check for
    // idle workers afterwards (H1).
    void disarm(std::size_t limit) noexcept {
        const std::size_t room = std::min(capacity(), static_cast<std::size_t>(bottom_ - base_) + limit);
        // relaxed: ordered by the fence below.
        low_.store(reinterpret_cast<std::uintptr_t>(bottom_), std::memory_order_relaxed);
        // relaxed: as above.
        high_.store(reinterpret_cast<std::uintptr_t>(base_ + room), std::memory_order_relaxed);
        // seq_cst: orders M1 before H1 (the argument at the top of the file); partner: the fence in ask().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }

    // Call after an expose() or take_back() that followed disarm(): sets the low mark to the new bottom, but keeps a
    // request.
    void bottom_moved() noexcept {
        std::uintptr_t seen = low_.load(std::memory_order_relaxed);  // relaxed: the swap validates it
        if (seen != armed_low)
            // relaxed: only the owner uses the bound; if a thief has armed it since, the swap fails and the request
            // stays.
            low_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(bottom_), std::memory_order_relaxed,
                                         std::memory_order_relaxed);
    }

    // Owner: makes its next push (arm_push) or pop (arm_pop) take the slow path.
    void arm_push() noexcept {
        // relaxed: only the owner has to see it.
        high_.store(armed_high, std::memory_order_relaxed);
    }
    void arm_pop() noexcept {
        // relaxed: as above.
        low_.store(armed_low, std::memory_order_relaxed);
    }

    // Makes the owner's next push and pop take the slow path. Only the owner calls this directly; other threads call
    // ask().
    void arm() noexcept {
        // relaxed: the fence in ask() orders it; the owner's own call needs no order.
        low_.store(armed_low, std::memory_order_relaxed);
        // relaxed: as above.
        high_.store(armed_high, std::memory_order_relaxed);
    }
    // Any thread that has announced that it is idle: asks the owner for work.
    void ask() noexcept {
        // seq_cst: orders H2 before M2 (the argument at the top of the file); partner: the fence in disarm().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // relaxed: if a mark is already armed after the fence, the owner has yet to reset it, and its check for idle
        // workers after the reset will see us.
        if (low_.load(std::memory_order_relaxed) != armed_low || high_.load(std::memory_order_relaxed) != armed_high)
            arm();
        // relaxed: a third mark, by the same argument. It may belong to a former owner, which then checks once in vain.
        atomic<std::uintptr_t>* const flag = request_flag_.load(std::memory_order_relaxed);
        // relaxed: see above.
        if (flag != nullptr && flag->load(std::memory_order_relaxed) != armed_low)
            // relaxed: see above.
            flag->store(armed_low, std::memory_order_relaxed);
    }
    // For an owner that has items elsewhere, too: registers another mark, which ask() sets to all ones; nullptr removes
    // it. The owner must reset this mark and then execute a seq_cst fence before it checks for idle workers.
    // relaxed: the owner sees an earlier request in the other two marks.
    void set_request_flag(atomic<std::uintptr_t>* flag) noexcept {
        request_flag_.store(flag, std::memory_order_relaxed);
    }

    // Any thread: how many items thieves could take now.
    unsigned visible() const noexcept { return shared_.size(); }

    // Thief: takes items into its own deque `to`, after to.restart().
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

    // thieves write to ask for work, the owner writes to answer; the owner reads them at every operation
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
