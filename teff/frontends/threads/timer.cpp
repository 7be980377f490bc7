// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that wakes sleeping calls, and its start; see timer.hpp.
#include <teff/frontends/threads/timer.hpp>

#include <teff/base/clock.hpp>
#include <teff/base/futex.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/threads/sleepers.hpp>
#include <teff/pool/pool.hpp>

#include <pthread.h>

namespace teff::threads {
namespace {

class timer {
public:
    constexpr timer() noexcept = default;

    // False: there is no thread that would wake it.
    bool add(sleeper& self) noexcept {
        ::pthread_once(&forks_handled_, handle_forks);
        return sleepers_.add(self, [this] {
            if (!is_running_)
                is_running_ = start_thread(run, nullptr);
            return is_running_;
        });
    }

    std::size_t count() const noexcept { return sleepers_.count(); }

private:
    static void* run(void*) noexcept;
    static void handle_forks() noexcept;
    static void reset_in_child() noexcept;

    static inline constinit pthread_once_t forks_handled_ = PTHREAD_ONCE_INIT;

    sleepers sleepers_;
    bool is_running_ = false;  // under the guard of the sleepers
};

constinit timer the_timer;

void* timer::run(void*) noexcept {
    pool& runtime = pool::instance();
    // This thread ends waits, so the deadlock detection must count it.
    process_quiescence().count_this_thread();
    for (;;)
        the_timer.sleepers_.wake_first([&](const futex_word& changed, std::uint32_t seen) {
            const quiescence::scoped_sleep asleep(process_quiescence());
            if (!runtime.is_woken_before_reports(asleep, nullptr, nullptr,
                                                 [&](std::int64_t ns) { return futex_wait(changed, seen, ns); }))
                futex_wait(changed, seen);
        });
}

void timer::handle_forks() noexcept { pthread_atfork(nullptr, nullptr, reset_in_child); }

// On the only thread of the child.
void timer::reset_in_child() noexcept {
    the_timer.sleepers_.reset_after_fork();
    the_timer.is_running_ = false;
}

void sleep_as_thread(std::int64_t moment_ns) noexcept {
    timespec until{};
    until.tv_sec = static_cast<time_t>(moment_ns / 1'000'000'000);
    until.tv_nsec = static_cast<long>(moment_ns % 1'000'000'000);
    while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
    }
}

}  // namespace

void sleep_until(std::int64_t moment_ns) noexcept {
    if (moment_ns <= monotonic_ns())
        return;
    sleeper self(moment_ns);
    if (!the_timer.add(self)) {
        sleep_as_thread(moment_ns);
        return;
    }
    self.here.wait({.kind = "a time", .event = "to come"});
}

std::size_t sleeping() noexcept { return the_timer.count(); }

}  // namespace teff::threads
