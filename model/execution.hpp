// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One execution of a scenario. Its threads are fibers of the calling thread and take turns as the explorer decides.
//
// A thread runs until its next operation on shared memory, which is a scheduling point. Every memory access of the
// checked program passes through here. The first error ends the execution at once: its stacks are abandoned and
// nothing is unwound.
//
// Fingerprint. Two executions lead to the same state if their dependent operations (two operations on one location,
// one of them a write) have the same order. Each operation gets a hash of the previous operation of its thread, of
// what it does, and of the operations on its location that it depends on. The hashes of the last operations of all
// threads make up the fingerprint.
#pragma once

#include <model/check.hpp>
#include <model/explorer.hpp>
#include <model/heap.hpp>
#include <model/memory.hpp>
#include <model/races.hpp>
#include <model/sites.hpp>
#include <model/thread_parts.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace model {

// A hash of two hashes.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t x = (a ^ 0x9E3779B97F4A7C15U) * 0xBF58476D1CE4E5B9U + b;
    x = (x ^ x >> 31) * 0x94D049BB133111EBU;
    return x ^ x >> 29;
}

// True while the checked program itself runs, false while the checker works on its behalf. The checker observes the
// memory that is allocated while this is true.
inline bool checked_program_runs = false;

// The scope of an operation that the checked program has passed to the checker.
class checker_scope {
public:
    checker_scope() noexcept : before_(std::exchange(checked_program_runs, false)) {}
    ~checker_scope() { checked_program_runs = before_; }
    checker_scope(const checker_scope&) = delete;
    checker_scope& operator=(const checker_scope&) = delete;

private:
    const bool before_;
};

enum class verdict : unsigned char { passed, failed, pruned };

// One line of the table that a failure prints.
struct table_row {
    unsigned thread;
    std::string place;  // file:line
    std::string what;   // operation and order
    std::string where;  // which object
    std::string value;
};

struct execution_result {
    verdict how = verdict::passed;
    std::string failure;  // empty unless it failed
    unsigned steps = 0;
    std::uint64_t outcome = 0;              // what the scenario reported by model::outcome()
    std::vector<std::uint8_t> decisions;    // all decisions, in order
    std::vector<table_row> rows;            // only if run() was called with_rows
    std::vector<const void*> code;          // of a wrong access, and of the one it races with; may be null
};

class execution {
public:
    static execution& instance();
    // The execution that the caller runs in, or nullptr.
    static execution* current() noexcept { return current_; }

    site_table& sites() noexcept { return sites_; }

    // The result is valid until the next run.
    const execution_result& run(void (*body)(), explorer& strategy, bool with_rows);

    const execution_result& last() const noexcept { return result_; }

    // The operations that operations.hpp and check.hpp declare.
    void begin_lifetime(const void* where) noexcept;
    std::uint64_t load(const void* where, std::size_t size, std::memory_order order, const site& at);
    void store(void* where, std::size_t size, std::uint64_t value, std::memory_order order, const site& at);
    std::uint64_t modify(void* where, std::size_t size, modification kind, std::uint64_t operand,
                         std::memory_order order, const site& at);
    bool compare_exchange(void* where, std::size_t size, std::uint64_t& expected, std::uint64_t desired,
                          std::memory_order success, std::memory_order failure, bool weak, const site& at);
    void fence(std::memory_order order, const site& at);
    void fence_in_all_threads(const site& at);
    void futex_wait(const void* word, std::uint32_t seen, const site& at);
    void futex_wake(const void* word, int count, const site& at);
    void yield();
    std::int64_t clock_ns() noexcept;
    bool start_thread(void* (*function)(void*), void* argument);
    thread_storage storage(storage_use whose) noexcept;
    void* allocate(std::size_t size, std::size_t alignment);
    void deallocate(void* memory);
    bool is_in_heap(const void* memory) const noexcept { return heap_.contains(memory); }
    void run_threads(const thread_body* bodies, unsigned count);
    void stop_the_world(void (*visit)(void* context, const void* word), void* context);
    void take(unsigned item);
    void expect_taken_once(unsigned count);
    bool was_taken(unsigned item) const noexcept { return taken_[item]; }
    unsigned taken_items() const noexcept;
    void set_outcome(std::uint64_t value) noexcept { result_.outcome = value; }
    [[noreturn]] void fail(std::string what);
    // An access to ordinary memory, reported by the hooks that the compiler inserts.
    void ordinary_access(const void* address, std::size_t size, access kind, const void* code);

private:
    enum class state : unsigned char { absent, ready, sleeping, joining, ended };

