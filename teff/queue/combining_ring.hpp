// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounded FIFO queue of pointers, one producer, many consumers. The consumers do not compete: one of them, the
// combiner, takes items for all (OMPi's TASK_QUEUE: S. Agathos, N. Kallimanis, V. Dimakopoulos, Speeding Up OpenMP
// Tasking, section 3, Fig. 3).
//
//                                   owner_enqueue  dequeue  may_have_items   safe together?
//   open, owner_enqueue, free_slots       -          yes         yes         (owner only)
//   dequeue                                          yes         yes         (each participant with its own node)
//   may_have_items                                               yes         (any thread)
// Construction, check_invariants() and destruction exclude everything; the destructor does not touch the items. Before
// open() a ring is empty and has no room.
//
// Only the owner writes top_, so an enqueue needs neither a read-modify-write nor a fence. bottom_ has one writer at a
// time, too: the combiner of a cc_synch, which serves all dequeues, including the owner's. Dequeues are served in the
// order in which they were queued, so no thief starves.
//
// A thread that finds the ring empty (dequeue, may_have_items) sees everything that the threads that took the items did
// before they asked for them: for example, their announcement that they are active. The chain: each taker links its
// request (release); the combiner reads the request (acquire) and raises bottom_ (release); the thread that finds the
// ring empty reads bottom_ (acquire).
//
// Nodes: each participant owns one combiner_node, from make_combiner_node(), and each open ring owns one. A dequeue
// exchanges the participant's node for the ring's. So nodes move between all rings that a participant takes from, but
// each participant and each ring always owns exactly one. In the end each participant frees the node that it has then
// (destroy_combiner_node), and each ring frees its own. A node refers to no ring, so the order does not matter.
//
// Differs from the paper: positions only grow, and are masked only to index a slot, so that all slots can be full; the
// owner caches bottom_ and the combiners cache top_, so that each side reads the other's cache line only when the ring
// seems full or empty to it; a dequeue first checks whether there is anything to take.
// Rejected: a combiner that raises bottom_ once for all requests that it served. It would have to delay the results
// that the other threads wait for.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/queue/cc_synch.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace teff {

struct dequeue_request {};
using ring_synch = cc_synch<dequeue_request, void*>;

// A participant needs one node to dequeue from rings of any item type. Returns nullptr if there is no memory.
using combiner_node = ring_synch::node;
[[nodiscard]] inline combiner_node* make_combiner_node() noexcept { return create<combiner_node>(); }
// For a participant that will not dequeue any more; nullptr is allowed.
inline void destroy_combiner_node(combiner_node* spare) noexcept { destroy(spare); }

template <class T>
class combining_ring {
    static_assert(std::is_pointer_v<T> && std::is_convertible_v<T, void*>, "items are pointers to objects");
    using slot = plain<T>;

public:
    static constexpr std::size_t max_capacity = std::size_t{1} << 20;
    static constexpr unsigned default_most_served = 64;

    combining_ring() noexcept = default;
    combining_ring(const combining_ring&) = delete;
    combining_ring& operator=(const combining_ring&) = delete;
    ~combining_ring() {
        if (slots_ != nullptr)
            deallocate(slots_, slot_count() * sizeof(slot), false_sharing_range);
    }

    // Owner, once. Makes room for `capacity` items, 1 to max_capacity. max_served: how many dequeues a combiner
    // performs before it hands the role over; at least 1. Returns false and changes nothing if there is no memory.
    bool open(std::size_t capacity, unsigned max_served = default_most_served) noexcept;

    // Owner. The item is not nullptr. Returns false if the ring is full.
    bool owner_enqueue(T item) noexcept {
        TEFF_ASSERT(item != nullptr, "nullptr means an empty ring");
        // relaxed: the owner's own value.
        const std::uint64_t top = top_.load(std::memory_order_relaxed);
        if (top - bottom_seen_ >= capacity_) [[unlikely]] {
            // acquire: the combiner's read of the slot happens before we overwrite it; partner: the release in
            // take_oldest().
            bottom_seen_ = bottom_.load(std::memory_order_acquire);
            if (top - bottom_seen_ >= capacity_)
                return false;
        }
        slots_[top & mask_].write(item);
        // release: publishes the item, and the ring to the other participants; partners: the acquires in take_oldest()
        // and may_have_items().
        top_.store(top + 1, std::memory_order_release);
        return true;
    }

