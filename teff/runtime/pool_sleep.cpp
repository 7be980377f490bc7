// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads sleep that wait for something or have nothing to do, and what the last one that falls asleep reports. See
// pool.hpp and stillness.hpp.
#include <teff/runtime/pool.hpp>

#include <teff/base/assert.hpp>
#include <teff/runtime/options.hpp>
#include <teff/runtime/timeline.hpp>
#include <teff/runtime/told_look.hpp>

#include <cstdint>

namespace teff {
namespace {

// Under the pool's mutex.
void report_source(work_source& source) noexcept {
    const told_look looks(source);
    warn("team: %u members besides its caller, about %zu items queued, %s", source.held_workers(),
         source.queued_estimate(), source.has_room() ? "has room" : "full");
}

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

// How long threads sleep before a stall is reported.
std::int64_t pool::stall_limit_ns() noexcept {
    const std::int64_t seconds = process_configuration().integer("stall_report_s");
    return seconds == 0 ? futex_no_timeout : seconds * 1'000'000'000;
}

}  // namespace teff