    struct thread {
        state now = state::absent;
        bool detached = false;
        void* (*run)(void*) = nullptr;
        void* argument = nullptr;
        const void* sleeps_on = nullptr;
        std::uint32_t slept_at = 0;  // the word's value when the thread went to sleep
        std::int64_t looks_at_clock = 0;
        kept_for_thread kept;
        handled_exceptions handled{};
        std::uint64_t last_operation = 0;  // its hash, for the fingerprint
    };

    execution();

    // Scheduling.
    void point(bool yields = false);
    void choose_next(bool current_ready, bool yields);
    void switch_to(unsigned next);
    [[noreturn]] void end_execution(verdict result);
    unsigned create(void* (*function)(void*), void* argument, bool detached);
    [[noreturn]] void fail_at(const void* code, std::string what);
    static void thread_entry(boost::context::detail::transfer_t from);
    void arrived(boost::context::detail::transfer_t from) noexcept;
    [[noreturn]] void end_thread();
    void set_ready(unsigned thread, bool ready) noexcept;
    [[noreturn]] void finish();
    std::string describe_deadlock();

    // Memory.
    std::uint64_t read(const void* where, std::size_t size, std::memory_order order, const site& at);
    void write(void* where, std::size_t size, std::uint64_t value, std::memory_order order, const site& at);
    location& location_of(const void* where, std::size_t size);
    void check_access(const void* where, std::size_t size, access kind, const void* code);
    void save_static(const void* where, std::size_t size);
    void restore_statics() noexcept;
    bool is_static(const void* where) const noexcept;

    // Fingerprints and records.
    enum step_without_location : std::uint64_t { begins = 1, wakes, before_yield, after_yield };
    void note_read(location& at) noexcept;
    void note_write(location& at) noexcept;
    void note_operation(std::uint64_t depends_on) noexcept;
    void order_all_threads() noexcept;
    void change_last_operation(unsigned thread, std::uint64_t hash) noexcept;
    void note_decision(unsigned chosen) { result_.decisions.push_back(static_cast<std::uint8_t>(chosen)); }
    template <class Value>
    void row(const site& at, const char* what, std::memory_order order, const void* where, Value&& value) {
        if (with_rows_) [[unlikely]]
            add_row(place_of(at), std::string(what) + ' ' + name(order), where, value());
    }
    template <class Value>
    void row(const site& at, const char* what, const void* where, Value&& value) {
        if (with_rows_) [[unlikely]]
            add_row(place_of(at), what, where, value());
    }
    void add_row(std::string place, std::string what, const void* where, std::string value);
    static std::string place_of(const site& at);
    std::string object_name(const void* where);

    // Passes on the explorer's choices and records them.
    class recording_chooser final : public value_chooser {
    public:
        explicit recording_chooser(execution& owner) noexcept : owner_(owner) {}
        unsigned choose_store_to_read(unsigned options) override;
        unsigned choose_place_of_store(unsigned options) override;
        bool choose_spurious_failure() override;

    private:
        execution& owner_;
    };

    static constexpr unsigned step_limit = 20000;  // several times what the longest scenario needs
    static constexpr unsigned access_limit = 1'000'000;  // accesses to ordinary memory between two operations

    static execution* current_;

    heap heap_;
    std::byte* const statics_begin_;
    const std::size_t statics_size_;
    race_detector races_;
    recording_chooser chooser_{*this};
    memory memory_{chooser_};
    site_table sites_;

    // state of the current execution
    explorer* explorer_ = nullptr;
    std::array<thread, max_threads> threads_;
    unsigned thread_count_ = 0;
    unsigned running_ = 0;
    unsigned previous_ = 0;  // the thread that was switched away from: arrived() stores its context
    std::uint32_t ready_ = 0;
    unsigned unfinished_children_ = 0;
    unsigned accesses_since_point_ = 0;
    std::vector<unsigned> sleepers_;  // in order of arrival, which is the order of waking
    static constexpr unsigned driver = max_threads;  // index of the context that called run()
    std::array<boost::context::detail::fcontext_t, max_threads + 1> contexts_{};
    std::uint64_t fingerprint_ = 0;
    std::uint64_t sleep_history_ = 0;  // hash of what happened to sleepers_
    std::uint64_t start_history_ = 0;  // hash of the order in which threads were started
    std::array<bool, 64> taken_{};
    struct saved_word {
        std::uint64_t* where;
        std::uint64_t value;
    };
    std::vector<saved_word> saved_;
    execution_result result_;
    bool with_rows_ = false;
};

}  // namespace model
