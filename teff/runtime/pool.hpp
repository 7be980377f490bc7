// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one pool of worker threads of the process: started at first use, grown on demand, asleep when idle.
//
// Threads start in a tree: a starter with more than eight to start hands half of them to another (Blaze-Tasks, section
// 4.3.1). Workers never end before the process does; they are detached and the pool has no destructor, so exit() needs
// no order. An idle worker looks through the open sources, then searches for spin_us, then sleeps on the event count's
// futex until something is made visible; an idle process uses no CPU.
//
// Fork: the mutex is held across fork(), so the child's copy is consistent. The child starts with an empty pool, which
// grows again at first use; teams that the forking thread was working in are orphaned (worker.hpp).
//
// All members may be called from any thread.
#pragma once

#include <teff/base/intrusive_list.hpp>
#include <teff/base/mutex.hpp>
#include <teff/runtime/work_source.hpp>
#include <teff/scheduler/idle_tracker.hpp>

#include <cstdint>

namespace teff {

class pool {
public:
    constexpr pool() noexcept = default;
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    static pool& instance() noexcept;

    // Makes the pool have at least `count` workers (0..4095) that no fixed team holds, as far as the system gives
    // threads; when it gives fewer,
    // one warning, and the program goes on with those there are. Returns before they all run.
    void ensure_workers(unsigned count) noexcept;

    // Workers started and not failed.
    unsigned worker_count() const noexcept;

    event_count& idle() noexcept { return idle_; }

    // How many forks lie between this process and the first one that used the library.
    unsigned generation() const noexcept { return generation_; }
    // For rare hand-overs between teams: a mutex that a child of fork() finds free.
    mutex& hand_over() noexcept { return mutex_; }

    // From open() to close() workers may join. close() returns when the last member has left.
    void open(work_source& source) noexcept;
    void close(work_source& source, futex_word& left) noexcept;
    // A member that joined through the pool goes.
    void leave(work_source& source, unsigned slot, futex_word& left) noexcept;

    // Opens a source at the front of the list, so that it is served first, after starting workers until `wanted` are
    // idle or new and will therefore join it; reserve(n) is told how many will, fewer if threads cannot be had. Until
    // close_reserved() these n do not count among those that ensure_workers() is asked for. Returns n.
    template <class Source>
    unsigned open_reserved(Source& source, unsigned wanted) noexcept {
        ensure_workers(wanted);
        lock_when_started();
        const unsigned found = free_workers(wanted);
        source.reserve(found);
        // relaxed: written under the mutex.
        reserved_.fetch_add(found, std::memory_order_relaxed);
        add_source(source, &intrusive_list<work_source>::push_front);
        mutex_.unlock();
        idle_.notify_all();
        return found;
    }
    // As close(); so many workers were reserved.
    void close_reserved(work_source& source, futex_word& left, unsigned workers) noexcept;

    // Sleeps on `members` as after prepare_sleep(); reports when the option stall_report_s says that it lasts too long,
    // and returns.
    void sleep_or_report(event_count& members, std::uint32_t ticket) noexcept;

    // One line on stderr for the pool and one for every open source.
    void report() noexcept;

private:
    friend struct pool_thread;
    friend struct pool_fork;

    void start(unsigned first, unsigned count) noexcept;
    bool start_one(unsigned first, unsigned count) noexcept;
    void warn_once(unsigned workers_left) noexcept;
    void lock_when_started() noexcept;
    void report_all() noexcept;
    unsigned free_workers(unsigned wanted) noexcept;
    void add_source(work_source& source, void (intrusive_list<work_source>::*add)(work_source&) noexcept) noexcept;
    void remove_source(work_source& source) noexcept;

    [[noreturn]] void work(unsigned worker) noexcept;
    bool join_some(unsigned worker) noexcept;
    bool search() noexcept;
    void sleep() noexcept;
    bool look_around() noexcept;
    work_source* find_work() noexcept;

    mutex mutex_;
    intrusive_list<work_source> sources_;  // under mutex_
    unsigned requested_ = 0;               // under mutex_: threads asked for, with those that failed
    unsigned next_number_ = 1;             // under mutex_
    bool handles_forks_ = false;           // written in the child of a fork
    unsigned generation_ = 0;              // as above
    atomic<unsigned> started_{0};          // workers there are, or are coming
    atomic<unsigned> reserved_{0};         // those that fixed teams hold; written under mutex_
    futex_word starting_{0};               // workers asked for of which it is not known yet whether they can be had
    atomic<bool> warned_{false};
    atomic<unsigned> open_sources_{0};     // written under mutex_; read by searchers without it
    event_count idle_;
};

}  // namespace teff
