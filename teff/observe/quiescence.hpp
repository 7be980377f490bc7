// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects quiescence: all threads that the runtime knows sleep, without a time limit, until another thread wakes them.
// If all queues are empty then, and fibers or threads wait for each other, this is a deadlock. If all threads stay
// asleep for long, and one of them waits for something, this is a stall (stall_report.hpp).
//
// The runtime knows its workers, and the threads that it has counted (thread_waits.hpp). Each of their sleeps without a
// time limit is counted. One word holds the number of counted threads that are awake, the number of workers among them,
// and the number of sleeps that have begun. So if the word has the same value at two times, with no thread awake, then
// no thread was awake in between. A thread that was just woken still counts as asleep. So the last thread that falls
// asleep reads the word several times, with pauses, and reports a deadlock only if nothing has changed.
//
//   count_this_thread, leave_out_this_thread    the thread, once each; a worker only the former
//   scoped_sleep                                any thread; no effect on a thread that is not counted
//   scoped_hold                                 a thread in a scoped_sleep
//   the queries                                 any thread
// A sleep costs two additions and a load on top of the system call. Nothing else has a cost.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>

#include <cstdint>

namespace teff {

struct wait_listener;  // stall_report.hpp

class quiescence {
public:
    constexpr quiescence() noexcept = default;
    quiescence(const quiescence&) = delete;
    quiescence& operator=(const quiescence&) = delete;

    void count_this_thread() noexcept;
    void leave_out_this_thread() noexcept;
    // The counted threads.
    unsigned threads() const noexcept {
        // relaxed: used while all of them sleep.
        return threads_.load(std::memory_order_relaxed);
    }

    // Whether all counted threads have slept, without a break, since the scoped_sleep whose since() this is.
    bool is_still(std::uint64_t since) const noexcept {
        // relaxed: the scoped_sleep that `since` is from has acquired what the threads did before they fell asleep.
        const std::uint64_t now = word_.load(std::memory_order_relaxed);
        return now == since && awake_in(now) == 0;
    }

    // Whether a worker is awake. A worker that was just woken still counts as asleep.
    bool has_awake_worker() const noexcept {
        // relaxed: a hint.
        return (word_.load(std::memory_order_relaxed) >> 16 & 0xffff) != 0;
    }

    class scoped_sleep {
    public:
        explicit scoped_sleep(quiescence& in) noexcept;
        ~scoped_sleep();
        scoped_sleep(const scoped_sleep&) = delete;
        scoped_sleep& operator=(const scoped_sleep&) = delete;

        // Whether this thread was the last counted one that was awake.
        bool is_last() const noexcept { return in_ != nullptr && awake_in(since_) == 0; }
        std::uint64_t since() const noexcept { return since_; }

    private:
        quiescence* const in_;       // nullptr: the thread is not counted
        const std::uint64_t awake_;  // awake_as_this_thread()
        std::uint64_t since_ = 0;
    };

    // While this object exists, each counted thread that sleeps stays in its scoped_sleep, even if it is woken. So
    // their data can be read, for example the stack of a fiber, which none of them can enter.
    class scoped_hold {
    public:
        explicit scoped_hold(quiescence& in) noexcept;
        ~scoped_hold();
        scoped_hold(const scoped_hold&) = delete;
        scoped_hold& operator=(const scoped_hold&) = delete;

        // Whether all counted threads sleep. If true, they sleep until the end of this object.
        bool is_still() const noexcept { return is_still_; }

    private:
        quiescence& in_;
        bool is_still_;
    };

    // nullptr: none was registered so far. A listener lives as long as the process.
    const wait_listener* listener() const noexcept {
        // acquire: sees the data that the listener uses; partner: the release in listen().
        return listener_.load(std::memory_order_acquire);
    }
    void listen(const wait_listener& to) noexcept {
        // release: publishes the listener's data; partner: the acquire in listener().
        listener_.store(&to, std::memory_order_release);
    }

    // For the only thread of the child of a fork().
    void reset_after_fork() noexcept;

private:
    static constexpr std::uint64_t one_awake = 1, one_worker = 1 << 16, one_sleep = std::uint64_t{1} << 32;
    static constexpr unsigned awake_in(std::uint64_t word) noexcept { return static_cast<unsigned>(word & 0xffff); }
    // The part of the word that counts the calling thread while it is awake.
    static std::uint64_t awake_as_this_thread() noexcept;
    // Counts the calling thread as awake, and waits for the end of every scoped_hold.
    void begin_to_be_awake(std::uint64_t awake) noexcept;

    atomic<std::uint64_t> word_{0};
    futex_word holds_{0};  // number of scoped_hold
    atomic<unsigned> threads_{0};
    atomic<const wait_listener*> listener_{nullptr};
};

// The quiescence of the threads that the runtime knows.
quiescence& process_quiescence() noexcept;

}  // namespace teff
