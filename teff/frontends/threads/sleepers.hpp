// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap of the calls that sleep until some moment, the earliest first, and one step of the thread that wakes them
// (timer.hpp).
//
//                 add    wake_first    count    safe together?
//   add           yes       yes         yes     any thread
//   wake_first     -         -          yes     one thread
//   count                               yes     any thread
// reset_after_fork() excludes everything. A sleeper lies on the stack of its call, until wake_first() has woken it.
#pragma once

#include <teff/base/clock.hpp>
#include <teff/base/futex.hpp>
#include <teff/base/intrusive.hpp>
#include <teff/base/locks.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <cstddef>
#include <cstdint>

namespace teff::threads {

struct sleeper : heap_hook {
    explicit sleeper(std::int64_t moment) noexcept : moment_ns(moment) {}

    const std::int64_t moment_ns;
    parking here;
};

class sleepers {
public:
    constexpr sleepers() noexcept = default;

    // False: may_add(), which is called under the guard and must not use this object, has returned false.
    template <class MayAdd>
    bool add(sleeper& self, MayAdd&& may_add) noexcept {
        bool is_first = false;
        {
            const scoped_lock locked(guard_);
            if (!may_add())
                return false;
            waiting_.add(self);
            ++count_;
            is_first = waiting_.first() == &self;
            if (is_first)
                // relaxed, both: the thread that wakes decides by this word only whether it sleeps; all else, and each
                // change of the word, is under the guard.
                changed_.store(changed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        }
        if (is_first)
            futex_wake(changed_.address(), 1);
        return true;
    }

    // If the first sleeper's moment has come, wakes it and returns true. Otherwise sleeps until that moment, or until
    // another sleeper becomes the first. If there is no sleeper, calls sleep(word, seen), which sleeps while the word
    // has that value.
    template <class Sleep>
    bool wake_first(Sleep&& sleep) noexcept {
        sleeper* due = nullptr;
        std::int64_t pause_ns = futex_no_timeout;
        std::uint32_t seen = 0;
        {
            const scoped_lock locked(guard_);
            if (sleeper* const first = waiting_.first()) {
                pause_ns = first->moment_ns - monotonic_ns();
                if (pause_ns <= 0) {
                    due = &waiting_.take_first();
                    --count_;
                }
            }
            // relaxed: as in add().
            seen = changed_.load(std::memory_order_relaxed);
        }
        if (due != nullptr)
            due->here.wake();
        else if (pause_ns == futex_no_timeout)
            sleep(changed_, seen);
        else
            futex_wait(changed_, seen, pause_ns);
        return due != nullptr;
    }

    std::size_t count() const noexcept {
        const scoped_lock locked(guard_);
        return count_;
    }

    // On the only thread of the child, where nothing sleeps.
    void reset_after_fork() noexcept {
        guard_.reset_after_fork();
        waiting_.clear();
        count_ = 0;
    }

private:
    struct is_earlier {
        bool operator()(const sleeper& a, const sleeper& b) const noexcept { return a.moment_ns < b.moment_ns; }
    };

    mutable mutex guard_;
    // under the guard
    pairing_heap<sleeper, is_earlier> waiting_;
    std::size_t count_ = 0;
    futex_word changed_{0};  // changes when another sleeper is the first
};

}  // namespace teff::threads
