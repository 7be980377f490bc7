// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sleeps of threads that wait or have nothing to do, and the reports of the thread that falls asleep last. See
// pool.hpp and quiescence.hpp.
#include <teff/pool/pool.hpp>

#include <teff/base/assert.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/work_source.hpp>

#include <cstdint>

namespace teff {
namespace {

// Under the pool's mutex.
void report_source(work_source& source) noexcept {
    const annotated_look looks(source);
    warn("team: %u members besides its caller, about %zu items queued, %s", source.held_workers(),
         source.queued_estimate(), source.has_room() ? "has room" : "full");
}

// Makes the thread known, and notes and counts its sleep, from construction to destruction.
struct known_sleep {
    explicit known_sleep(const wait_reason& why) noexcept
        : self(know_this_thread()), noted(self != nullptr ? &self->waits : nullptr, why) {}

    known_thread* const self;
    const scoped_activity asleep{activity::wait};
    const scoped_wait noted;
    const quiescence::scoped_sleep counted{process_quiescence()};
};

}  // namespace

void pool::sleep_in_wait(event_count& members, std::uint32_t ticket, const wait_reason& why) noexcept {
    const known_sleep sleep(why);
    if (is_woken_before_reports(sleep.counted, sleep.self, &why,
                                [&](std::int64_t ns) { return members.is_notified_within(ticket, ns); }))
        members.cancel_sleep();
    else
        members.sleep(ticket);
}

void pool::sleep_in_wait(const futex_word& word, std::uint32_t seen, const wait_reason& why) noexcept {
    const known_sleep sleep(why);
    if (!is_woken_before_reports(sleep.counted, sleep.self, &why,
                                 [&](std::int64_t ns) { return futex_wait(word, seen, ns); }))
        futex_wait(word, seen);
}

void pool::sleep_idle(event_count& members, std::uint32_t ticket) noexcept {
    const scoped_activity asleep(activity::sleep);
    const quiescence::scoped_sleep counted(process_quiescence());
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

// Whether a source that awaits no reserved workers has work and room while no worker is awake.
bool pool::lacks_worker() noexcept {
    // relaxed: a hint for the common case that there is no source.
    if (process_quiescence().has_awake_worker() || open_sources_.load(std::memory_order_relaxed) == 0)
        return false;
    const scoped_lock lock(mutex_);
    return sources_.find([](work_source& source) {
        const annotated_look looks(source);
        return source.has_room() && !source.awaits_workers() && source.has_visible_work();
    }) != nullptr;
}

// Whether there is a deadlock: a wait for an object, no work in any source, and all threads asleep since `since`.
bool pool::is_deadlocked(std::uint64_t since) noexcept {
    if (process_quiescence().listener() == nullptr || !has_deadlock())
        return false;
    {
        const scoped_lock lock(mutex_);
        if (sources_.find([](work_source& source) {
                const annotated_look looks(source);
                return source.has_visible_work() || source.hides_work() || source.queued_estimate() != 0;
            }) != nullptr)
            return false;
    }
    return process_quiescence().is_still(since);
}

// How long threads sleep before a stall is reported.
std::int64_t pool::stall_limit_ns() noexcept {
    const std::int64_t seconds = process_configuration().integer("stall_report_s");
    return seconds == 0 ? futex_no_timeout : seconds * 1'000'000'000;
}

}  // namespace teff
