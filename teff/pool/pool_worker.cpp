// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of a worker of the pool: it joins a source, searches, or sleeps. See pool.hpp for the design.
#include <teff/pool/pool.hpp>

#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/machine/placement.hpp>
#include <teff/observe/counters.hpp>
#include <teff/observe/thread_waits.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/strand/worker.hpp>

#include <cstdint>

namespace teff {

bool pool::binds_workers() const noexcept {
    // relaxed: see choose_binding().
    const binding chosen = binding_.load(std::memory_order_relaxed);
    return chosen != binding::as_option ? chosen == binding::bound : process_configuration().text("bind") == "cores";
}

// A worker that is in no source counts as searching, unless it sleeps.
void pool::work(unsigned worker) noexcept {
    this_thread().worker = worker;
    process_quiescence().count_this_thread();
    const configuration& options = process_configuration();
    if (binds_workers())
        // If this fails, the worker stays where the system places it.
        [[maybe_unused]] const bool bound = bind_worker_thread(machine_topology(), worker);
    const bool counts = options.text("counters") == "on";
    begin_activity(activity::pool);
    for (bool finds_hidden = false, watches = false; !ends_worker(watches);) {
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
    begin_activity(activity::outside);
    forget_this_thread();
    // Destructors of the program's thread-local objects that use the runtime do so like any other thread.
    this_thread().worker = 0;
}

// Whether the calling worker, which is in no source, is to end. It then no longer belongs to the pool.
bool pool::ends_worker(bool watches) noexcept {
    // relaxed: a hint; has_reason_to_stay_awake() reads it under the mutex.
    if (ending_.load(std::memory_order_relaxed) == 0) [[likely]]
        return false;
    {
        const scoped_lock lock(mutex_);
        // relaxed, all: written under the mutex.
        const unsigned left = ending_.load(std::memory_order_relaxed);
        if (left == 0)
            return false;
        ending_.store(left - 1, std::memory_order_relaxed);
        started_.store(started_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
        --requested_;
        if (started_.load(std::memory_order_relaxed) == 0) {
            requested_ = 0;
            next_number_ = 1;
        }
        if (watches)
            is_watched_ = false;
        idle_.end_search();
    }
    // A publisher may have seen this worker search and therefore woken no other one.
    idle_.notify_one();
    settle_one();
    return true;
}

// Joins the first source that has work; asks the sources before it to make work visible. False if no source has work.
bool pool::join_some(unsigned worker, bool also_hidden, bool& watches) noexcept {
    // relaxed: a hint; sleep() looks again after a fence.
    if (open_sources_.load(std::memory_order_relaxed) == 0)
        return false;
    unsigned slot = work_source::no_slot;
    work_source* found = nullptr;
    bool more = false;
    {
        const scoped_lock lock(mutex_);
        // relaxed: written under the mutex. Workers that are to end join nothing.
        if (ending_.load(std::memory_order_relaxed) != 0) [[unlikely]]
            return false;
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
        // If this worker polled the quiet sources (watched), or if there is a quiet source, another worker must take
        // over: a thread that made its source quiet may have seen us search and therefore woken no thread.
        more = more || watches || has_quiet_source();
        if (watches)
            is_watched_ = watches = false;
    }
    if (more)
        idle_.notify_one();
    // The worker may get a slot that another worker has given back.
    happens_after(*found, found);
    happens_after(*found, end_of_source(*found));
    found->join(slot, worker);
    return true;
}

// Under the mutex: finds a source that is not quiet, has room, and has visible work (or hidden work) or awaits its
// reserved workers. Asks the sources before it to make work visible.
work_source* pool::find_work(bool also_hidden) noexcept {
    return sources_.find([also_hidden](work_source& source) {
        const annotated_look looks(source);
        source.end_quiet_if_due();
        if (source.is_quiet() || !source.has_room())
            return false;
        if (source.awaits_workers() || source.has_visible_work() || (also_hidden && source.hides_work()))
            return true;
        source.request();
        return false;
    });
}

// Searches for spin_us; true once there is work to join. Looks for hidden work, too, after a while: a member that runs
// short tasks answers a request at once, but one inside a long task does not.
bool pool::search() noexcept {
    constexpr std::int64_t hidden_after_ns = 10'000;
    const std::int64_t begin = monotonic_ns();
    return look_until_found(
        process_configuration().integer("spin_us"),
        [&] { return look_around(monotonic_ns() - begin >= hidden_after_ns); }, [] { return false; });
}

// True if there is work to join. Does not wait for the mutex: its holder is probably another searcher, which looks for
// the same. Also true if workers are to end.
bool pool::look_around(bool also_hidden) noexcept {
    // relaxed: a hint, as in ends_worker().
    if (ending_.load(std::memory_order_relaxed) != 0) [[unlikely]]
        return true;
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

// False: the worker has found work instead of sleeping; the work may be hidden. A worker that watches sleeps only for a
// short time.
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
                const quiescence::scoped_sleep counted(process_quiescence());
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

// For a worker that has announced that it will sleep: looks once more, and sends a request to all sources that are not
// quiet. If there are quiet sources, the worker watches them, unless another worker does. `watches`: in, whether this
// worker watched before; out, whether it watches now.
bool pool::has_reason_to_stay_awake(bool& watches) noexcept {
    const bool watched_before = watches;
    {
        const scoped_lock lock(mutex_);
        // relaxed: written under the mutex. The workers that are to end are woken after that.
        if (ending_.load(std::memory_order_relaxed) != 0) [[unlikely]]
            return true;
        // Runs before find_work() below, which sends a request to each source that is no longer quiet.
        sources_.find([](work_source& source) {
            const annotated_look looks(source);
            source.end_quiet_if_due();
            return false;
        });
        // Also read before find_work(): a source that becomes quiet after this point wakes a sleeper.
        const bool sees_quiet = has_quiet_source();
        // All other workers look for hidden work after the heavy fence below. A worker that keeps watching skips that
        // fence and looks for hidden work here: it may miss some, but it looks again soon.
        if (find_work(watches) != nullptr)
            return true;
        if (watches || !is_watched_)
            is_watched_ = watches = sees_quiet;
        if ((watched_before && watches) || sources_.empty())
            return false;
    }
    // A heavy fence: an item that was pushed before this point is seen, and the push of a later item sees the request.
    // It is executed without the mutex, since it takes some time. Partner: the light fence in
    // split_deque::push_is_private().
    if (!heavy_fence())
        return false;
    const scoped_lock lock(mutex_);
    return find_work(true) != nullptr;
}

}  // namespace teff
