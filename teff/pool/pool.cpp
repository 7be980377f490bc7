// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of sources, the start of workers, and fork(); see pool.hpp for the design.
#include <teff/pool/pool.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/thread.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/strand/worker.hpp>

#include <cstdint>
#include <pthread.h>
#include <utility>

namespace teff {
namespace {

constinit pool the_pool;
pthread_once_t forks_handled = PTHREAD_ONCE_INIT;

constexpr unsigned pack_bits = 16;  // worker numbers and counts are at most 4096

void* pack(unsigned first, unsigned count) noexcept {
    return reinterpret_cast<void*>(std::uintptr_t{first} << pack_bits | count);
}

}  // namespace

// The function of a new thread: starts its share of the tree, then works.
struct pool_thread {
    static void* run(void* argument) noexcept {
        const auto packed = reinterpret_cast<std::uintptr_t>(argument);
        const auto number = static_cast<unsigned>(packed >> pack_bits);
        const auto count = static_cast<unsigned>(packed & ((1U << pack_bits) - 1));
        the_pool.start(number + 1, count - 1);
        the_pool.work(number);
        return nullptr;
    }
};

struct pool_fork {
    static void prepare() noexcept {
        the_pool.mutex_.lock();
        hold_timeline();
    }
    static void parent() noexcept {
        release_timeline();
        the_pool.mutex_.unlock();
    }
    static void child() noexcept {
        the_pool.handles_forks_ = true;
        ++the_pool.generation_;
        the_pool.sources_.clear();
        the_pool.is_watched_ = false;
        the_pool.requested_ = 0;
        the_pool.next_number_ = 1;
        // relaxed: the child has one thread.
        the_pool.started_.store(0, std::memory_order_relaxed);
        // relaxed: as above.
        the_pool.unsettled_.store(0, std::memory_order_relaxed);
        // relaxed: as above.
        the_pool.ending_.store(0, std::memory_order_relaxed);
        // relaxed: as above.
        the_pool.reserved_.store(0, std::memory_order_relaxed);
        // relaxed: as above.
        the_pool.open_sources_.store(0, std::memory_order_relaxed);
        the_pool.idle_.reset_after_fork();
        the_pool.placement_.reset_after_fork();
        process_quiescence().reset_after_fork();
        forget_threads_after_fork();
        end_timeline_in_child();
        thread_state& self = this_thread();
        self.worker = 0;
        for (membership* entry = self.innermost; entry != nullptr; entry = entry->outer)
            entry->source->orphan();
        if (self.session != nullptr)
            std::exchange(self.session, nullptr)->orphan();
        the_pool.mutex_.reset_after_fork();
    }
    // Runs once, before any thread can lock the mutex: otherwise a fork() by another thread, after that lock and before
    // the registration, would leave the mutex locked in the child for ever. A child restarts an unfinished
    // pthread_once; the flag tells it whether the parent had already registered the handlers.
    static void handle_forks() noexcept {
        if (the_pool.handles_forks_)
            return;
        pthread_atfork(prepare, parent, child);
        begin_timeline();
    }
};

pool& pool::instance() noexcept {
    ::pthread_once(&forks_handled, pool_fork::handle_forks);
    return the_pool;
}

void ensure_timeline_has_begun() noexcept { pool::instance(); }

unsigned pool::worker_count() const noexcept {
    // relaxed: used for reports and for sizing only.
    return started_.load(std::memory_order_relaxed);
}

void pool::ensure_workers(unsigned count) noexcept {
    // relaxed: a check without the mutex, for the common case that there are enough workers. A thread that then looks
    // for idle workers does so after a fence, which pairs with the release below.
    if (ending_.load(std::memory_order_relaxed) == 0 &&
        started_.load(std::memory_order_relaxed) >= count + reserved_.load(std::memory_order_relaxed))
        return;
    prepare_heavy_fence();
    lock_when_none_ends();
    start_missing(count);
}

// For a worker that sleeps, or another thread. Does nothing while workers end: the caller may be one of them, and
// end_idle_workers() starts others if a source needs them.
void pool::ensure_one_more() noexcept {
    prepare_heavy_fence();
    mutex_.lock();
    // relaxed, both: written under the mutex.
    if (ending_.load(std::memory_order_relaxed) == 0)
        start_missing(started_.load(std::memory_order_relaxed) + 1);
    else
        mutex_.unlock();
}

// Under the mutex, which it unlocks.
void pool::start_missing(unsigned count) noexcept {
    // relaxed: written under the mutex.
    count += reserved_.load(std::memory_order_relaxed);
    if (requested_ >= count) {
        mutex_.unlock();
        return;
    }
    const unsigned missing = count - requested_;
    const unsigned first = next_number_;
    next_number_ += missing;
    requested_ = count;
    idle_.expect(missing);
    // relaxed: written under the mutex.
    unsettled_.fetch_add(missing, std::memory_order_relaxed);
    // release: the new workers count as idle before another thread relies on them; partner: the fence mentioned in
    // ensure_workers().
    started_.fetch_add(missing, std::memory_order_release);
    mutex_.unlock();
    start(first, missing);
}

void pool::ensure_workers_for_others(unsigned count) noexcept {
    bool is_wanted = false;
    {
        const scoped_lock lock(mutex_);
        is_wanted = sources_.find([](work_source& source) {
            return source.has_room() && !source.awaits_workers();
        }) != nullptr;
    }
    if (is_wanted)
        ensure_workers(count);
}

// Starts workers first .. first + count - 1; above the threshold another thread starts the upper half.
void pool::start(unsigned first, unsigned count) noexcept {
    const auto threshold = static_cast<unsigned>(process_configuration().integer("tree_start_threshold"));
    while (count > threshold) {
        const unsigned half = count / 2;
        const unsigned upper = first + count - half;
        if (start_one(upper, half)) {
            count -= half;
        } else {
            // That worker could not be started, so this thread starts the rest of its half.
            start(upper + 1, half - 1);
            count -= half;
        }
    }
    for (; count != 0; --count, ++first)
        start_one(first, 1);
}

bool pool::start_one(unsigned first, unsigned count) noexcept {
    const bool started = start_thread(pool_thread::run, pack(first, count));
    if (!started) {
        idle_.do_not_expect(1);
        // A publisher may have counted the worker as a searcher, and therefore woken no other worker.
        idle_.notify_one();
        // relaxed: a count; settle_one() publishes it to lock_when_settled().
        warn_once(started_.fetch_sub(1, std::memory_order_relaxed) - 1);
    }
    settle_one();
    return started;
}

// A worker has been started, could not be started, or has left the pool.
void pool::settle_one() noexcept {
    // release: publishes the number of workers; partner: the acquire in lock_when_settled().
    if (unsettled_.fetch_sub(1, std::memory_order_release) == 1)
        futex_wake(unsettled_.address(), futex_wake_all);
}

void pool::warn_once(unsigned workers_left) noexcept {
    // relaxed: only decides which thread warns.
    if (!warned_.exchange(true, std::memory_order_relaxed))
        warn("a worker thread could not be started (limit of threads or memory reached); going on with at most %u "
             "worker threads besides the calling thread",
             workers_left);
}

// Locks the mutex at a moment when no worker is being started or ended, so that the number of workers is certain. The
// wait terminates: the threads that start workers, and the workers that end, do not need the caller for that.
void pool::lock_when_settled() noexcept {
    for (;;) {
        mutex_.lock();
        // acquire: sees how many workers failed to start; partner: the release in settle_one().
        const std::uint32_t left = unsettled_.load(std::memory_order_acquire);
        if (left == 0)
            return;
        mutex_.unlock();
        futex_wait(unsettled_, left);
    }
}

// Locks the mutex at a moment when no worker is to end. Numbers of workers are given again when all have ended, so they
// do not exceed the number of workers.
void pool::lock_when_none_ends() noexcept {
    mutex_.lock();
    // relaxed: written under the mutex. A worker that is to end is unsettled, too.
    if (ending_.load(std::memory_order_relaxed) != 0) {
        mutex_.unlock();
        lock_when_settled();
    }
}

bool pool::end_idle_workers() noexcept {
    lock_when_settled();
    // relaxed: changes under the mutex only, since no worker is being started or ended.
    const unsigned count = started_.load(std::memory_order_relaxed);
    if (count == 0 || held_workers() != 0) {
        mutex_.unlock();
        return count == 0;
    }
    // relaxed, both: written under the mutex.
    ending_.store(count, std::memory_order_relaxed);
    unsettled_.store(count, std::memory_order_relaxed);
    mutex_.unlock();
    idle_.notify_all();
    lock_when_settled();
    mutex_.unlock();
    // A source that workers may join at any time asks for them only once.
    ensure_workers_for_others(count);
    return worker_count() == 0;
}

void pool::open(work_source& source) noexcept {
    know_this_thread();
    const scoped_lock lock(mutex_);
    // Workers that are reserved for a source must not join another source first, so sources with reserved workers stay
    // in front.
    add_source(source, sources_.find([&source](work_source& other) {
        return other.priority() < source.priority() && !other.awaits_workers();
    }));
}

// Under the mutex. Inserts the source in front of `next`; nullptr: at the end.
void pool::add_source(work_source& source, work_source* next) noexcept {
    happens_before(source, &source);
    if (next != nullptr)
        sources_.insert_before(*next, source);
    else
        sources_.push_back(source);
    // relaxed, both: written under the mutex; a hint for searchers, which then lock it.
    open_sources_.store(open_sources_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Under the mutex: how many workers are in sources, or are reserved for them.
unsigned pool::held_workers() noexcept {
    unsigned held = 0;
    sources_.find([&](work_source& source) {
        held += source.held_workers();
        return false;
    });
    return held;
}

// Under the mutex: how many workers, up to `wanted`, are in no source. Starts more workers if there are too few.
unsigned pool::free_workers(unsigned wanted) noexcept {
    const unsigned held = held_workers();
    // relaxed: changes under the mutex only, since no worker is being started or ended.
    while (started_.load(std::memory_order_relaxed) < held + wanted) {
        prepare_heavy_fence();
        idle_.expect(1);
        if (!start_thread(pool_thread::run, pack(next_number_, 1))) {
            idle_.do_not_expect(1);
            // relaxed: as above.
            warn_once(started_.load(std::memory_order_relaxed));
            break;
        }
        ++next_number_;
        ++requested_;
        // relaxed: as above. release: as in ensure_workers(); the lock has acquired what earlier calls published.
        started_.store(started_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    // relaxed: as above.
    const unsigned there = started_.load(std::memory_order_relaxed);
    const unsigned idle = there > held ? there - held : 0;
    return idle < wanted ? idle : wanted;
}

void pool::close(work_source& source, futex_word& left) noexcept {
    mutex_.lock();
    // The source stays in the list until its members have left: workers reserved for a fixed team must find it, and
    // free_workers() must not count its members as free. A finished source shows no work, so no other worker joins it.
    while (source.held_workers() != 0) {
        // relaxed: changes under the mutex only.
        const std::uint32_t seen = left.load(std::memory_order_relaxed);
        mutex_.unlock();
        sleep_in_wait(left, seen, {.kind = "workers to leave its team", .event = "", .is_for_tasks = true});
        mutex_.lock();
    }
    remove_source(source);
    mutex_.unlock();
    happens_after(source, end_of_source(source));
}

void pool::close_reserved(work_source& source, futex_word& left, unsigned workers) noexcept {
    close(source, left);
    const scoped_lock lock(mutex_);
    // relaxed, both: written under the mutex.
    reserved_.store(reserved_.load(std::memory_order_relaxed) - workers, std::memory_order_relaxed);
}

void pool::remove_source(work_source& source) noexcept {
    sources_.remove(source);
    // relaxed, both: as in add_source().
    open_sources_.store(open_sources_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
}

void pool::leave(work_source& source, unsigned slot, futex_word& left) noexcept {
    const void* address = left.address();
    work_source::given_slot given{};
    {
        const scoped_lock lock(mutex_);
        idle_.end_visit();
        given = source.give_slot(slot);
        happens_before(source, end_of_source(source));
        if (given.was_last)
            // relaxed, both: read and written under the mutex.
            left.store(left.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    // The source may already be destroyed: only the address is used.
    if (given.was_last)
        futex_wake(address, 1);
    if (given.to_wake != nullptr)
        given.to_wake->wake(*given.to_wake);
}

}  // namespace teff