    // Owner: at least this many slots are free, until its next enqueue.
    std::size_t free_slots() const noexcept {
        // relaxed, both: top_ is the owner's own value; bottom_ only grows. owner_enqueue() acquires bottom_ before it
        // relies on it, and by coherence reads no older value.
        return capacity_ - static_cast<std::size_t>(top_.load(std::memory_order_relaxed) -
                                                    bottom_.load(std::memory_order_relaxed));
    }

    // A participant: the oldest item, or nullptr if there is none. `spare` is its node; the call may replace it.
    // `counts` are its counts as a combiner; nullptr: not counted.
    T dequeue(combiner_node*& spare, combining_counts* counts = nullptr) noexcept {
        TEFF_ASSERT(spare != nullptr, "a participant without a node");
        if (!may_have_items())
            return nullptr;
        return static_cast<T>(
            dequeues_.apply(spare, {}, [this](dequeue_request) noexcept -> void* { return take_oldest(); }, counts));
    }

    // Any thread. False means that at some moment during the call, all items enqueued before the call had been taken.
    bool may_have_items() const noexcept {
        // acquire: the load of top_ below reads no older value than the combiner did, so equality means empty; and sees
        // what the threads that took the items did (see above). Partner: the release in take_oldest().
        const std::uint64_t bottom = bottom_.load(std::memory_order_acquire);
        // acquire: sees the ring itself, which the owner may have opened a moment ago, and the items; partner: the
        // release in owner_enqueue().
        return bottom != top_.load(std::memory_order_acquire);
    }

    void check_invariants() const noexcept {
        dequeues_.check_invariants();
        // relaxed, both: no other operation runs.
        const std::uint64_t bottom = bottom_.load(std::memory_order_relaxed);
        const std::uint64_t top = top_.load(std::memory_order_relaxed);
        TEFF_CHECK(top - bottom <= capacity_, "combining_ring", "more items than slots, or fewer than none",
                   "report this");
        TEFF_CHECK(bottom_seen_ <= bottom && bottom <= top_seen_ && top_seen_ <= top, "combining_ring",
                   "somebody has seen what is still to come", "report this");
        for (std::uint64_t at = bottom; at != top; ++at)
            TEFF_CHECK(slots_[at & mask_].read() != nullptr, "combining_ring", "a slot is empty", "report this");
    }

private:
    std::size_t slot_count() const noexcept { return static_cast<std::size_t>(mask_) + 1; }

    // The combiner.
    T take_oldest() noexcept {
        // relaxed: only combiners write it, and each combiner's accesses happen before the next one's.
        const std::uint64_t bottom = bottom_.load(std::memory_order_relaxed);
        if (bottom == top_seen_) {
            // acquire: sees the items before the new top; partner: the release in owner_enqueue().
            top_seen_ = top_.load(std::memory_order_acquire);
            if (bottom == top_seen_)
                return nullptr;
        }
        const T item = slots_[bottom & mask_].read();
        // release: our read of the slot happens before the owner reuses it, and a thread that finds the ring empty sees
        // what we and the takers did; partners: the acquires in owner_enqueue() and may_have_items().
        bottom_.store(bottom + 1, std::memory_order_release);
        return item;
    }

    // constant after open()
    slot* slots_ = nullptr;
    std::uint64_t mask_ = 0;
    std::size_t capacity_ = 0;
    // owner writes
    alignas(false_sharing_range) atomic<std::uint64_t> top_{0};  // how many were ever enqueued
    std::uint64_t bottom_seen_ = 0;
    // combiner writes
    alignas(false_sharing_range) atomic<std::uint64_t> bottom_{0};  // how many were ever dequeued
    std::uint64_t top_seen_ = 0;
    // participants write
    ring_synch dequeues_;
};

template <class T>
bool combining_ring<T>::open(std::size_t capacity, unsigned max_served) noexcept {
    TEFF_ASSERT(slots_ == nullptr, "a ring is opened once");
    TEFF_ASSERT(capacity >= 1 && capacity <= max_capacity, "a capacity that no ring has");
    const std::size_t count = std::bit_ceil(capacity);
    void* const memory = allocate(count * sizeof(slot), false_sharing_range);
    if (memory == nullptr)
        return false;
    if (!dequeues_.open(max_served)) {
        deallocate(memory, count * sizeof(slot), false_sharing_range);
        return false;
    }
    slots_ = static_cast<slot*>(memory);
    std::uninitialized_value_construct_n(slots_, count);
    mask_ = count - 1;
    capacity_ = capacity;
    return true;
}

}  // namespace teff
