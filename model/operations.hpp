// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that a checked program hands to the checker; called by the headers and sources in overlay/.
//
// Each operation is a scheduling point, unless it concerns the calling thread alone (fence, clock, memory). Called
// outside an execution, they act at once on the object.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>

namespace model {

using site = std::source_location;

enum class modification : unsigned char { exchange, add, subtract, bit_or, bit_and };
constexpr std::uint64_t modified(modification how, std::uint64_t old, std::uint64_t operand) noexcept {
    switch (how) {
    case modification::exchange: return operand;
    case modification::add: return old + operand;
    case modification::subtract: return old - operand;
    case modification::bit_or: return old | operand;
    case modification::bit_and: return old & operand;
    }
    return old;
}

// Atomic operations on the 1 to 8 bytes at `where`, values as zero-extended bits.
void begin_lifetime(void* where) noexcept;
std::uint64_t atomic_load(const void* where, std::size_t size, std::memory_order order, const site& at) noexcept;
void atomic_store(void* where, std::size_t size, std::uint64_t value, std::memory_order order, const site& at) noexcept;
std::uint64_t atomic_modify(void* where, std::size_t size, modification how, std::uint64_t operand,
                            std::memory_order order, const site& at) noexcept;
// Returns whether `desired` was written; otherwise `expected` is what was read. weak: may fail without a reason.
bool atomic_compare_exchange(void* where, std::size_t size, std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order success, std::memory_order failure, bool weak, const site& at) noexcept;
void fence(std::memory_order order, const site& at) noexcept;

// The Linux futex. The wait has no time limit: whatever waits for ever is a deadlock.
// code: where they were called, for reports.
void futex_wait(const void* word, std::uint32_t seen, const void* code) noexcept;
void futex_wake(const void* word, int count, const void* code) noexcept;

void yield() noexcept;
std::int64_t clock_ns() noexcept;

// A thread that nobody joins. It may outlive the scenario if it sleeps. False if the limit of threads is reached.
bool start_thread(void* (*run)(void*), void* argument) noexcept;

inline constexpr std::size_t thread_storage_size = 128;
// Who keeps something there; each has a storage of his own.
enum class storage_use : unsigned char { runtime, context };
inline constexpr std::size_t storage_uses = 2;
struct thread_storage {
    void* memory;
    bool fresh;  // first use by this thread
};
thread_storage this_thread_storage(storage_use whose) noexcept;

void* allocate(std::size_t size, std::size_t alignment) noexcept;
void deallocate(void* memory) noexcept;

// Ends the execution: the checked program has found itself wrong.
[[noreturn]] void fail(const char* what) noexcept;

}  // namespace model
