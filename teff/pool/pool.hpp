// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one pool of worker threads of the process: started at first use, grown on demand, asleep when idle.
//
// Threads start in a tree: a thread that has to start more than tree_start_threshold others (eight by default) lets a
// new thread start half of them (Blaze-Tasks, section 4.3.1). Workers live as long as the process, unless the program
// ends the idle ones (end_idle_workers()). They are detached and the pool has no destructor, so exit() needs no
// particular order. An idle worker looks through the open
// sources, in the order of their priorities, then searches for spin_us, then sleeps on the event count's futex until
// something is made visible; an idle process uses no CPU. While a source is quiet (scheduler/short_bursts.hpp), one of
// the sleeping workers watches: it wakes up at short intervals and polls the quiet sources.
//
// fork(): the mutex is held across it, so the child's copy is consistent. The child starts with an empty pool, which
// grows again at first use; teams that the forking thread was working in are orphaned (worker.hpp).
//
// Any thread may call any function.
#pragma once

#include <teff/base/intrusive.hpp>
#include <teff/base/locks.hpp>
#include <teff/machine/wake_placement.hpp>
#include <teff/observe/quiescence.hpp>
#include <teff/observe/stall_report.hpp>
#include <teff/observe/thread_waits.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/scheduler/idle_tracker.hpp>

#include <cstdint>

namespace teff {

class pool {
public:
    constexpr pool() noexcept = default;
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    static pool& instance() noexcept;

    // Grows the pool to at least `count` workers (0..4095) that are not reserved by fixed teams. If the system cannot
    // start so many threads, the pool warns once and the program continues with fewer workers. Returns before all of
    // them run.
    void ensure_workers(unsigned count) noexcept;

    // The same, but only if a source is open that workers may join at any time. Such a source may have asked for
    // workers only once, and some of them were reserved since.
    void ensure_workers_for_others(unsigned count) noexcept;

    // Ends all workers, if none of them is in a source, and returns when they have left the pool; their thread-local
    // objects may be destroyed a little later. Workers are started again when they are needed. Returns whether the pool
    // is empty.
    bool end_idle_workers() noexcept;

    // Workers that are started from now on are bound to CPUs, or not, as given here; the option `bind` has no effect on
    // them.
    void choose_binding(bool binds) noexcept {
        // relaxed: a worker that starts meanwhile may miss it.
        binding_.store(binds ? binding::bound : binding::free, std::memory_order_relaxed);
    }

    // The number of workers that run or are being started.
    unsigned worker_count() const noexcept;

    event_count& idle() noexcept { return idle_; }

    // The number of calls of fork() between the first process that used the library and this one.
    unsigned generation() const noexcept { return generation_; }
    // The pool's mutex, for rare operations between threads of different teams: it outlives all teams, and it is free
    // in the child of a fork(). count_latch guards its lists of watchers with it.
    mutex& process_mutex() noexcept { return mutex_; }

    // From open() to close() workers may join. close() returns when the last member has left.
    void open(work_source& source) noexcept;
    void close(work_source& source, futex_word& left) noexcept;
    // Called by a member that joined through the pool, when it leaves.
    void leave(work_source& source, unsigned slot, futex_word& left) noexcept;

    // Opens a source at the front of the list, so that it is served first, and reserves workers for it. Before that it
    // starts workers until `wanted` of them are in no source, and will therefore join this one. Calls source.reserve(n)
    // with the number that will join, which is smaller than `wanted` if threads cannot be started, and returns n. Until
    // close_reserved() these n do not count as workers for ensure_workers().
    template <class Source>
    unsigned open_reserved(Source& source, unsigned wanted) noexcept {
        know_this_thread();
        ensure_workers(wanted);
        lock_when_settled();
        const unsigned found = free_workers(wanted);
        source.reserve(found);
        // relaxed, both: written under the mutex.
        reserved_.store(reserved_.load(std::memory_order_relaxed) + found, std::memory_order_relaxed);
        add_source(source, sources_.first());
        mutex_.unlock();
        idle_.notify_all();
        return found;
    }
    // As close(), for a source that has reserved this many workers.
    void close_reserved(work_source& source, futex_word& left, unsigned workers) noexcept;

    // For a thread that waits for this reason: sleeps on `members`; `ticket` is from prepare_sleep().
    void sleep_in_wait(event_count& members, std::uint32_t ticket, const wait_reason& why) noexcept;
    // The same for a thread that waits on a word (futex_wait()), and for a thread that has nothing to do.
    void sleep_in_wait(const futex_word& word, std::uint32_t seen, const wait_reason& why) noexcept;
    void sleep_idle(event_count& members, std::uint32_t ticket) noexcept;

