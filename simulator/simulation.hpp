// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of a program on the simulated machine. Its threads are fibers of the calling thread, and the simulation lets
// the one run whose virtual time is the smallest.
//
// Each operation of the program passes through here (model/operations.hpp) and adds its cost to the virtual time of its
// thread. What other threads could notice is done in the order of virtual time: getting a cache line, a futex, a fence
// in all threads. An access to a line that the core already has is not ordered with others exactly, or each access
// would be a switch: a thread runs ahead of the others by at most `head_start`. So a result is one that the real
// machine could have had, at times that differ by no more.
//
// A store does not wait for its line, as on real processors: the thread goes on, and waits for its stores to arrive
// before it does a read-modify-write or a full fence. Loads wait.
//
// The same program, machine and seed give the same run.
#pragma once

#include <simulator/account.hpp>
#include <simulator/cache.hpp>
#include <simulator/machine.hpp>
#include <simulator/processors.hpp>

#include <model/operations.hpp>
#include <model/thread_parts.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace simulator {

class simulation {
public:
    static constexpr unsigned max_threads = 2048;

    simulation(const machine& on, std::uint64_t seed);
    ~simulation();
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    // The simulation in which the caller runs, or nullptr.
    static simulation* current() noexcept { return current_; }

    // Runs the function as thread 0, with the threads that it starts, and returns when it has returned. Threads that it
    // has started may still be there. Returns the reason if it could not end, else an empty string. Once per object.
    std::string run(const std::function<void()>& body);

    // Virtual time of the calling thread, since the begin.
    duration now() const noexcept { return running_->now; }
    // The calling thread computes for so long.
    void work(duration time);
    // It uses data of its own: several pieces, whose lines move at the same time.
    void begin_use();
    void use_data(const void* begin, std::size_t size, bool is_changed);
    void end_use();
    // The time that all threads have spent so far.
    account total() const;
    // The declared work of each thread, by its number.
    std::vector<duration> work_by_thread() const;
    const account& of_running_thread() const noexcept { return running_->spent; }
    // Only this thread's transfers are counted by place; or all of its accesses.
    void watch(std::optional<unsigned> number, bool counts_accesses) noexcept {
        watched_ = number;
        counts_accesses_ = counts_accesses;
    }
    transfer_sites& sites() noexcept { return sites_; }

    // The operations that model/operations.hpp declares. Each is called by the running thread.
    void access(const void* address, std::size_t size, bool writes, const void* code) {
        running_->now += access_cost_;
        if (counts_accesses_) [[unlikely]]
            count({.code = code}, access_cost_);
        const auto first = cache_directory::line_of(address);
        use_line(first, writes, code);
        const auto last = cache_directory::line_of(static_cast<const char*>(address) + size - 1);
        if (last != first) [[unlikely]]
            use_line(last, writes, code);
    }
    void before_load(const void* where, const model::site& at) { use_atomic(where, use::load, at); }
    void before_store(const void* where, const model::site& at) { use_atomic(where, use::store, at); }
    void before_modify(const void* where, const model::site& at) { use_atomic(where, use::modify, at); }
    void full_fence();
    void fence_in_all_threads();
    bool futex_wait(const void* word, std::uint32_t seen, duration timeout);  // timeout < 0: none
    void futex_wake(const void* word, int count);
    void yield();
    void pause(unsigned times);
    std::int64_t clock_ns();
    std::int64_t cycle_count();
    bool start_thread(void* (*function)(void*), void* argument);
    model::thread_storage storage(model::storage_use whose) noexcept { return running_->kept.get(whose); }
    model::thread_stack stack() const noexcept { return {running_->stack, stack_size}; }
    void allocated() noexcept { running_->now += allocation_cost_; }
    unsigned running_thread() const noexcept { return running_->number; }
    [[noreturn]] void fail(std::string what);

private:
    struct thread {
        unsigned number = 0;
        duration now = 0;
        duration stores_arrive = 0;
        duration data_arrives = 0;
        duration interrupted = 0;  // by others' fences; not yet in `now`
        std::uint64_t turn = 0;  // of its entry in `waiting_`; an entry with an older one is void
        const void* sleeps_on = nullptr;
        bool was_woken = false;
        bool has_ended = false;
        void* (*run)(void*) = nullptr;
        void* argument = nullptr;
        boost::context::detail::fcontext_t context{};
        std::byte* stack = nullptr;
        place where;  // its processor
        account spent;
        model::handled_exceptions handled{};
        model::kept_for_thread kept;
    };
    // A thread that runs again at that time, unless something else makes it run before.
    struct entry {
        duration at;
        std::uint64_t turn;
        thread* who;
        bool operator>(const entry& other) const noexcept {
            return at != other.at ? at > other.at : turn > other.turn;
        }
    };
    enum class use : unsigned char { load, store, modify };

    static constexpr std::size_t stack_size = std::size_t{8} << 20;
    static constexpr duration head_start = 40'000;
    // No two runs of a real program take the same times.
    static constexpr double work_jitter = 0.02, transfer_jitter = 0.1;

    void use_atomic(const void* where, use access, const model::site& at);
    void use_line(cache_directory::line_number number, bool writes, const void* code) {
        cache_directory::line& line = cache_.find(number, running_->where.core);
        if (!cache_directory::is_ready(line, running_->where.core, writes)) [[unlikely]]
            get_line(number, writes, writes, {.code = code});
        else if (running_->now > earliest_ + head_start) [[unlikely]]
            let_others_run(head_start);
    }
    void get_line(cache_directory::line_number number, bool writes, bool is_store, const transfer_site& at);
    void wait_for_stores() noexcept;
    void count(const transfer_site& at, duration waited);
    void let_others_run(duration head);
    void spend(cause why, duration time) noexcept;
    duration scaled(duration time) const noexcept;
    double jitter(double part) noexcept;

    // Scheduling.
    thread& make_thread(void* (*function)(void*), void* argument);
    void run_at(thread& scheduled, duration at);
    void run_next();
    void leave_processor();
    void give_way();
    void occupy(thread& scheduled, duration at);
    void switch_to(thread& next);
    void update_earliest() noexcept;
    static void thread_entry(boost::context::detail::transfer_t from);
    void arrived(boost::context::detail::transfer_t from) noexcept;

    static simulation* current_;

    const machine machine_;
    cache_directory cache_;
    processors processors_;
    transfer_sites sites_;
    std::optional<unsigned> watched_;
    bool counts_accesses_ = false;
    std::uint64_t random_;
    duration access_cost_, allocation_cost_;
    std::vector<std::unique_ptr<thread>> threads_;
    std::vector<entry> waiting_;  // a heap, the earliest first
    std::uint64_t turns_ = 0;
    duration earliest_ = 0;       // of waiting_
    thread* running_ = nullptr;
    thread* previous_ = nullptr;
    std::unordered_map<const void*, std::deque<thread*>> sleepers_;
    boost::context::detail::fcontext_t driver_{};
    const std::function<void()>* body_ = nullptr;
    std::string failure_;
};

}  // namespace simulator
