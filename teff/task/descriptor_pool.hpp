// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of one creator: a pre-allocated array, more arrays when that is used up, and their way back without
// synchronisation (OMPi, section 2.1 and Fig. 2).
//
//   take, put_back, pending, at, check_invariants    the creator
//   at                                               also a thread that has learnt of the index from the creator
//   finish                                           whoever has the descriptor
// Construction and destruction exclude everything. Memory stays until the end, so who holds an old pointer may read.
//
// Every descriptor that was taken is pending: in a queue, or in somebody's hands. Who is done with it sets its flag;
// the creator walks through its pending ones when it has no free one left and gathers those with the flag. What the
// creator itself is done with goes back at once. So a thief writes one word, and nobody but the creator touches the
// lists.
//
// A walk costs as much as there are pending descriptors, so it waits until there are twice as many as the last walk had
// to leave; until then the pool grows. Thus a walk costs a constant per descriptor taken, and the pool is at most three
// times as large as the most descriptors that were in use at once, and never smaller than the first array.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/intrusive_list.hpp>
#include <teff/task/task_descriptor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace teff {

class descriptor_pool {
public:
    descriptor_pool() noexcept = default;
    descriptor_pool(const descriptor_pool&) = delete;
    descriptor_pool& operator=(const descriptor_pool&) = delete;
    ~descriptor_pool();

    // For payloads of that size and alignment (a power of two). Allocates the first array; false if there is no memory.
    bool open(std::size_t payload_size, std::size_t payload_alignment) noexcept;
    bool is_open() const noexcept { return arrays_[0].load(std::memory_order_relaxed) != nullptr; }  // relaxed: own

    // A descriptor with room for a payload, pending from now on; nullptr if there is no memory.
    task_descriptor* take() noexcept;
    // The payload's life is over, and the caller is the creator.
    void put_back(task_descriptor& own) noexcept;
    // The same for whoever is not the creator. The descriptor must not be touched afterwards.
    static void finish(task_descriptor& other) noexcept {
        // release: our last use of the payload comes before its next; partner: the acquire in gather().
        other.done.store(1, std::memory_order_release);
    }

    void* payload(task_descriptor& of) const noexcept { return reinterpret_cast<std::byte*>(&of) + offset_; }
    // Descriptors that were taken and are not known to be back.
    std::size_t pending() const noexcept { return pending_count_; }
    // Looks which of them are back.
    void gather() noexcept;
    // The same for the one that was taken, or looked at in vain, the longest time ago.
    void gather_oldest() noexcept;

    task_descriptor& at(std::uint32_t index) noexcept;
    void check_invariants() noexcept;

private:
    static constexpr std::uint32_t first_size = 64;
    static constexpr std::size_t max_arrays = 26;

    static std::size_t array_of(std::uint32_t index) noexcept;
    static std::uint32_t first_index(std::size_t array) noexcept { return array == 0 ? 0 : first_size << (array - 1); }
    static std::uint32_t size_of(std::size_t array) noexcept { return array == 0 ? first_size : first_index(array); }
    bool grow() noexcept;
    task_descriptor* element(std::byte* array, std::uint32_t place) const noexcept;

    // the creator
    intrusive_list<task_descriptor> pending_;
    std::size_t pending_count_ = 0;
    std::size_t gather_from_ = first_size;  // pending descriptors that make a walk worth while
    intrusive_list<task_descriptor> free_;
    std::size_t array_count_ = 0;
    // constant after open()
    std::size_t offset_ = 0;
    std::size_t stride_ = 0;
    std::size_t alignment_ = 0;
    // the creator writes; thieves find a descriptor by its index
    std::array<atomic<std::byte*>, max_arrays> arrays_{};
};

}  // namespace teff
