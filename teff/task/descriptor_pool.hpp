// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task descriptors, and the pool of one owner, the member that makes the tasks: a pre-allocated array, more arrays when
// it is used up, and a way for other threads to return descriptors without synchronisation (OMPi, section 2.1 and Fig.
// 2).
//
//              take  finish    safe together?
//   take        -     yes      owner only; so are open, put_back, gather, gather_some, pending(), size() and is_open()
//   finish            yes      the thread that holds the descriptor
// Construction, destruction and check_invariants exclude everything else. The owner may change, if the last call of the
// old owner is ordered before the first call of the new one.
//
// Every descriptor that was taken is pending: its task is in a queue, or some thread holds it. A thread that is done
// with a descriptor sets its flag (finish). When the owner has no free descriptor left, it walks through its pending
// ones and gathers those whose flag is set. A descriptor that the owner itself is done with is free at once (put_back).
// So a thief writes one word of the descriptor that it holds, and only the owner accesses the pool.
//
// A walk costs time in proportion to the number of pending descriptors. So the next walk waits until there are twice as
// many as the last walk left pending; until then the pool grows, and each time doubles its size. Hence walks look at
// most at two pending descriptors for each one that is taken, and the pool either consists of the first array or stays
// below four times the largest number of descriptors in use at once. (It grows when all descriptors are pending and
// more than half of them were in use at the last walk. So it had less than twice as many as were in use then, and has
// less than four times as many afterwards.)
//
// Differs from the paper: descriptors of the overflow are kept for good, in arrays of growing size, so that a pool
// allocates memory only a few times. A member has a pool for each of a few sizes (task_pools).
#pragma once

#include <teff/base/intrusive.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/task/task_header.hpp>

#include <array>
#include <cstddef>
#include <new>

namespace teff {

// A task in memory of its own (the descriptor of OMPi, section 2.1): the task header, the hook for the lists of its
// owner, and the payload, which follows as closely as its alignment allows.
//
// Only the owner, the member that made the task, ever accesses the hook, whichever thread holds the task.

// The hook links the descriptor into the owner's list of pending descriptors, or into that of free ones. Each
// descriptor has cache lines of its own; a small payload shares the header's line.
struct task_descriptor : task_header, list_hook {
    // `next` is the header's member, not the hook's.
    using task_header::next;

    // The offset of a payload with that alignment (a power of two) from the start of the descriptor, in bytes.
    static constexpr std::size_t payload_offset(std::size_t alignment) noexcept;
    void* payload(std::size_t alignment) noexcept {
        return reinterpret_cast<std::byte*>(this) + payload_offset(alignment);
    }
    static task_descriptor& of_payload(void* payload, std::size_t alignment) noexcept {
        return *std::launder(reinterpret_cast<task_descriptor*>(static_cast<std::byte*>(payload) -
                                                                payload_offset(alignment)));
    }
};

constexpr std::size_t task_descriptor::payload_offset(std::size_t alignment) noexcept {
    return (sizeof(task_descriptor) + alignment - 1) / alignment * alignment;
}

class descriptor_pool {
public:
    static constexpr std::size_t first_size = 16;  // descriptors in the first array

    descriptor_pool() noexcept = default;
    descriptor_pool(const descriptor_pool&) = delete;
    descriptor_pool& operator=(const descriptor_pool&) = delete;
    ~descriptor_pool();

    // Called once, with the size and alignment (a power of two) of the payloads. Allocates the first array; returns
    // false, with nothing changed, if there is no memory.
    bool open(std::size_t payload_size, std::size_t payload_alignment) noexcept;
    bool is_open() const noexcept { return array_count_ != 0; }

    // Returns a descriptor with room for a payload, which is pending from now on; nullptr if there is no memory.
    task_descriptor* take() noexcept;
    // The owner returns a descriptor. Its payload has been destroyed.
    void put_back(task_descriptor& own) noexcept;
    // Any other thread returns a descriptor. Its payload has been destroyed. The caller must not touch it afterwards.
    static void finish(task_descriptor& other) noexcept {
        sanitizers::happens_before(other.state.address());
        // release: our last use of the payload comes before its next use; partner: the acquire in is_returned().
        other.state.store(task_header::returned, std::memory_order_release);
    }

