// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XQueue: one queue for each pair of a producer and a consumer, so that each queue can be a B-queue (X-OpenMP,
// section 3).
//
// Each worker has an xqueue: its master queue, into which it pushes itself, and one auxiliary queue for each other
// worker. It consumes from the master queue first, then from the queue that, according to the hint of section 3.2, was
// pushed to last, and then from the others in turn.
//
//                    push   front, pop_front   may_have_items     safe together?
//   push, has_room    -           yes               yes           one thread per producer
//   front, pop_front              -                 yes           one thread per consumer; pop_front after a front;
//                                                                 front_among is a front
//   may_have_items                                  yes           any thread; a hint
//   open                                                          the consumer; no thread may push before is_open()
// Construction and destruction exclude everything; the destructor destroys the remaining items.
//
// The thread that first consumes from an xqueue allocates its memory, all of its queues in one block, and touches it
// first. Where threads are bound to CPUs the block is `local`: it lies on pages of its own (placement.hpp), on the
// NUMA node of the consumer. If a consumer on another node takes the xqueue over, the pages move there. Otherwise the
// memory is malloc's, which hands out memory that other threads have used: binding memory to threads that move between
// nodes would achieve nothing.
//
// With N queues for each of N workers, memory would grow with the square of N. `reach` bounds it: a consumer has queues
// for itself and for the reach - 1 workers whose numbers are nearest to its own on both sides, when all numbers are
// arranged in a ring. Depending on the size of the items, up to tens or hundreds of workers reach each other directly
// (docs/schedulers.md has a table). In larger teams work reaches distant workers in several steps, because the items
// that a task pushes start from the worker that runs the task.
//
// No item starves if the work is finite: an item waits until its consumer consumes, and then until the master queue and
// the hinted queue are empty, which other threads may refill repeatedly, but not for ever.
//
// Differs from the paper: (1) Items lie in the queues by value, not as pointers to tasks. (2) A worker includes its own
// master queue in its round of pushes. In algorithm 1 it never does, so a single worker could not push at all.
// (3) The hint belongs to the consumer, and is the number of its queue.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/machine/placement.hpp>
#include <teff/queue/bqueue.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace teff {

// The queues of one worker, numbered by the producer's distance from it in the ring of workers; 0 is the master queue.
template <class T>
class alignas(false_sharing_range) xqueue {
    // In a B-queue of pointers nullptr means an empty slot; here nullptr is a valid item, so pointers are wrapped.
    struct boxed {
        explicit boxed(T given) noexcept : item(given) {}
        T item;
    };
    using queue = bqueue<std::conditional_t<std::is_pointer_v<T>, boxed, T>>;

public:
    static constexpr std::size_t bytes_per_queue(std::size_t capacity) noexcept { return queue::bytes(capacity); }

    xqueue() noexcept = default;
    xqueue(const xqueue&) = delete;
    xqueue& operator=(const xqueue&) = delete;
    ~xqueue() {
        if (queues_ == nullptr)
            return;
        // For trivial items the queues' destructors would only load lines, and a team has N x N queues.
        if constexpr (!std::is_trivially_destructible_v<T>)
            end_lives(queues_, queues_ + count_);
        if (is_local_)
            local_pages::unmap(memory_, bytes_);
        else
            deallocate(memory_, bytes_, queue::alignment);
    }

    // Returns false if there is no memory. If the xqueue is open already, only moves a local one to the caller's node.
    // count: 1 or more; capacity, batch: as for bqueue. local: the memory is to lie near the caller, which is bound to
    // a CPU.
    bool open(unsigned count, std::size_t capacity, std::size_t batch, bool local = false) noexcept {
        if (is_open()) {
            if (is_local_)
                follow_consumer();
            return true;
        }
        bytes_ = count * bytes_per_queue(capacity);
        // Items with an alignment above a page's are rare, and local_pages cannot hold them.
        is_local_ = local && queue::alignment <= local_pages::page_size();
        memory_ = is_local_ ? local_pages::map(bytes_) : allocate(bytes_, queue::alignment);
        if (memory_ == nullptr)
            return false;
        if (is_local_)
            node_ = local_pages::current_node();
        // The rings come first. Their sizes are multiples of their alignment, so the queues behind are aligned, too.
        auto* const rings = static_cast<std::byte*>(memory_);
        static_assert(queue::alignment % alignof(queue) == 0);
        auto* const made = reinterpret_cast<queue*>(rings + count * queue::ring_bytes(capacity));
        begin_lives(made, count);
        for (unsigned i = 0; i < count; ++i)
            made[i].open(capacity, batch, rings + i * queue::ring_bytes(capacity));
        count_ = count;
        queues_ = made;
        // release: publishes the queues; partner: the acquire in is_open().
        open_.store(1, std::memory_order_release);
        return true;
    }
    bool is_open() const noexcept {
        // acquire: sees the queues; partner: the release in open().
        return open_.load(std::memory_order_acquire) != 0;
    }

    // Producer. Whether the next push with that distance will succeed.
    bool has_room(unsigned distance) noexcept { return queues_[distance].has_room(); }
    template <class Given>
    bool push(unsigned distance, Given&& item) {
        if (!queues_[distance].try_push(std::forward<Given>(item)))
            return false;
        // relaxed: a hint. Stored without reading it first: with several producers it nearly always differs, and a load
        // would wait for the line, which a store does not.
        hint_.store(distance, std::memory_order_relaxed);
        return true;
    }

