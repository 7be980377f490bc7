// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs in deques, queues and lists; see seeded_bugs.hpp. Items are numbers; a thread that gets one calls model::take().
//
// Two threads that access plain memory without order are a race at once. Where a stale or doubled item is what the
// checker should see, the slots are therefore atomic and relaxed.
#include "seeded_bugs.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace {

using scenarios::passes;
using scenarios::seeded_bug;
using scenarios::with;

// --- Deques that thieves share with their owner (Chase and Lev, SPAA 2005) ---

constexpr unsigned nothing = ~0U;

// A deque of fixed size. pop() lowers `bottom` and then looks at `top`; a thief looks at `top` and then at `bottom`.
// With a fence in between on both sides, one of them sees the other. Without the owner's fence both may take the same
// item: the owner reads an old `top`, believes that an older item is left, and takes its own without a
// compare-and-swap.
template <with Fence>
class chase_lev {
public:
    void push(unsigned item) noexcept {
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        slot(bottom).store(item, std::memory_order_relaxed);
        bottom_.store(bottom + 1, std::memory_order_release);
    }

    unsigned pop() noexcept {
        const std::int64_t last = bottom_.load(std::memory_order_relaxed) - 1;
        bottom_.store(last, std::memory_order_relaxed);
        if constexpr (Fence == with::care)
            teff::atomic_thread_fence(std::memory_order_seq_cst);
        std::int64_t top = top_.load(std::memory_order_relaxed);
        unsigned item = nothing;
        if (top <= last)
            item = slot(last).load(std::memory_order_relaxed);
        if (top < last)
            return item;
        if (top == last &&
            !top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
            item = nothing;
        bottom_.store(last + 1, std::memory_order_relaxed);
        return item;
    }

    unsigned steal() noexcept {
        std::int64_t top = top_.load(std::memory_order_acquire);
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (top >= bottom_.load(std::memory_order_acquire))
            return nothing;
        const unsigned item = slot(top).load(std::memory_order_relaxed);
        const bool won =
            top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
        return won ? item : nothing;
    }

private:
    teff::atomic<unsigned>& slot(std::int64_t index) noexcept { return slots_[static_cast<std::size_t>(index) % 4]; }

    teff::atomic<std::int64_t> top_{0}, bottom_{0};
    std::array<teff::atomic<unsigned>, 4> slots_;
};

void take_if_any(unsigned item) noexcept {
    if (item != nothing)
        model::take(item);
}

template <with Fence>
void deque_without_fence_in_pop() {
    chase_lev<Fence> deque;
    deque.push(0);
    deque.push(1);
    model::parallel(
        [&] {
            take_if_any(deque.pop());
            take_if_any(deque.pop());
        },
        [&] {
            take_if_any(deque.steal());
            take_if_any(deque.steal());
        });
    for (unsigned item = deque.pop(); item != nothing; item = deque.pop())
        model::take(item);
    model::expect_taken_once(2);
}

// A deque that grows: the owner copies the items to a larger buffer, and old buffers live as long as the deque. A thief
// that takes several items reads the buffer's address once, before the first. An item that was pushed after the growth
// is not in the old buffer, whose slot still holds an item that was taken before. With care the thief reads the address
// after each look at `bottom`.
template <with Look>
class growing_deque {
public:
    growing_deque() noexcept : buffers_{teff::create<buffer>(2U)} {
        buffer_.store(buffers_[0], std::memory_order_relaxed);
    }
    ~growing_deque() {
        for (unsigned i = 0; i < buffer_count_; ++i)
            teff::destroy(buffers_[i]);
    }

    void push(unsigned item) noexcept {
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        const std::int64_t top = top_.load(std::memory_order_acquire);
        if (bottom - top == buffers_[buffer_count_ - 1]->capacity)
            grow(top, bottom);
        buffers_[buffer_count_ - 1]->slot(bottom).store(item, std::memory_order_relaxed);
        bottom_.store(bottom + 1, std::memory_order_release);
    }

