// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of atomics: which stores each thread may read, and what it knows afterwards.
//
// Strong memory (sequentially consistent values): every location has one value. Weak memory: every location has the
// list of its stores in modification order, and every thread has a view, which is the newest store that the thread
// knows of each location. A load may return any store that is not older than the view. A store may take any place
// after the store in the view. A read-modify-write takes the place right after the store that it reads, and no other
// store may take a place between the two. A store carries a message. If the store is a release, the message is its
// writer's view, and an acquire load takes this view over. Relaxed loads collect messages for a later acquire fence.
// A release fence keeps a view, which is the message of later relaxed stores. Sequentially consistent fences exchange
// their views with one global view, in the order of execution; sequentially consistent accesses do so for their own
// location. Views also carry a vector clock, by which races are found; in strong memory it is all that they carry.
//
// This is the view machine of the promising semantics (Kang et al., POPL 2017) without promises: no load returns a
// value that is stored later in the execution (load buffering). README.md lists what else is out of scope.
#pragma once

#include <model/vector_clock.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace model {

// The newest store that is known of a location, as a time stamp, so that two views are joined by taking the maxima.
using stamp = std::uint32_t;
inline constexpr unsigned max_locations = 512;

struct view {
    vector_clock clock;
    std::array<stamp, max_locations> seen{};
};

struct thread_view {
    view current;   // what the thread knows
    view acquired;  // what the thread will know after an acquire fence
    view released;  // the view that its relaxed stores pass on: that of its last release fence
};

struct store_record {
    std::uint64_t value;
    stamp at;
    bool follows;  // a read-modify-write: no store may come between it and the one before it
    vector_clock clock;
    // The position of the message in `memory::messages_`; size 0 if the store passes nothing on.
    std::uint32_t message_begin;
    std::uint32_t message_size;
};

struct location {
    const void* address;
    std::size_t size;
    unsigned index;
    bool alive;
    std::vector<store_record> stores;  // in modification order; one, if memory is strong
    stamp ordered;                     // the newest store that a sequentially consistent access made or read
    // Fingerprints of the accesses so far, for the reduction (execution.hpp).
    std::uint64_t last_write;
    std::uint64_t reads_since;
};

// Makes the decisions that the memory model leaves open. The first two functions return a number below `options` (at
// least 1); 0 is the newest.
class value_chooser {
public:
    virtual unsigned choose_store_to_read(unsigned options) = 0;
    virtual unsigned choose_place_of_store(unsigned options) = 0;
    virtual bool choose_spurious_failure() = 0;

protected:
    ~value_chooser() = default;
};

class memory {
public:
    explicit memory(value_chooser& chooser) noexcept : chooser_(chooser) {}

    // Forgets everything.
    void begin(bool weak) noexcept;
    void begin_thread(unsigned thread, unsigned creator) noexcept;
    // Everything that `thread` knows becomes known to `to`.
    void join_thread(unsigned to, unsigned thread) noexcept;
    bool is_weak() const noexcept { return weak_; }

    // The location at an address. Its first value is what the object contains. Returns nullptr if there are too many
    // locations.
    location* find(const void* address, std::size_t size);
    void begin_lifetime(const void* address) noexcept;
    void end_lifetimes(const void* begin, std::size_t size) noexcept;

    std::uint64_t load(unsigned thread, location& from, std::memory_order order);
    // The newest value, independent of the views of threads: the value that the kernel compares with.
    std::uint64_t newest(const location& from) const noexcept { return from.stores.back().value; }
    void store(unsigned thread, location& to, std::uint64_t value, std::memory_order order);
    // modify(old) returns the new value.
    template <class Modify>
    std::uint64_t modify(unsigned thread, location& where, std::memory_order order, Modify&& modify) {
        const unsigned read = choose_store(thread, where, purpose::modify, order, order);
        const std::uint64_t old = where.stores[read].value;
        write_after(thread, where, read, modify(old), order);
        return old;
    }
    struct exchanged {
        std::uint64_t seen;
        bool done;
    };
    exchanged compare_exchange(unsigned thread, location& where, std::uint64_t expected, std::uint64_t desired,
                               std::memory_order success, std::memory_order failure, bool weak);
    void fence(unsigned thread, std::memory_order order) noexcept;

    // Called after each operation of the thread. The new step distinguishes what the thread does from now on from
    // what this operation may have passed on.
    void step(unsigned thread) noexcept { ++threads_[thread].current.clock.steps[thread]; }
    const vector_clock& clock(unsigned thread) const noexcept { return threads_[thread].current.clock; }

private:
    enum class purpose : unsigned char { load, modify, compare_exchange };
    // failure and expected: only for a compare-exchange, which writes if it reads the expected value.
    unsigned choose_store(unsigned thread, const location& from, purpose why, std::memory_order order,
                          std::memory_order failure, std::uint64_t expected = 0);
    bool has_slot_after(const location& where, unsigned store) const noexcept;
    unsigned first_readable(unsigned thread, const location& from, std::memory_order order) const noexcept;
    unsigned choose_place(unsigned thread, const location& to, std::memory_order order);
    void read(unsigned thread, location& from, unsigned store, std::memory_order order) noexcept;
    void write_after(unsigned thread, location& where, unsigned read_store, std::uint64_t value,
                     std::memory_order order);
    void insert(unsigned thread, location& to, unsigned place, std::uint64_t value, std::memory_order order,
                const store_record* continued);
    void take_over(view& into, const store_record& message) const noexcept;
    void join(view& into, const view& other) const noexcept;
    static void write_object(const location& to) noexcept;

    value_chooser& chooser_;
    bool weak_ = false;
    std::array<thread_view, max_threads> threads_;
    view fences_;  // the global view of sequentially consistent fences; its clock is unused
    std::vector<location> locations_ = std::vector<location>(max_locations);
    unsigned used_ = 0;
    std::vector<stamp> messages_;
    // From an address to its location: a hash table with open addressing. Entries of older generations are empty, so
    // begin() need not clear the table.
    struct entry {
        const void* address = nullptr;
        std::uint32_t generation = 0;
        std::uint32_t index = 0;
    };
    static constexpr std::size_t table_size = 4 * max_locations;
    std::vector<entry> table_ = std::vector<entry>(table_size);
    std::uint32_t generation_ = 0;
    entry& slot_of(const void* address) noexcept;
};

// The bits of the object itself, zero-extended.
inline std::uint64_t object_bits(const void* address, std::size_t size) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, address, size);
    return bits;
}

inline bool is_acquire(std::memory_order order) noexcept {
    return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
           order == std::memory_order_seq_cst || order == std::memory_order_consume;
}
inline bool is_release(std::memory_order order) noexcept {
    return order == std::memory_order_release || order == std::memory_order_acq_rel ||
           order == std::memory_order_seq_cst;
}

}  // namespace model
