// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XQueue: one queue for each pair of a producer and a consumer, so that none needs more than a B-queue (X-OpenMP,
// section 3).
//
// Each worker has an xqueue: its master queue, into which it pushes itself, and one auxiliary queue for each other
// worker. The order of consuming: master, then the queue that was pushed to last as far as known (the hint
// of section 3.2), then the others in turn.
//
//                    push   front, pop_front   may_have_items     safe together?
//   push, has_room    -           yes               yes           one thread per producer
//   front, pop_front              -                 yes           one thread per consumer; pop_front after a front
//   may_have_items                                  yes           a hint
//   open                                                          the consumer; nothing is pushed before is_open()
// Construction and destruction exclude everything; the destructor destroys the items that are left.
//
// An xqueue is allocated and touched by the thread that first consumes from it, and so lies on its NUMA node. N workers
// with N queues each would take memory that grows with the square; `reach` bounds it: a consumer has queues for itself
// and for the reach - 1 workers that are nearest to it in the ring of numbers, on both sides. Up to a hundred workers
// reach everybody; more reach each other in several steps, since what a task pushes goes on from where the task runs.
//
// No starvation, as long as the work ends: an item waits for its consumer, and there for what lies in the master queue
// and in that of the hint, which may be filled again and again but not for ever.
//
// Differs from the paper: (1) items lie in the queues by value, not as pointers to tasks. (2) A worker pushes to its
// own master queue, too, when its turn comes; in algorithm 1 it would never, and one worker alone could push nowhere.
// (3) The hint lives with the consumer and is written only when it changes, so that a row of pushes does not write the
// same line again and again.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/queue/bqueue.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace teff {

// The queues of one worker, numbered by how far the producer is from it in the ring of workers; 0 is the master.
template <class T>
class alignas(false_sharing_range) xqueue {
    // A B-queue of pointers takes nullptr for an empty slot; here it is an item like any other.
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
        std::destroy_n(queues_, count_);
        deallocate(queues_, count_ * sizeof(queue), alignof(queue));
    }

    // False if there is no memory. Another call after a success changes nothing.
    bool open(unsigned count, std::size_t capacity, std::size_t batch) noexcept {
        if (is_open())
            return true;
        auto* const made = static_cast<queue*>(allocate(count * sizeof(queue), alignof(queue)));
        if (made == nullptr)
            return false;
        std::uninitialized_default_construct_n(made, count);
        if (!std::all_of(made, made + count, [&](queue& each) { return each.open(capacity, batch); })) {
            std::destroy_n(made, count);
            deallocate(made, count * sizeof(queue), alignof(queue));
            return false;
        }
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

    // Whether the next push with that distance is taken.
    bool has_room(unsigned distance) noexcept { return queues_[distance].has_room(); }
    template <class Given>
    bool push(unsigned distance, Given&& item) {
        if (!queues_[distance].try_push(std::forward<Given>(item)))
            return false;
        // relaxed, both: a hint.
        if (hint_.load(std::memory_order_relaxed) != distance)
            hint_.store(distance, std::memory_order_relaxed);
        return true;
    }

    // The oldest item of one of the queues, or nullptr; it stays there until pop_front().
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
    void pop_front() noexcept { queues_[current_].pop_front(); }
    // The queue of the item that front() found last.
    unsigned current() const noexcept { return current_; }

    // Of one producer; the queues are open.
    bool may_have_items(unsigned distance) const noexcept { return queues_[distance].may_have_items(); }
    bool may_have_items() const noexcept {
        return is_open() && std::any_of(queues_, queues_ + count_, [](const queue& each) {
                   return each.may_have_items();
               });
    }
    void check_invariants() const noexcept {
        TEFF_ASSERT(current_ < std::max(count_, 1U) && next_ < std::max(count_, 1U),
                    "xqueue: the consumer stands outside of its queues");
        std::for_each_n(queues_, count_, [](const queue& each) { each.check_invariants(); });
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

    // constant after open()
    queue* queues_ = nullptr;
    unsigned count_ = 0;
    atomic<unsigned> open_{0};
    // consumer
    alignas(false_sharing_range) unsigned current_ = 0;
    unsigned next_ = 0;
    // producers write, the consumer reads
    alignas(false_sharing_range) atomic<unsigned> hint_{0};
};

// How far two workers are from each other in the ring of numbers, and how far the queues reach. The distance of a
// producer from a consumer: 0 if it is the same, 1 and 2 if it is the next one up and down, 3 and 4, and so on.
// (Workers come from low numbers up. With distances to one side only, the first ones would often reach nobody.)
class xqueue_ring {
public:
    // workers: 1..4096; bytes_per_queue; memory: bytes that all queues together may take, if it is enough for each
    // worker and its two neighbours.
    xqueue_ring(unsigned workers, std::size_t bytes_per_queue, std::size_t memory) noexcept
        : workers_(workers),
          reach_(static_cast<unsigned>(std::clamp<std::size_t>(memory / bytes_per_queue / workers,
                                                               std::min(workers, 3U), workers))) {}

    // Producers from which a consumer takes, and consumers to which a producer pushes; itself included.
    unsigned reach() const noexcept { return reach_; }
    // 0 to workers - 1.
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