    // One line on stderr for the pool and one for every open source.
    void report() noexcept;

    // The first part of a sleep, in which the thread may have to report a deadlock or a stall. Called by a thread that
    // is counted as asleep. True: the thread was woken. False: it has nothing more to report, and the caller sleeps
    // without a time limit. is_woken_within(nanoseconds): sleeps for at most this time, and returns whether the thread
    // was woken. why: nullptr if the thread has nothing to do. If no worker is awake, and a team or an arena has work
    // and a free slot, the thread starts another worker: all workers may be waiting, in tasks of other teams, for just
    // that work.
    template <class IsWokenWithin>
    bool is_woken_before_reports(const quiescence::scoped_sleep& asleep, known_thread* self, const wait_reason* why,
                                 IsWokenWithin&& is_woken_within) noexcept {
        if (stays_for_looks([&] { return lacks_worker(); }, is_woken_within))
            ensure_one_more();
        else if (asleep.is_last() &&
                 stays_for_looks([&] { return is_deadlocked(asleep.since()); }, is_woken_within))
            report_deadlock();
        const std::int64_t limit_ns = stall_limit_ns();
        if (limit_ns == futex_no_timeout || (why == nullptr && !(asleep.is_last() && has_waits())))
            return false;
        if (is_woken_within(limit_ns))
            return true;
        if (self != nullptr && why != nullptr)
            take_trace(self->trace, *why);
        // When the thread that fell asleep last has slept this long, all others have slept at least as long.
        const auto is_still = [&] { return process_quiescence().is_still(asleep.since()); };
        if (asleep.is_last() && stays_for_looks(is_still, is_woken_within) && has_waits() && report_stall())
            report();
        return false;
    }

private:
    friend struct pool_thread;
    friend struct pool_fork;

    enum class binding : unsigned char { as_option, bound, free };

    void ensure_one_more() noexcept;
    void start_missing(unsigned count) noexcept;
    void start(unsigned first, unsigned count) noexcept;
    bool start_one(unsigned first, unsigned count) noexcept;
    void warn_once(unsigned workers_left) noexcept;
    void lock_when_settled() noexcept;
    void lock_when_none_ends() noexcept;
    void settle_one() noexcept;
    // Whether the condition holds at several looks, and the thread is not woken between them. A thread that was woken
    // and has not yet run still counts as asleep; the pauses let such threads run.
    template <class Condition, class IsWokenWithin>
    static bool stays_for_looks(Condition&& is_met, IsWokenWithin&& is_woken_within) noexcept {
        constexpr unsigned looks = 5;
        constexpr std::int64_t pause_ns = 20'000'000;
        for (unsigned look = 0; look < looks; ++look)
            if (!is_met() || is_woken_within(pause_ns))
                return false;
        return is_met();
    }
    static std::int64_t stall_limit_ns() noexcept;
    bool lacks_worker() noexcept;
    bool is_deadlocked(std::uint64_t since) noexcept;
    unsigned held_workers() noexcept;
    unsigned free_workers(unsigned wanted) noexcept;
    void add_source(work_source& source, work_source* next) noexcept;
    void remove_source(work_source& source) noexcept;

    bool binds_workers() const noexcept;
    void work(unsigned worker) noexcept;
    bool ends_worker(bool watches) noexcept;
    bool join_some(unsigned worker, bool also_hidden, bool& watches) noexcept;
    bool search() noexcept;
    bool sleep(unsigned worker, bool& watches) noexcept;
    bool has_reason_to_stay_awake(bool& watches) noexcept;
    bool has_quiet_source() noexcept;
    bool look_around(bool also_hidden) noexcept;
    work_source* find_work(bool also_hidden) noexcept;

    mutex mutex_;
    intrusive_list<work_source> sources_;  // under mutex_
    unsigned requested_ = 0;               // under mutex_: threads requested, including those that failed to start
    unsigned next_number_ = 1;             // under mutex_
    bool is_watched_ = false;              // under mutex_: a worker watches the quiet sources
    bool handles_forks_ = false;           // written in the child of a fork()
    unsigned generation_ = 0;              // as above
    atomic<unsigned> started_{0};          // workers that run or are being started
    atomic<unsigned> reserved_{0};         // workers reserved by fixed teams; written under mutex_
    futex_word unsettled_{0};              // workers whose start has neither succeeded nor failed, or that are to end
    atomic<unsigned> ending_{0};           // of these the ones that are to end; written under mutex_
    atomic<bool> warned_{false};
    atomic<binding> binding_{binding::as_option};
    atomic<unsigned> open_sources_{0};     // written under mutex_; read by searchers without it
    wake_placement placement_;
    event_count idle_{placement_};
};

}  // namespace teff
