// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of sources, the life of a worker, and fork(); see pool.hpp for the design.
#include <teff/runtime/pool.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/thread.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/machine/pinning.hpp>
#include <teff/runtime/counters.hpp>
#include <teff/runtime/idle_sleep.hpp>
#include <teff/runtime/options.hpp>
#include <teff/runtime/timeline.hpp>
#include <teff/runtime/worker.hpp>

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

// What the mutex orders and ThreadSanitizer has to be told: a source is opened before other threads look at it and join
// it, and its end comes after that. The first order has the source's own address, this is the other one's.
const void* end_of(const work_source& source) noexcept { return reinterpret_cast<const void* const*>(&source) + 1; }

struct told_look {
    explicit told_look(const work_source& at) noexcept : source(at) { sanitizers::happens_after(&at); }
    ~told_look() { sanitizers::happens_before(end_of(source)); }
    told_look(const told_look&) = delete;
    told_look& operator=(const told_look&) = delete;

    const work_source& source;
};

// Under the pool's mutex.
void report_source(work_source& source) noexcept {
    const told_look looks(source);
    warn("team: %u members besides its caller, about %zu items queued, %s", source.held_workers(),
         source.queued_estimate(), source.has_room() ? "has room" : "full");
}

}  // namespace

// How long threads sleep before a stall is reported.
std::int64_t pool::stall_limit_ns() noexcept {
    const std::int64_t seconds = process_configuration().integer("stall_report_s");
    return seconds == 0 ? futex_no_timeout : seconds * 1'000'000'000;
}

