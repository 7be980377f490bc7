// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that a program under the overlay passes on. The headers and sources in overlay/ call these functions. The
// checker defines them (operations.cpp), and so does the simulator (simulator/operations.cpp). For the checker:
//
// Each operation is a scheduling point, unless it concerns the calling thread alone (clock, thread storage, memory).
// A fence is one only if loads may return old values. Outside an execution, atomic operations act on the object at
// once, and allocation and thread storage work as well; waiting, yielding, the clock and starting threads are only
// for executions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>

namespace model {

using site = std::source_location;

enum class modification : unsigned char { exchange, add, subtract, bit_or, bit_and };
constexpr std::uint64_t modified(modification kind, std::uint64_t old, std::uint64_t operand) noexcept {
    switch (kind) {
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
std::uint64_t atomic_modify(void* where, std::size_t size, modification kind, std::uint64_t operand,
                            std::memory_order order, const site& at) noexcept;
// Returns whether `desired` was written. If not, sets `expected` to the value that was read. weak: may fail without a
// reason.
bool atomic_compare_exchange(void* where, std::size_t size, std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order success, std::memory_order failure, bool weak, const site& at) noexcept;
void fence(std::memory_order order, const site& at) noexcept;
// A sequentially consistent fence in each thread, one after the other; the caller's own is the first and the last one.
void fence_in_all_threads(const site& at) noexcept;

// The Linux futex. timeout_ns < 0: none. Returns false if the time has passed. For the checker it never does: a thread
// that waits for ever is a deadlock.
bool futex_wait(const void* word, std::uint32_t seen, std::int64_t timeout_ns, const site& at) noexcept;
void futex_wake(const void* word, int count, const site& at) noexcept;

void yield() noexcept;
// A pause instruction, which is no scheduling point; and number `round` of the pauses of a backoff (base/backoff.hpp),
// which is one.
void pause() noexcept;
void back_off(unsigned round) noexcept;
std::int64_t clock_ns() noexcept;
// A counter of cycles, and how long so many take.
std::int64_t cycle_count() noexcept;
std::int64_t ns_of_cycles(std::int64_t cycles) noexcept;

// Starts a thread that no thread joins. It may still be asleep when the scenario ends. Returns false if the limit of
// threads is reached.
bool start_thread(void* (*run)(void*), void* argument) noexcept;

inline constexpr std::size_t thread_storage_size = 192;
// The uses of the storage of a thread; each use has a storage of its own.
enum class storage_use : unsigned char { runtime, context, copies, spare_blocks };
inline constexpr std::size_t storage_uses = 4;
struct thread_storage {
    void* memory;
    bool fresh;  // this is its first use by this thread
};
thread_storage this_thread_storage(storage_use whose) noexcept;

// The stack of the calling thread; size 0: it counts as hardly used.
struct thread_stack {
    const void* lowest;
    std::size_t size;
};
thread_stack this_thread_stack() noexcept;

void* allocate(std::size_t size, std::size_t alignment) noexcept;
void deallocate(void* memory) noexcept;

// An access to ordinary memory, reported by the hooks that the compiler inserts (overlay/compiler_hooks.cpp). `code`:
// its place in the program.
enum class access : unsigned char { read, write, atomic };
void ordinary_access(const void* address, std::size_t size, access kind, const void* code) noexcept;

// Ends the execution as failed: the checked program has found an error in itself.
[[noreturn]] void fail(const char* what) noexcept;

}  // namespace model
