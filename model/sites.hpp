// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places in the sources where atomics and futexes are used, and the mutants: small errors at these places, of which
// each should make a scenario fail.
//
// A site is a file, line and column with one kind of operation. Sites are found by running: the table grows as
// executions reach them. A mutant is one site and one change. There are two kinds. An order mutant weakens the memory
// order of the operation: the table applies it to the orders that pass through the site. A protocol mutant changes what
// the operation does, whatever its order: the execution asks the table before it performs the operation
// (execution_memory.cpp). Both take effect in the running program, without another compilation.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>
#include <unordered_map>
#include <vector>

namespace model {

enum class operation : std::uint8_t { load, store, modify, compare_exchange, fence, wake };

enum class change : std::uint8_t {
    none,
    // of orders
    drop_acquire,          // acq_rel to release, acquire to relaxed
    drop_release,          // acq_rel to acquire, release to relaxed
    drop_failure_acquire,  // the order of a failed compare-exchange
    drop_total_order,      // seq_cst to acq_rel, acquire or release
    drop_fence,
    // of the protocol
    drop_store,      // the store is not made
    split_modify,    // a read-modify-write is a load and a store; another thread may run between the two
    always_succeed,  // a compare-exchange writes whatever it has read, and returns true
    drop_wake,       // no thread is woken
    wake_one,        // one thread is woken where several should be
};
constexpr bool is_of_protocol(change kind) noexcept { return kind >= change::drop_store; }

struct mutant {
    unsigned site = 0;
    change how = change::none;
};

struct site_record {
    std::string file;  // as the compiler names it, from the last "teff/" on
    unsigned line;
    unsigned column;
    operation what;
    unsigned orders;            // the memory orders with which it was reached, a bit each
    std::memory_order failure;  // order of a failed compare-exchange; else relaxed
    bool wakes_several;         // a wake-up that may be for more than one thread
    bool reached;               // since the last forget_reached()
};

class site_table {
public:
    // Returns the number of the site and records that it was reached, and with which order.
    unsigned number(const std::source_location& at, operation what, std::memory_order order,
                    std::memory_order failure, bool wakes_several = false);
    const site_record& operator[](unsigned number) const noexcept { return sites_[number]; }
    unsigned size() const noexcept { return static_cast<unsigned>(sites_.size()); }
    void forget_reached() noexcept;

    // Every change at every site under `folder`, sorted by place.
    std::vector<mutant> all_mutants(const std::string& folder) const;

    void set_mutant(mutant which) noexcept { mutant_ = which; }
    mutant current_mutant() const noexcept { return mutant_; }
    std::memory_order weakened(unsigned at, std::memory_order order) const noexcept {
        return at == mutant_.site && mutant_.how != change::none ? weakened_here(order) : order;
    }
    std::memory_order weakened_failure(unsigned at, std::memory_order order) const noexcept {
        return at == mutant_.site && mutant_.how == change::drop_failure_acquire ? std::memory_order_relaxed : order;
    }

    // Whether the operation at the site is to be performed with this change of the protocol.
    bool is_changed(unsigned at, change kind) const noexcept { return at == mutant_.site && mutant_.how == kind; }

    // The name of a mutant in reports, as "teff/queue/shared_part.hpp:120:9:drop_release". find() accepts it.
    std::string name_of(mutant which) const;
    // Finds a mutant by its name, if its site was reached before; otherwise returns change::none.
    mutant find(const std::string& name) const;

private:
    std::memory_order weakened_here(std::memory_order order) const noexcept;

    unsigned note_reached(unsigned site, std::memory_order order, bool wakes_several) noexcept;

    struct key {
        const char* file;
        std::uint64_t place;
        bool operator==(const key&) const = default;
    };
    struct key_hash {
        std::size_t operator()(const key& k) const noexcept {
            return (reinterpret_cast<std::uintptr_t>(k.file) ^ k.place) * 0x9E3779B97F4A7C15U >> 20;
        }
    };
    struct numbered_key {
        key place{nullptr, 0};
        unsigned number = 0;
    };

    std::unordered_map<key, unsigned, key_hash> numbers_;
    // The key last looked up with each hash: every operation on memory looks one up.
    std::array<numbered_key, 4096> recent_;
    std::unordered_map<std::string, unsigned> by_place_;
    std::vector<site_record> sites_;
    mutant mutant_;
};

const char* name(change kind) noexcept;
const char* name(std::memory_order order) noexcept;

}  // namespace model
