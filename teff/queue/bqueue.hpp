// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounded FIFO queue from one producer to one consumer: B-queue (Wang, Zhang, Tang, Hua, IJPP 41, 2013), the building
// block of XQueue (X-OpenMP, section 3).
//
//                     try_push  front, pop_front  may_have_items    safe together?
//   try_push, has_room   -            yes              yes          (producer only)
//   front, pop_front                   -               yes          (consumer only)
//   may_have_items                                     yes          (any thread; so is capacity)
// open, check_invariants, construction and destruction exclude everything. Each role may pass to another thread if
// something else orders the old thread's accesses before the new one's. One thread may have both roles. An item's move
// constructor must not call the producer's functions, and its destructor must not call the consumer's.
//
// The queue is a ring of slots, each empty or full. There is no lock, no read-modify-write and no fence, and neither
// end reads the other's position: each end finds a run of slots that are ready for it, uses it up without further
// checks, and then finds the next run. Slots are filled in order and emptied in order. So if the n-th slot from the
// producer's position on is empty (n <= capacity), the slots before it are empty, too; and if the n-th slot from the
// consumer's position on is full, the slots before it are full. One probe of the last slot therefore answers for a
// whole run. The probe is an acquire load and also orders the whole run: in program order, the other end changed the
// earlier slots before its release store to this one.
//
// Differs from the paper: (1) An end that has used up its run tries runs of 1, 2, 4, ... up to a batch; the paper tries
// the batch first and halves it. Both find the same run, so a partial batch never blocks and every slot of a nearly
// full ring is used. But a probe of an empty or full queue, which is frequent in a scheduler with many queues,
// costs one load here and 1 + log2(batch) loads there. (2) There is no waiting between two tries: a consumer that has
// other queues to look at should do that, and waiting made nothing faster. (3) Runs end at the end of the ring, so that
// positions are pointers, without masks. (4) Items may be values; then each slot has a flag. (Slots of pointers need
// none: nullptr means empty.)
// Rejected: prefetching a run for writing (the other end may still use those slots; slower); wider flags (no faster).
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/queue/bqueue_slot.hpp>

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace teff {

// T: a type that can be moved or copied and whose destructor does not throw, or a pointer.
template <class T>
class bqueue {
    using slot = bqueue_slot<T>;

public:
    static constexpr std::size_t max_capacity = std::size_t{1} << 20;
    using claimed = typename slot::claimed;  // T* for values; T for pointers

    // The queue is closed: it is empty and refuses every push.
    bqueue() noexcept = default;
    ~bqueue();
    bqueue(const bqueue&) = delete;
    bqueue& operator=(const bqueue&) = delete;

    // Call once, one of these two. capacity: a power of two, 2 to max_capacity; batch: a power of two, at most
    // capacity / 2. The consumer should call this, since the caller is the first to touch the ring. The first one
    // allocates the ring, and returns false and leaves the queue closed if there is no memory. The second one is given
    // ring_bytes(capacity) bytes with `alignment`, which stay the caller's and must outlive the queue.
    bool open(std::size_t capacity, std::size_t batch) noexcept;
    void open(std::size_t capacity, std::size_t batch, void* memory) noexcept;

    // Producer. Moves or copies the item in. Returns false and leaves the item untouched if the queue is full or
    // closed. Passes on what T's move or copy throws; the queue is then unchanged. A pointer must not be null.
    template <class Given>
    bool try_push(Given&& item) {
        slot* to = write_;
        if (to == write_end_) [[unlikely]] {
            to = find_empty();
            if (to == nullptr)
                return false;
        }
        to->fill(std::forward<Given>(item));
        write_ = to + 1;
        return true;
    }

    // Producer. Whether the next try_push() finds room.
    bool has_room() noexcept { return write_ != write_end_ || find_empty() != nullptr; }

    // Consumer. The oldest item (a pointer item itself, or the address of a value), or nullptr if there is none. The
    // item belongs to the consumer until pop_front(); the consumer may move from it.
    claimed front() noexcept {
        // relaxed: the consumer's own value.
        slot* from = read_.load(std::memory_order_relaxed);
        if (from == read_end_) [[unlikely]] {
            from = find_full();
            if (from == nullptr)
                return nullptr;
        }
        return from->item();
    }

    // Consumer, after front() returned an item: destroys that item (if it is a value) and frees its slot.
    void pop_front() noexcept {
        // relaxed: the consumer's own value.
        slot* const from = read_.load(std::memory_order_relaxed);
        TEFF_ASSERT(from != read_end_, "pop_front() without front()");
        // relaxed: published by the release in clear(), which therefore follows it; partner: the acquire in
        // may_have_items().
        read_.store(from + 1, std::memory_order_relaxed);
        from->clear();
    }

    // Any thread. True is a hint. False means that pop_front() has begun for every item whose push happened before this
    // call.
    bool may_have_items() const noexcept;

    // Any thread. 0 if the queue is closed.
    std::size_t capacity() const noexcept { return consumer_ring_.size(); }
    // The memory of one open queue, including this object; the memory of its ring alone, and how it is aligned.
    static constexpr std::size_t bytes(std::size_t capacity) noexcept { return sizeof(bqueue) + ring_bytes(capacity); }
    static constexpr std::size_t alignment = larger(alignof(slot), false_sharing_range);
    static constexpr std::size_t ring_bytes(std::size_t capacity) noexcept {
        return (capacity * sizeof(slot) + alignment - 1) / alignment * alignment;
    }

    void check_invariants() const noexcept;

private:
    static_assert(std::is_trivially_destructible_v<slot>, "the ring is freed without a look at its slots");

    // Constant after open(). Each end has a copy beside its own positions, so that a look at the queue takes no third
    // line.
    struct ring {
        slot* begin = nullptr;
        slot* end = nullptr;
        std::size_t batch = 0;

        std::size_t size() const noexcept { return static_cast<std::size_t>(end - begin); }
        // A position may reach the end; it wraps to the beginning only here, when the next run begins. (In a closed
        // queue all positions are nullptr.)
        template <class Slot>
        Slot* wrapped(Slot* position) const noexcept {
            return position == end ? begin : position;
        }
        template <class IsReady>
        std::size_t run_from(const slot* first, IsReady&& is_ready) const noexcept {
            const std::size_t most = smaller(batch, static_cast<std::size_t>(end - first));
            std::size_t found = 0;
            for (std::size_t next = 1; next <= most && is_ready(first[next - 1]); next *= 2)
                found = next;
            return found;
        }
    };
    slot* find_empty() noexcept;
    slot* find_full() noexcept;

    // producer alone: the next slot to fill, and the end of the run of slots that it knows to be empty
    alignas(false_sharing_range) slot* write_ = nullptr;
    slot* write_end_ = nullptr;
    ring producer_ring_;
    // consumer writes, any thread may read read_ and the ring: the next slot to empty, and the end of the run of slots
    // that the consumer knows to be full
    alignas(false_sharing_range) atomic<slot*> read_{nullptr};
    slot* read_end_ = nullptr;
    ring consumer_ring_;
    bool owns_ring_ = false;
};

template <class T>
bqueue<T>::~bqueue() {
    if constexpr (!std::is_trivially_destructible_v<T>)
        while (front() != nullptr)
            pop_front();
    if (owns_ring_)
        deallocate(consumer_ring_.begin, ring_bytes(capacity()), alignment);
}

template <class T>
bool bqueue<T>::open(std::size_t capacity, std::size_t batch) noexcept {
    void* const memory = allocate(ring_bytes(capacity), alignment);
    if (memory == nullptr)
        return false;
    open(capacity, batch, memory);
    owns_ring_ = true;
    return true;
}

template <class T>
void bqueue<T>::open(std::size_t capacity, std::size_t batch, void* memory) noexcept {
    TEFF_ASSERT(consumer_ring_.begin == nullptr, "a queue was opened twice");
    TEFF_ASSERT(std::has_single_bit(capacity) && capacity >= 2 && capacity <= max_capacity, "no such capacity");
    TEFF_ASSERT(std::has_single_bit(batch) && batch <= capacity / 2, "no such batch");
    static_assert(sizeof(bqueue) == 2 * false_sharing_range, "producer and consumer share lines");
    auto* const first = static_cast<slot*>(memory);
    consumer_ring_ = {.begin = first, .end = first + capacity, .batch = batch};
    producer_ring_ = consumer_ring_;
    // Writes zeros to the whole ring, including the storage of the items.
    for (slot* each = first; each != consumer_ring_.end; ++each) {
        ::new (static_cast<void*>(each)) slot();
        // The producer may be another thread.
        sanitizers::happens_before(each->word());
    }
    write_ = write_end_ = read_end_ = first;
    // relaxed: no other thread uses the queue yet.
    read_.store(first, std::memory_order_relaxed);
}

// Producer: the first slot of a run of empty slots, or nullptr. A call that finds nothing writes nothing, here and in
// find_full(): failing calls are frequent.
template <class T>
[[gnu::noinline]] typename bqueue<T>::slot* bqueue<T>::find_empty() noexcept {
    slot* const to = producer_ring_.wrapped(write_);
    // acquire: the consumer's uses of the items in the slots up to this one happen before we fill them; partner: the
    // release of its clear() of this slot.
    const auto is_empty = [](const slot& last) { return !last.is_full(std::memory_order_acquire); };
    const std::size_t found = producer_ring_.run_from(to, is_empty);
    if (found == 0)
        return nullptr;
    sanitizers::happens_after(to[found - 1].word());
    write_ = to;  // stored before the item is constructed there, which may throw
    write_end_ = to + found;
    return to;
}

// Consumer: the first slot of a run of full slots, or nullptr.
template <class T>
[[gnu::noinline]] typename bqueue<T>::slot* bqueue<T>::find_full() noexcept {
    // relaxed: the consumer's own value.
    slot* const from = consumer_ring_.wrapped(read_.load(std::memory_order_relaxed));
    // acquire: the producer's fills of the slots up to this one, and what it did before them, happen before we use the
    // items; partner: the release of its fill() of this slot.
    const auto is_full = [](const slot& last) { return last.is_full(std::memory_order_acquire); };
    const std::size_t found = consumer_ring_.run_from(from, is_full);
    if (found == 0)
        return nullptr;
    sanitizers::happens_after(from[found - 1].word());
    // relaxed: this only replaces the ring's end by its beginning, which may_have_items() treats as the same position.
    read_.store(from, std::memory_order_relaxed);
    read_end_ = from + found;
    return from;
}

// If the slot at the consumer's position is empty, either the consumer has emptied it, or no push that happened before
// this call has filled it. In the first case the second load of the position sees that it has moved on, and the loop
// checks the slot at the new position. In the second case there are no items.
template <class T>
bool bqueue<T>::may_have_items() const noexcept {
    // relaxed: the second load below detects an outdated position.
    const slot* at = read_.load(std::memory_order_relaxed);
    for (;;) {
        const slot* const place = consumer_ring_.wrapped(at);
        // acquire: if the consumer has emptied the slot, the second load sees that its position has moved on; partner:
        // the release in clear(), which follows the store of the position.
        if (place == nullptr || place->is_full(std::memory_order_acquire))
            return place != nullptr;
        // relaxed: ordered by the acquire above.
        const slot* const now = read_.load(std::memory_order_relaxed);
        if (now == at)
            return false;
        at = now;
    }
}

template <class T>
void bqueue<T>::check_invariants() const noexcept {
    const auto require = [](bool condition, const char* cause) {
        TEFF_CHECK(condition, "bqueue", cause, "report this");
    };
    const auto& [begin, end, batch] = consumer_ring_;
    require(producer_ring_.begin == begin && producer_ring_.end == end && producer_ring_.batch == batch,
            "the ends know different rings");
    // relaxed, here and below: no other operation runs.
    const slot* const read = read_.load(std::memory_order_relaxed);
    const auto is_run = [&](const slot* first, const slot* last) {
        return begin <= first && first <= last && last <= end && static_cast<std::size_t>(last - first) <= batch;
    };
    require(is_run(read, read_end_) && is_run(write_, write_end_), "a run left the ring or its batch");
    const auto is_full = [](const slot& each) { return each.is_full(std::memory_order_relaxed); };
    const auto all_are = [&](bool full, const slot* from, const slot* to) {
        while (from != to && is_full(*from) == full)
            ++from;
        return from == to;
    };
    require(all_are(true, read, read_end_), "the consumer's run has an empty slot");
    require(all_are(false, write_, write_end_), "the producer's run has a full slot");
    const slot* const first = consumer_ring_.wrapped(read);
    const slot* const next = consumer_ring_.wrapped(static_cast<const slot*>(write_));
    // The full slots are those from the consumer's position to the producer's. If the positions are equal, all slots
    // are full or none is.
    const bool turned = next < first || (next == first && first != nullptr && is_full(*first));
    const slot* const low = turned ? next : first;
    const slot* const high = turned ? first : next;
    require(all_are(turned, begin, low) && all_are(!turned, low, high) && all_are(turned, high, end),
            "full and empty slots are mixed");
}

}  // namespace teff
