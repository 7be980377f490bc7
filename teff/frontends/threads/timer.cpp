// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See timer.hpp.
#include <teff/frontends/threads/timer.hpp>

#include <teff/base/clock.hpp>
#include <teff/base/futex.hpp>
#include <teff/base/mutex.hpp>
#include <teff/base/pairing_heap.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/runtime/pool.hpp>

#include <pthread.h>

namespace teff::threads {
namespace {

struct sleeper : heap_hook {
    explicit sleeper(std::int64_t moment) noexcept : moment_ns(moment) {}

    const std::int64_t moment_ns;
    parking here;
};
struct is_earlier {
    bool operator()(const sleeper& a, const sleeper& b) const noexcept { return a.moment_ns < b.moment_ns; }
};

class timer {
public:
    constexpr timer() noexcept = default;

    // False: there is no thread that would wake it.
    bool add(sleeper& self) noexcept {
        ::pthread_once(&forks_handled_, handle_forks);
        bool is_first = false;
        {
            const scoped_lock locked(guard_);
            if (!is_running_ && !start_thread(run, nullptr))
                return false;
            is_running_ = true;
            sleepers_.add(self);
            ++count_;
            is_first = sleepers_.first() == &self;
            if (is_first)
                // relaxed: the thread decides by this word only whether it sleeps; all else is under the guard.
                changed_.fetch_add(1, std::memory_order_relaxed);
        }
        if (is_first)
            futex_wake(changed_.address(), 1);
        return true;
    }

    std::size_t count() const noexcept {
        const scoped_lock locked(guard_);
        return count_;
    }

private:
    static void* run(void*) noexcept;
    [[noreturn]] void wake_in_time() noexcept {
        for (;;) {
            std::int64_t pause_ns = futex_no_timeout;
            std::uint32_t seen = 0;
            sleeper* due = nullptr;
            {
                const scoped_lock locked(guard_);
                if (sleeper* const first = sleepers_.first()) {
                    pause_ns = first->moment_ns - monotonic_ns();
                    if (pause_ns <= 0) {
                        due = &sleepers_.take_first();
                        --count_;
                    }
                }
                // relaxed: as in add().
                seen = changed_.load(std::memory_order_relaxed);
            }
            if (due != nullptr)
                due->here.wake();
            else if (pause_ns == futex_no_timeout)
                sleep(seen);
            else
                futex_wait(changed_, seen, pause_ns);
        }
    }

    // Nothing is to be woken.
    void sleep(std::uint32_t seen) noexcept {
        pool& runtime = pool::instance();
        const stillness::scoped_sleep asleep(runtime.still());
        runtime.look_for_deadlock(asleep, [&](std::int64_t ns) { return futex_wait(changed_, seen, ns); });
        futex_wait(changed_, seen);
    }

    static void handle_forks() noexcept;
    static void reset_in_child() noexcept;

    static inline constinit pthread_once_t forks_handled_ = PTHREAD_ONCE_INIT;

    mutable mutex guard_;
    // under the guard
    pairing_heap<sleeper, is_earlier> sleepers_;
    std::size_t count_ = 0;
    bool is_running_ = false;
    futex_word changed_{0};  // changes when another sleeper is the first
};

constinit timer the_timer;

void* timer::run(void*) noexcept {
    // It ends waits, so a deadlock takes it into account.
    pool::instance().still().count_this_thread();
    the_timer.wake_in_time();
}

void timer::handle_forks() noexcept { pthread_atfork(nullptr, nullptr, reset_in_child); }

// On the only thread of the child.
void timer::reset_in_child() noexcept {
    the_timer.guard_.reset_after_fork();
    the_timer.sleepers_.clear();
    the_timer.count_ = 0;
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
