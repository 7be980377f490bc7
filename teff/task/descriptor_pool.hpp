// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of one creator: a pre-allocated array, more arrays when that is used up, and their way back without
// synchronisation (OMPi, section 2.1 and Fig. 2).
//
//              take  finish    safe together?
//   take        -     yes      the creator; so are open, put_back, gather, gather_some, and the looks at pending(),
//                              size() and is_open()
//   finish            yes      whoever has the descriptor
// Construction, destruction and check_invariants exclude everything. The creator may change, if that orders the one's
// last call before the other's first.
//
// Every descriptor that was taken is pending: in a queue, or in somebody's hands. Who is done with it sets its flag;
// the creator walks through its pending ones when it has no free one left and gathers those with the flag. What the
// creator itself is done with goes back at once. So a thief writes one word of the descriptor that it has, and nobody
// but the creator touches the pool.
//
// A walk costs as much as there are pending descriptors, so it waits until there are twice as many as the last walk had
// to leave; until then the pool grows, by as much as it has. Thus there is at most one look at a pending descriptor for
// each that is taken, or two, and the pool stays below four times the most descriptors that were in use at once, or is
// the first array. (It grows when all are pending and at least half of them were in use at the last walk; so it has at
// most twice as many as were in use then, and twice that afterwards.)
//
// Differs from the paper: descriptors of the overflow stay for good, in arrays of growing size, so that a pool asks for
// memory a few times only.
#pragma once

#include <teff/base/intrusive_list.hpp>
#include <teff/task/task_descriptor.hpp>

#include <array>
#include <cstddef>

namespace teff {

class descriptor_pool {
public:
    static constexpr std::size_t first_size = 16;  // of the first array

    descriptor_pool() noexcept = default;
    descriptor_pool(const descriptor_pool&) = delete;
    descriptor_pool& operator=(const descriptor_pool&) = delete;
    ~descriptor_pool();

    // Once, for payloads of that size and alignment (a power of two). Allocates the first array; false, with nothing
    // changed, if there is no memory.
    bool open(std::size_t payload_size, std::size_t payload_alignment) noexcept;
    bool is_open() const noexcept { return array_count_ != 0; }

    // A descriptor with room for a payload, pending from now on; nullptr if there is no memory.
    task_descriptor* take() noexcept;
    // The payload's life is over, and the caller is the creator.
    void put_back(task_descriptor& own) noexcept;
    // The same for whoever is not the creator. The descriptor must not be touched afterwards.
    static void finish(task_descriptor& other) noexcept {
        // release: our last use of the payload comes before its next; partner: the acquire in is_returned().
        other.state.store(task_header::returned, std::memory_order_release);
    }

    // Descriptors that were taken and are not known to be back, and all that there are.
    std::size_t pending() const noexcept { return pending_count_; }
    std::size_t size() const noexcept { return size_before(array_count_); }
    // Looks which of the pending ones are back.
    void gather() noexcept;
    // The same for the few that were not looked at for the longest time, at a constant cost: for who asks often.
    void gather_some() noexcept;

    void check_invariants() noexcept;

private:
    static constexpr std::size_t max_arrays = 26;
    static constexpr unsigned some = 8;

    // Of all arrays before that one, and of that one.
    static std::size_t size_before(std::size_t array) noexcept { return array == 0 ? 0 : first_size << (array - 1); }
    static std::size_t size_of(std::size_t array) noexcept { return array == 0 ? first_size : size_before(array); }
    static bool is_returned(task_descriptor& pending) noexcept;
    bool grow() noexcept;

    // the creator writes, nobody else reads
    intrusive_list<task_descriptor> pending_;
    std::size_t pending_count_ = 0;
    std::size_t gather_from_ = first_size;  // pending descriptors that make a walk worth while
    intrusive_list<task_descriptor> free_;
    std::size_t array_count_ = 0;
    std::array<std::byte*, max_arrays> arrays_{};
    // constant after open()
    std::size_t stride_ = 0;  // from one descriptor to the next
    std::size_t alignment_ = 0;
};

}  // namespace teff
