// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleeps that are counted: the last thread that falls asleep sees what the others did before, and what they have left
// can be read while they are held.
#include "definition.hpp"

#include <teff/base/atomic.hpp>
#include <teff/observe/quiescence.hpp>
#include <teff/observe/stall_report.hpp>

namespace scenarios {
namespace {

using teff::quiescence;

struct counted_threads {
    quiescence all;
    unsigned left[2] = {};  // what each thread has left when it sleeps

    // Returns when so many threads are counted.
    void count(unsigned threads) {
        all.count_this_thread();
        model::wait_until([&] { return all.threads() == threads; });
    }
    // A thread that is counted, and does that when `threads` are.
    template <class F>
    auto counted(unsigned threads, F then) {
        return [this, threads, then] {
            count(threads);
            then();
        };
    }
    void sleep_and_leave(unsigned thread, unsigned before, unsigned after) {
        left[thread] = before;
        {
            const quiescence::scoped_sleep asleep(all);
        }
        left[thread] = after;
    }
    // Reads it only if the thread stays asleep.
    void read_held(unsigned thread, unsigned expected) {
        const quiescence::scoped_sleep asleep(all);
        const quiescence::scoped_hold held(all);
        if (held.is_still())
            model::check(left[thread] == expected, "a thread that is held has gone on");
    }
};

TEFF_SCENARIO(quiescence, the_last_one_sees_what_the_other_did) {
    counted_threads shared;
    const auto sleep = [&](unsigned self) {
        shared.count(2);
        shared.left[self] = 1;
        const quiescence::scoped_sleep asleep(shared.all);
        if (asleep.is_last())
            model::check(shared.left[1 - self] == 1, "a thread slept before it had left something");
    };
    model::parallel([&] { sleep(0); }, [&] { sleep(1); });
}

TEFF_SCENARIO(quiescence, a_thread_that_wakes_is_held) {
    counted_threads shared;
    model::parallel(
        shared.counted(2, [&] { shared.sleep_and_leave(0, 1, 2); }),
        shared.counted(2, [&] { shared.read_held(0, 1); }));
    model::check(shared.left[0] == 2, "a thread stayed asleep");
}

TEFF_SCENARIO(quiescence, two_threads_that_wake_are_held) {
    counted_threads shared;
    model::parallel(
        shared.counted(3, [&] { shared.sleep_and_leave(0, 1, 2); }),
        shared.counted(3, [&] { shared.sleep_and_leave(1, 1, 2); }),
        shared.counted(3, [&] { shared.read_held(0, 1); }));
}

TEFF_SCENARIO(quiescence, two_holds_end_one_by_one) {
    counted_threads shared;
    model::parallel(
        [&] {
            shared.count(2);
            shared.left[0] = 1;
            shared.read_held(1, 1);
            shared.left[0] = 2;
        },
        [&] {
            shared.count(2);
            shared.left[1] = 1;
            shared.read_held(0, 1);
            shared.left[1] = 2;
        });
}

TEFF_SCENARIO(quiescence, a_thread_that_is_counted_meanwhile_is_held) {
    counted_threads shared;
    model::parallel(
        [&] {
            shared.all.count_this_thread();
            shared.left[0] = 2;
        },
        [&] {
            shared.all.count_this_thread();
            shared.read_held(0, 0);
        });
}

TEFF_SCENARIO(quiescence, what_a_thread_did_that_leaves_is_seen) {
    counted_threads shared;
    teff::atomic<bool> is_counted{false};
    model::parallel(
        [&] {
            shared.all.count_this_thread();
            // relaxed, both: the order is to be made by the count.
            is_counted.store(true, std::memory_order_relaxed);
            shared.left[0] = 1;
            shared.all.leave_out_this_thread();
        },
        [&] {
            shared.all.count_this_thread();
            model::wait_until([&] { return is_counted.load(std::memory_order_relaxed); });
            shared.read_held(0, 1);
        });
}

TEFF_SCENARIO(quiescence, two_threads_leave) {
    counted_threads shared;
    const auto come_and_leave = [&] {
        shared.all.count_this_thread();
        shared.all.leave_out_this_thread();
    };
    model::parallel(come_and_leave, come_and_leave);
    model::check(shared.all.threads() == 0, "a thread that has left is counted");
    shared.all.count_this_thread();
    model::check(quiescence::scoped_sleep(shared.all).is_last(), "a thread that has left counts as awake");
}

TEFF_SCENARIO(quiescence, a_listener_is_complete) {
    counted_threads shared;
    teff::wait_listener made{};
    model::parallel(
        [&] {
            made.calls_of = [](const void*, std::span<void*>) noexcept { return std::size_t{1}; };
            shared.all.listen(made);
        },
        [&] {
            if (const teff::wait_listener* const seen = shared.all.listener())
                model::check(seen->calls_of != nullptr, "a listener was seen before it was made");
        });
    model::check(shared.all.listener() == &made, "there is no listener");
}

}  // namespace

std::span<const model::scenario> quiescence_scenarios() { return defined_here; }

}  // namespace scenarios