    // Consumer. The oldest item of one of the queues, or nullptr; it stays there until pop_front().
    T* front() noexcept {
        if (T* const item = front_of(0))
            return item;
        // relaxed: a hint.
        if (T* const item = front_of(hint_.load(std::memory_order_relaxed)))
            return item;
        for (unsigned step = 0; step < count_; ++step) {
            next_ = next_ + 1 < count_ ? next_ + 1 : 0;
            if (T* const item = front_of(next_))
                return item;
        }
        return nullptr;
    }
    // The same, looking only into queues whose numbers modulo 64 are in the set. Removes from the set the queues before
    // the one with the item, which are empty.
    T* front_among(std::uint64_t& queues) noexcept {
        for (; queues != 0; queues &= queues - 1) {
            const auto lowest = static_cast<unsigned>(std::countr_zero(queues));
            for (unsigned number = lowest; number < count_; number += 64)
                if (T* const item = front_of(number))
                    return item;
        }
        return nullptr;
    }
    void pop_front() noexcept { queues_[current_].pop_front(); }
    // The number of the queue in which front() last found an item.
    unsigned current() const noexcept { return current_; }

    // Checks the queue of one producer. The xqueue must be open.
    bool may_have_items(unsigned distance) const noexcept { return queues_[distance].may_have_items(); }
    bool may_have_items() const noexcept {
        if (!is_open())
            return false;
        for (unsigned i = 0; i < count_; ++i)
            if (queues_[i].may_have_items())
                return true;
        return false;
    }
    // The set of the queues that may have items; their numbers modulo 64. False as for bqueue.
    std::uint64_t with_items() const noexcept {
        std::uint64_t found = 0;
        for (unsigned i = 0; i < count_; ++i)
            if (queues_[i].may_have_items())
                found |= std::uint64_t{1} << i % 64;
        return found;
    }
    // The memory of all queues, once the xqueue is open. For tests.
    std::span<const std::byte> memory() const noexcept { return {static_cast<const std::byte*>(memory_), bytes_}; }
    void check_invariants() const noexcept {
        TEFF_ASSERT(current_ < larger(count_, 1U) && next_ < larger(count_, 1U),
                    "xqueue: the consumer stands outside of its queues");
        for (unsigned i = 0; i < count_; ++i)
            queues_[i].check_invariants();
    }

private:
    T* front_of(unsigned distance) noexcept {
        auto* const found = queues_[distance].front();
        if (found == nullptr)
            return nullptr;
        current_ = distance;
        if constexpr (std::is_pointer_v<T>)
            return &found->item;
        else
            return found;
    }

    // Producers may use the queues during this call.
    void follow_consumer() noexcept {
        const unsigned node = local_pages::current_node();
        if (std::exchange(node_, node) != node)
            local_pages::move_here(memory_, bytes_);
    }

    // constant after open(), but for node_, which only the consumer uses
    queue* queues_ = nullptr;
    unsigned count_ = 0;
    atomic<unsigned> open_{0};
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
    unsigned node_ = 0;      // local: where the pages lie
    bool is_local_ = false;
    // consumer alone
    alignas(false_sharing_range) unsigned current_ = 0;
    unsigned next_ = 0;
    // producers write, the consumer reads
    alignas(false_sharing_range) atomic<unsigned> hint_{0};
};

// The distances between workers in the ring of their numbers, and how far the queues reach. The distance of a producer
// from a consumer is 0 if they are the same worker, 1 and 2 if the producer is the next one up and down, 3 and 4 for
// the second next, and so on. (Workers take low numbers first. If distances counted to one side only, the first workers
// would often have no other worker within reach.)
class xqueue_ring {
public:
    // workers: 1..4096. bytes_per_queue: the memory of one queue. memory: the most bytes that all queues together may
    // take; ignored if it is too small for queues between each worker and its two neighbours.
    xqueue_ring(unsigned workers, std::size_t bytes_per_queue, std::size_t memory) noexcept
        : workers_(workers),
          reach_(static_cast<unsigned>(within<std::size_t>(memory / bytes_per_queue / workers,
                                                           smaller(workers, 3U), workers))) {}

    // The number of producers from which a consumer takes, and of consumers to which a producer pushes, including the
    // worker itself.
    unsigned reach() const noexcept { return reach_; }
    // Returns 0 to workers - 1.
    unsigned distance(unsigned producer, unsigned consumer) const noexcept {
        const unsigned up = producer >= consumer ? producer - consumer : producer + workers_ - consumer;
        if (up == 0)
            return 0;
        return 2 * up <= workers_ ? 2 * up - 1 : 2 * (workers_ - up);
    }
    bool reaches(unsigned producer, unsigned consumer) const noexcept {
        return distance(producer, consumer) < reach_;
    }
    unsigned producer_at(unsigned consumer, unsigned distance) const noexcept {
        const unsigned up = distance % 2 == 1 ? (distance + 1) / 2 : workers_ - distance / 2;
        const unsigned sum = consumer + up;
        return sum < workers_ ? sum : sum - workers_;
    }

private:
    unsigned workers_;
    unsigned reach_;
};

}  // namespace teff