    // The number of descriptors that were taken and are not known to be returned; and the number of all descriptors.
    std::size_t pending() const noexcept { return pending_count_; }
    std::size_t size() const noexcept { return size_before(array_count_); }
    // Finds the pending descriptors that have been returned, and frees them.
    void gather() noexcept;
    // The same for the few that were not looked at for the longest time. The cost is bounded, for frequent callers.
    void gather_some() noexcept;

    void check_invariants() noexcept;

private:
    static constexpr std::size_t max_arrays = 26;
    static constexpr unsigned some = 8;

    // The number of descriptors in all arrays before `array`, and in `array`.
    static std::size_t size_before(std::size_t array) noexcept { return array == 0 ? 0 : first_size << (array - 1); }
    static std::size_t size_of(std::size_t array) noexcept { return array == 0 ? first_size : size_before(array); }
    static bool is_returned(task_descriptor& pending) noexcept;
    bool grow() noexcept;

    // only the owner accesses these
    intrusive_list<task_descriptor> pending_;
    std::size_t pending_count_ = 0;
    std::size_t gather_from_ = first_size;  // number of pending descriptors from which on a walk is worth its cost
    intrusive_list<task_descriptor> free_;
    std::size_t array_count_ = 0;
    std::array<std::byte*, max_arrays> arrays_{};
    // constant after open()
    std::size_t stride_ = 0;  // bytes from one descriptor to the next
    std::size_t alignment_ = 0;
};

// Memory for tasks of any size that one owner makes: a pool of descriptors for each of a few sizes, and the allocator
// for tasks that are larger, or aligned to more than a cache line.
//
//   take, put_back, pending, gather_some    owner only
//   finish                                  any thread that has run the task
// The owner may change, if the last call of the old owner is ordered before the first call of the new one. The pools
// outlive the tasks.
class task_pools {
public:
    task_pools() noexcept = default;
    task_pools(const task_pools&) = delete;
    task_pools& operator=(const task_pools&) = delete;

    // Whether such a payload comes from a pool, and not from the allocator.
    static bool is_pooled(std::size_t payload_size, std::size_t payload_alignment) noexcept {
        return class_for(payload_size, payload_alignment) != class_count;
    }

    // Returns a descriptor with room for a payload of that size and alignment (a power of two), which is pending from
    // now on; nullptr if there is no memory.
    task_descriptor* take(std::size_t payload_size, std::size_t payload_alignment) noexcept;
    // The owner returns a descriptor. Its payload has been destroyed. Size and alignment are those passed to take().
    static void put_back(task_descriptor& own, std::size_t payload_size, std::size_t payload_alignment) noexcept;
    // The same for any thread. `mine`: the pools of the calling thread; nullptr: it has none. The caller must not touch
    // the descriptor afterwards.
    static void finish(task_descriptor& ended, task_pools* mine, std::size_t payload_size,
                       std::size_t payload_alignment) noexcept;

    // The number of descriptors that were taken from the pools and are not known to be returned.
    std::size_t pending() const noexcept;
    // Looks at a few of these and frees those that have been returned.
    void gather_some() noexcept;

private:
    // The size classes: a payload fits, together with its descriptor, into one, two, four or eight cache lines.
    static constexpr std::size_t class_count = 4;
    static constexpr std::size_t room_of(std::size_t size_class) noexcept {
        return (cache_line_size << size_class) - task_descriptor::payload_offset(1);
    }
    static std::size_t class_for(std::size_t size, std::size_t alignment) noexcept;
    bool owns(const task_descriptor& some) const noexcept {
        return some.owner >= pools_.data() && some.owner < pools_.data() + class_count;
    }

    std::array<descriptor_pool, class_count> pools_;
};

}  // namespace teff