    // Calls taken(item) for up to `most` items.
    template <class Taken>
    void steal_some(unsigned most, Taken&& taken) noexcept {
        buffer* from = buffer_.load(std::memory_order_acquire);
        for (unsigned i = 0; i < most; ++i) {
            std::int64_t top = top_.load(std::memory_order_acquire);
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            if (top >= bottom_.load(std::memory_order_acquire))
                return;
            if constexpr (Look == with::care)
                from = buffer_.load(std::memory_order_acquire);
            const unsigned item = from->slot(top).load(std::memory_order_relaxed);
            if (top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
                taken(item);
        }
    }

private:
    struct buffer {
        explicit buffer(unsigned size) noexcept : capacity(size) {}
        teff::atomic<unsigned>& slot(std::int64_t index) noexcept {
            return slots[static_cast<std::size_t>(index) % capacity];
        }
        const unsigned capacity;
        std::array<teff::atomic<unsigned>, 4> slots;
    };

    void grow(std::int64_t top, std::int64_t bottom) noexcept {
        buffer* const old = buffers_[buffer_count_ - 1];
        buffer* const larger = teff::create<buffer>(2 * old->capacity);
        for (std::int64_t i = top; i < bottom; ++i)
            larger->slot(i).store(old->slot(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
        buffers_[buffer_count_++] = larger;
        buffer_.store(larger, std::memory_order_release);
    }

    teff::atomic<std::int64_t> top_{0}, bottom_{0};
    teff::atomic<buffer*> buffer_;
    std::array<buffer*, 2> buffers_;
    unsigned buffer_count_ = 1;
};

template <with Look>
void deque_with_stale_buffer() {
    growing_deque<Look> deque;
    deque.push(0);
    deque.push(1);
    const auto thief = [&] { deque.steal_some(3, [](unsigned item) { model::take(item); }); };
    model::parallel([&] { deque.push(2); }, thief);
    thief();
    model::expect_taken_once(3);
}

// --- Queues and lists whose memory is used again ---

// A block of two slots that its owner fills again and again. A thief claims a slot and then moves the item out. The
// owner reuses the block when both slots are claimed, while a thief may still be reading. With care it waits for the
// moves, which are counted. (Indices only rise, so that a claim of an earlier round fails.)
template <with Reuse>
class block_queue {
public:
    bool push(unsigned item) noexcept {
        const unsigned filled = filled_.load(std::memory_order_relaxed);
        const bool full = filled % slots == 0;
        if (full && (Reuse == with::care ? moved_ : claimed_).load(std::memory_order_acquire) != filled)
            return false;
        items_[filled % slots].write(item);
        filled_.store(filled + 1, std::memory_order_release);
        return true;
    }

    unsigned steal() noexcept {
        unsigned index = claimed_.load(std::memory_order_relaxed);
        do {
            if (index >= filled_.load(std::memory_order_acquire))
                return nothing;
        } while (!claimed_.compare_exchange_weak(index, index + 1, std::memory_order_acq_rel,
                                                 std::memory_order_acquire));
        const unsigned item = items_[index % slots].read();
        moved_.fetch_add(1, std::memory_order_release);
        return item;
    }

private:
    static constexpr unsigned slots = 2;
    teff::atomic<unsigned> filled_{0}, claimed_{0}, moved_{0};
    std::array<teff::plain<unsigned>, slots> items_;
};

template <with Reuse>
void block_used_again_too_early() {
    block_queue<Reuse> queue;
    model::check(queue.push(0) && queue.push(1), "an empty queue has no room");
    bool pushed = false;
    const auto thief = [&] { take_if_any(queue.steal()); };
    model::parallel([&] { pushed = queue.push(2); }, thief, thief);
    for (unsigned item = queue.steal(); item != nothing; item = queue.steal())
        model::take(item);
    model::expect_taken_once(pushed ? 3 : 2);
}

// A list of free nodes. Between pop()'s read of a node's successor and its exchange of the head, others may have popped
// both and put the first one back (ABA). The head is then as it was, and the successor, which another thread owns,
// becomes the head. With care the head carries a count of its changes.
template <with Count>
class free_list {
public:
    static constexpr unsigned nodes = 2;

    void push(unsigned node) noexcept {
        std::uint64_t head = head_.load(std::memory_order_relaxed);
        do {
            next_[node].store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
        } while (!head_.compare_exchange_weak(head, changed(head, node), std::memory_order_release,
                                              std::memory_order_relaxed));
    }

    unsigned pop() noexcept {
        std::uint64_t head = head_.load(std::memory_order_acquire);
        for (;;) {
            const auto node = static_cast<std::uint32_t>(head);
            if (node == nothing)
                return nothing;
            const std::uint32_t next = next_[node].load(std::memory_order_relaxed);
            if (head_.compare_exchange_weak(head, changed(head, next), std::memory_order_acquire,
                                            std::memory_order_acquire))
                return node;
        }
    }

private:
    static constexpr std::uint64_t changed(std::uint64_t head, std::uint32_t node) noexcept {
        const std::uint64_t count = Count == with::care ? (head >> 32) + 1 : 0;
        return count << 32 | node;
    }

    teff::atomic<std::uint64_t> head_{nothing};
    std::array<teff::atomic<std::uint32_t>, nodes> next_;
};

template <with Count>
void free_list_with_old_head() {
    free_list<Count> list;
    std::array<teff::atomic<bool>, list.nodes> owned{};
    const auto pop = [&] {
        const unsigned node = list.pop();
        model::check(node == nothing || !owned[node].exchange(true, std::memory_order_relaxed),
                     "a node has two owners");
        return node;
    };
    const auto push = [&](unsigned node) {
        if (node == nothing)
            return;
        owned[node].store(false, std::memory_order_relaxed);
        list.push(node);
    };
    list.push(1);
    list.push(0);
    model::parallel([&] { pop(); },
                    [&] {
                        const unsigned first = pop();
                        pop();
                        push(first);
                    });
    while (pop() != nothing) {
    }
}

using enum with;

constexpr seeded_bug all[] = {
    {"deque_without_fence_in_pop", deque_without_fence_in_pop<mistake>, "was taken twice", true},
    {"deque_with_fence_in_pop", deque_without_fence_in_pop<care>, passes, true},
    {"deque_with_stale_buffer", deque_with_stale_buffer<mistake>, "was taken twice", false},
    {"deque_with_current_buffer", deque_with_stale_buffer<care>, passes, true},

    {"block_used_again_too_early", block_used_again_too_early<mistake>, "data race", false},
    {"block_used_again_in_time", block_used_again_too_early<care>, passes, true},
    {"free_list_with_old_head", free_list_with_old_head<mistake>, "a node has two owners", false},
    {"free_list_with_counted_head", free_list_with_old_head<care>, passes, true},
};

}  // namespace

namespace scenarios {

std::span<const seeded_bug> seeded_queues() { return all; }

}  // namespace scenarios
