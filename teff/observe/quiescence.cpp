// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the threads that are awake and their sleeps; see quiescence.hpp.
#include <teff/observe/quiescence.hpp>

#include <teff/base/shared_data.hpp>
#include <teff/strand/worker.hpp>

namespace teff {
namespace {

// Has a cache line of its own, since each sleep writes it.
alignas(cache_line_size) constinit quiescence of_process;

}  // namespace

quiescence& process_quiescence() noexcept { return of_process; }

std::uint64_t quiescence::awake_as_this_thread() noexcept {
    return this_thread().worker != 0 ? one_awake + one_worker : one_awake;
}

void quiescence::count_this_thread() noexcept {
    this_thread().is_counted = true;
    begin_to_be_awake(awake_as_this_thread());
    // Counted last: a deadlock is reported only if threads() equals the number of all threads of the process.
    // relaxed: a count, which publishes no data.
    threads_.fetch_add(1, std::memory_order_relaxed);
}

void quiescence::begin_to_be_awake(std::uint64_t awake) noexcept {
    // seq_cst, both: either the holder sees that this thread is awake, or this thread sees the hold; partners: the two
    // operations in scoped_hold(). The load also acquires the holder's reads, which end before this thread continues;
    // partner: the release in ~scoped_hold().
    word_.fetch_add(awake, std::memory_order_seq_cst);
    while (const std::uint32_t held = holds_.load(std::memory_order_seq_cst))
        futex_wait(holds_, held);
}

void quiescence::leave_out_this_thread() noexcept {
    this_thread().is_counted = false;
    // relaxed: a count, which publishes no data.
    threads_.fetch_sub(1, std::memory_order_relaxed);
    // release: publishes the thread's earlier writes, as if it fell asleep; partners: the acquires in scoped_sleep()
    // and scoped_hold().
    word_.fetch_sub(awake_as_this_thread(), std::memory_order_release);
}

quiescence::scoped_sleep::scoped_sleep(quiescence& in) noexcept
    : in_(this_thread().is_counted ? &in : nullptr), awake_(awake_as_this_thread()) {
    if (in_ == nullptr)
        return;
    const std::uint64_t change = one_sleep - awake_;
    // acq_rel: the last thread that falls asleep, and a scoped_hold, see what each thread did before it fell asleep;
    // partners: the same addition in other threads, and the load in scoped_hold().
    since_ = in_->word_.fetch_add(change, std::memory_order_acq_rel) + change;
}

quiescence::scoped_sleep::~scoped_sleep() {
    if (in_ != nullptr)
        in_->begin_to_be_awake(awake_);
}

quiescence::scoped_hold::scoped_hold(quiescence& in) noexcept : in_(in) {
    // seq_cst, both: see begin_to_be_awake(). The load also sees what the threads did before they fell asleep; partner:
    // the release in scoped_sleep().
    in_.holds_.fetch_add(1, std::memory_order_seq_cst);
    is_still_ = awake_in(in_.word_.load(std::memory_order_seq_cst)) == 0;
}

quiescence::scoped_hold::~scoped_hold() {
    // release: our reads come before the writes of the threads that wake up; partner: the load in begin_to_be_awake().
    in_.holds_.fetch_sub(1, std::memory_order_release);
    futex_wake(&in_.holds_, futex_wake_all);
}

void quiescence::reset_after_fork() noexcept {
    const unsigned left = this_thread().is_counted ? 1 : 0;
    // relaxed, all: the child has one thread.
    threads_.store(left, std::memory_order_relaxed);
    word_.store(left, std::memory_order_relaxed);
    holds_.store(0, std::memory_order_relaxed);
}

}  // namespace teff