// The function of a new thread: starts its share of the tree, then works.
struct pool_thread {
    static void* run(void* argument) noexcept {
        const auto packed = reinterpret_cast<std::uintptr_t>(argument);
        const auto number = static_cast<unsigned>(packed >> pack_bits);
        const auto count = static_cast<unsigned>(packed & ((1U << pack_bits) - 1));
        the_pool.start(number + 1, count - 1);
        the_pool.work(number);
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
        the_pool.starting_.store(0, std::memory_order_relaxed);
        // relaxed: as above.
        the_pool.reserved_.store(0, std::memory_order_relaxed);
        // relaxed: as above.
        the_pool.open_sources_.store(0, std::memory_order_relaxed);
        the_pool.idle_.reset_after_fork();
        the_pool.placement_.reset_after_fork();
        the_pool.still_.reset_after_fork();
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

unsigned pool::worker_count() const noexcept {
    // relaxed: used for reports and for sizing only.
    return started_.load(std::memory_order_relaxed);
}

void pool::ensure_workers(unsigned count) noexcept {
    // relaxed: a check without the mutex, for the common case that there are enough workers. A thread that then looks
    // for idle workers does so after a fence, which pairs with the release below.
    if (started_.load(std::memory_order_relaxed) >= count + reserved_.load(std::memory_order_relaxed))
        return;
    prepare_heavy_fence();
    unsigned first = 0;
    unsigned missing = 0;
    {
        const scoped_lock lock(mutex_);
        // relaxed: written under the mutex.
        count += reserved_.load(std::memory_order_relaxed);
        if (requested_ >= count)
            return;
        missing = count - requested_;
        first = next_number_;
        next_number_ += missing;
        requested_ = count;
        idle_.expect(missing);
        // relaxed: written under the mutex.
        starting_.fetch_add(missing, std::memory_order_relaxed);
        // release: the new workers count as idle before another thread relies on them; partner: the fence mentioned
        // above.
        started_.fetch_add(missing, std::memory_order_release);
    }
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
        // A publisher may have counted the worker as a searcher and woken no other.
        idle_.notify_one();
        // relaxed: a count; the release below publishes it to lock_when_started().
        warn_once(started_.fetch_sub(1, std::memory_order_relaxed) - 1);
    }
    // release: publishes the number of workers; partner: the acquire in lock_when_started().
    if (starting_.fetch_sub(1, std::memory_order_release) == 1)
        futex_wake(starting_.address(), futex_wake_all);
    return started;
}

void pool::warn_once(unsigned workers_left) noexcept {
    // relaxed: only decides which thread warns.
    if (!warned_.exchange(true, std::memory_order_relaxed))
        warn("a worker thread could not be started (limit of threads or memory reached); going on with at most %u "
             "worker threads besides the calling thread",
             workers_left);
}

// Locks the mutex at a moment when no worker is being started, so that the number of workers is certain. The wait ends,
// since a thread that starts others needs neither the mutex nor the caller to do so.
void pool::lock_when_started() noexcept {
    for (;;) {
        mutex_.lock();
        // acquire: sees how many workers failed to start; partner: the release in start_one().
        const std::uint32_t left = starting_.load(std::memory_order_acquire);
        if (left == 0)
            return;
        mutex_.unlock();
        futex_wait(starting_, left);
    }
}

void pool::open(work_source& source) noexcept {
    know_this_thread();
    const scoped_lock lock(mutex_);
    // Workers that are reserved for a source may not go to another one before, so those sources stay in front.
    add_source(source, sources_.find([&source](work_source& other) {
        return other.priority() < source.priority() && !other.awaits_workers();
    }));
}

// Under the mutex. In front of `next`; nullptr: at the end.
void pool::add_source(work_source& source, work_source* next) noexcept {
    sanitizers::happens_before(&source);
    if (next != nullptr)
        sources_.insert_before(*next, source);
    else
        sources_.push_back(source);
    // relaxed, both: written under the mutex; a hint for searchers, which then lock it.
    open_sources_.store(open_sources_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Under the mutex: how many workers, up to `wanted`, are in no source. Starts more workers if there are too few.
unsigned pool::free_workers(unsigned wanted) noexcept {
    unsigned held = 0;
    sources_.find([&](work_source& source) {
        held += source.held_workers();
        return false;
    });
    // relaxed: changes under the mutex only, since nothing is being started.
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
    sanitizers::happens_after(end_of(source));
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
        sanitizers::happens_before(end_of(source));
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

// A worker that is in no source counts as searching, unless it sleeps.
void pool::work(unsigned worker) noexcept {
    this_thread().worker = worker;
    still_.count_this_thread();
    const configuration& options = process_configuration();
    if (options.text("bind") == "cores")
        // If this fails, the worker stays where the system places it.
        [[maybe_unused]] const bool bound = bind_worker_thread(machine_topology(), worker);
    const bool counts = options.text("counters") == "on";
    begin_activity(activity::pool);
    for (bool finds_hidden = false, watches = false;;) {
        if (join_some(worker, finds_hidden, watches)) {
            // The owner of hidden work may need this processor to make it visible.
            if (finds_hidden)
                yield_thread();
            finds_hidden = false;
            continue;
        }
        worker_counters counted;
        {
            const idle_time until_done(counts ? &counted : nullptr);
            finds_hidden = search();
            if (!finds_hidden) {
                ++counted.parked;
                finds_hidden = !sleep(worker, watches);
            }
        }
        if (counts)
            add_counters(worker, counted);
    }
}

// Joins a source that has work; asks the others to make some visible. False if no source had any.
bool pool::join_some(unsigned worker, bool also_hidden, bool& watches) noexcept {
    // relaxed: a hint; sleep() looks again after a fence.
    if (open_sources_.load(std::memory_order_relaxed) == 0)
        return false;
    unsigned slot = work_source::no_slot;
    work_source* found = nullptr;
    bool more = false;
    {
        const scoped_lock lock(mutex_);
        found = find_work(also_hidden);
        if (found == nullptr)
            return false;
        slot = found->take_slot();
        idle_.begin_visit();
        // seq_cst: our search has ended before we look; partner: the fence in event_count::notify_one().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // A thread that left visible or hidden work in another source may have seen us search and therefore woken no
        // thread.
        // relaxed: written under the mutex.
        more = open_sources_.load(std::memory_order_relaxed) > 1 && find_work(true) != nullptr;
        // Another worker has to watch instead; also one that made its source quiet may have seen us search.
        more = more || watches || has_quiet_source();
        if (watches)
            is_watched_ = watches = false;
    }
    if (more)
        idle_.notify_one();
    // It may get a slot that another worker has left.
    sanitizers::happens_after(found);
    sanitizers::happens_after(end_of(*found));
    found->join(slot, worker);
    return true;
}

// Under the mutex: finds a source that is not quiet, has room, and has visible work (or hidden work) or awaits its
// reserved workers. Asks the sources before it to make work visible.
work_source* pool::find_work(bool also_hidden) noexcept {
    return sources_.find([also_hidden](work_source& source) {
        const told_look looks(source);
        source.end_quiet_if_due();
        if (source.is_quiet() || !source.has_room())
            return false;
        if (source.awaits_workers() || source.has_visible_work() || (also_hidden && source.hides_work()))
            return true;
        source.request();
        return false;
    });
}

// Searches for spin_us; true once there is work to join. A member that runs short tasks makes some visible at once; one
// that has not done so for a while may not come to it.
bool pool::search() noexcept {
    constexpr std::int64_t hidden_after_ns = 10'000;
    const std::int64_t begin = monotonic_ns();
    return look_until_found(
        process_configuration().integer("spin_us"),
        [&] { return look_around(monotonic_ns() - begin >= hidden_after_ns); }, [] { return false; });
}

// True if there is work to join. Does not wait for the mutex: if another searcher holds it, that one looks.
bool pool::look_around(bool also_hidden) noexcept {
    // relaxed: as in join_some().
    if (open_sources_.load(std::memory_order_relaxed) == 0 || !mutex_.try_lock())
        return false;
    const bool found = find_work(also_hidden) != nullptr;
    mutex_.unlock();
    return found;
}

// Under the mutex.
bool pool::has_quiet_source() noexcept {
    return sources_.find([](work_source& source) { return source.is_quiet(); }) != nullptr;
}

// False: the worker has found something instead, possibly hidden. A worker that watches sleeps only for a short time.
bool pool::sleep(unsigned worker, bool& watches) noexcept {
    constexpr std::int64_t watch_ns = 60'000;
    bool slept = false, was_woken = false;
    do {
        slept = false;
        sleep_unless(
            idle_, [&] { return has_reason_to_stay_awake(watches); },
            [&](std::uint32_t ticket) {
                slept = true;
                const scoped_activity asleep(activity::sleep);
                if (watches) {
                    was_woken = idle_.sleep(ticket, watch_ns);
                    return;
                }
                const stillness::scoped_sleep counted(still_);
                if (is_woken_before_reports(counted, nullptr, nullptr, [&](std::int64_t ns) {
                        return idle_.is_notified_within(ticket, ns, worker);
                    }))
                    idle_.cancel_sleep();
                else
                    idle_.sleep_as(worker, ticket);
            });
    } while (slept && watches && !was_woken);
    return slept;
}

// For a worker that has announced that it will sleep: looks once more, and asks all sources but the quiet ones. If
// there are quiet ones, the worker watches, unless another one does. `watches`: whether it did so before.
bool pool::has_reason_to_stay_awake(bool& watches) noexcept {
    const bool watched_before = watches;
    {
        const scoped_lock lock(mutex_);
        // Before the look below, which asks the sources that are no longer quiet.
        sources_.find([](work_source& source) {
            const told_look looks(source);
            source.end_quiet_if_due();
            return false;
        });
        // Also before it: a source that becomes quiet later wakes a sleeper.
        const bool sees_quiet = has_quiet_source();
        // A worker that watches looks again soon, so it need not make sure that it sees all private items.
        if (find_work(watches) != nullptr)
            return true;
        if (watches || !is_watched_)
            is_watched_ = watches = sees_quiet;
        if ((watched_before && watches) || sources_.empty())
            return false;
    }
    // An item that was pushed before this point is seen; the push of a later one sees the request. Without the mutex,
    // since it takes some time. Partner: the light fence in split_deque::push_is_private().
    if (!heavy_fence())
        return false;
    const scoped_lock lock(mutex_);
    return find_work(true) != nullptr;
}

namespace {

// A thread that falls asleep, known and counted.
struct known_sleep {
    known_sleep(stillness& in, const wait_reason& why) noexcept
        : self(know_this_thread()), noted(self != nullptr ? &self->waits : nullptr, why), counted(in) {}

    known_thread* const self;
    const scoped_activity asleep{activity::wait};
    const scoped_wait noted;
    const stillness::scoped_sleep counted;
};

}  // namespace

void pool::sleep_in_wait(event_count& members, std::uint32_t ticket, const wait_reason& why) noexcept {
    const known_sleep here(still_, why);
    if (is_woken_before_reports(here.counted, here.self, &why,
                                [&](std::int64_t ns) { return members.is_notified_within(ticket, ns); }))
        members.cancel_sleep();
    else
        members.sleep(ticket);
}

void pool::sleep_in_wait(const futex_word& word, std::uint32_t seen, const wait_reason& why) noexcept {
    const known_sleep here(still_, why);
    if (!is_woken_before_reports(here.counted, here.self, &why,
                                 [&](std::int64_t ns) { return futex_wait(word, seen, ns); }))
        futex_wait(word, seen);
}

void pool::sleep_idle(event_count& members, std::uint32_t ticket) noexcept {
    const scoped_activity asleep(activity::sleep);
    const stillness::scoped_sleep counted(still_);
    if (is_woken_before_reports(counted, nullptr, nullptr,
                                [&](std::int64_t ns) { return members.is_notified_within(ticket, ns); }))
        members.cancel_sleep();
    else
        members.sleep(ticket);
}

void pool::report() noexcept {
    const scoped_lock lock(mutex_);
    warn("pool: %u workers, %u searching, %u asleep", worker_count(), idle_.searching(), idle_.sleeping());
    sources_.find([](work_source& source) {
        report_source(source);
        return false;
    });
}

// There is something to do that no worker comes for, since each waits in a task.
bool pool::lacks_worker() noexcept {
    // relaxed: a hint for the common case that there is no source.
    if (still_.has_awake_worker() || open_sources_.load(std::memory_order_relaxed) == 0)
        return false;
    const scoped_lock lock(mutex_);
    return sources_.find([](work_source& source) {
        const told_look looks(source);
        return source.has_room() && !source.awaits_workers() && source.has_visible_work();
    }) != nullptr;
}

// There are waits, all threads sleep, and there is nothing to do.
bool pool::is_deadlocked(std::uint64_t since) noexcept {
    if (still_.listener() == nullptr || !has_deadlock())
        return false;
    {
        const scoped_lock lock(mutex_);
        if (sources_.find([](work_source& source) {
                const told_look looks(source);
                return source.has_visible_work() || source.hides_work() || source.queued_estimate() != 0;
            }) != nullptr)
            return false;
    }
    return still_.is_still(since);
}

}  // namespace teff
