// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow: the lock of commutative tasks alone; and deferred tasks with the scheduler `demand`, their team and
// the pool's workers, all of them real. Each task is called once, after the tasks that it depends on, whose writes to
// ordinary memory it sees; no thread sleeps for ever; and nothing is touched once sync(), or the object's end, has
// returned.
#include "definition.hpp"
#include "fork_join_kit.hpp"

#include <teff/dataflow.hpp>
#include <teff/depend/exclusion.hpp>
#include <teff/pool/pool.hpp>

#include <array>

namespace scenarios {
namespace {

using teff::depend::exclusion;
using teff::depend::exclusion_waiter;

// Tasks that lock one object. A thread that holds the lock for a task runs it.
class exclusive_tasks {
public:
    void arrive(unsigned task) {
        if (lock_.lock_or_wait(waiters_[task]))
            run_from(&waiters_[task]);
    }
    // Like a task that is called at once: it does not wait for the lock.
    bool try_to_run(unsigned task) {
        if (!lock_.try_lock())
            return false;
        run_from(&waiters_[task]);
        return true;
    }
    void expect_free() { model::check(lock_.try_lock(), "the lock is still held"); }

private:
    void run_from(exclusion_waiter* holder) {
        while (holder != nullptr) {
            model::take(static_cast<unsigned>(holder - waiters_.data()));
            ++runs_;
            holder = lock_.unlock();
        }
    }

    exclusion lock_;
    std::array<exclusion_waiter, 3> waiters_;
    unsigned runs_ = 0;  // ordinary memory: two tasks at once are a race
};

TEFF_SCENARIO(exclusion, two_tasks_exclude_each_other) {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); }, [&] { tasks.arrive(1); });
    tasks.expect_free();
    model::expect_taken_once(2);
}

TEFF_SCENARIO(exclusion, three_tasks_exclude_each_other) {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); }, [&] { tasks.arrive(1); }, [&] { tasks.arrive(2); });
    tasks.expect_free();
    model::expect_taken_once(3);
}

TEFF_SCENARIO(exclusion, a_thread_brings_two_tasks) {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); },
                    [&] {
                        tasks.arrive(1);
                        tasks.arrive(2);
                    });
    tasks.expect_free();
    model::expect_taken_once(3);
}

TEFF_SCENARIO(exclusion, a_task_that_does_not_wait) {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); },
                    [&] {
                        if (!tasks.try_to_run(1))
                            tasks.arrive(1);
                    });
    tasks.expect_free();
    model::expect_taken_once(2);
}

TEFF_SCENARIO(dataflow, a_chain_of_two) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    const open_team team(2);
    {
        teff::object<unsigned> value(0U);
        teff::spawn([&](unsigned& x) { x = one(); }, teff::inout(value));
        teff::spawn([&](unsigned& x) {
            model::check(x == 1, "a task ran before the one that it depends on");
            two();
        }, teff::inout(value));
        teff::sync();
        one.expect(1);
        two.expect(2);
    }
    model::expect_taken_once(2);
}

TEFF_SCENARIO(dataflow, two_readers_and_a_writer) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    const open_team team(2);
    {
        teff::object<unsigned> value(teff::no_renaming, 0U);
        const auto read = [](visit& by) {
            return [&by](const unsigned& x) {
                model::check(x == 0, "a reader saw a later write");
                by();
            };
        };
        teff::spawn(read(one), teff::in(value));
        teff::spawn(read(two), teff::in(value));
        teff::spawn([&](unsigned& x) { x = three(); }, teff::out(value));
        model::check(value.value() == 3, "the writer is missing");
        teff::sync();
    }
    model::expect_taken_once(3);
}

TEFF_SCENARIO(dataflow, a_reader_keeps_the_renamed_value) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    const open_team team(2);
    {
        teff::object<unsigned> value(0U);
        teff::spawn([&](const unsigned& x) {
            model::check(x == 0, "a reader saw a later write");
            one();
        }, teff::in(value));
        teff::spawn([&](unsigned& x) { x = two(); }, teff::out(value));
        teff::sync();
        model::check(value.value() == 2, "the newest value is another one");
    }
    model::expect_taken_once(2);
}

TEFF_SCENARIO(dataflow, a_task_waits_for_two_others) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    const open_team team(2);
    {
        teff::object<unsigned> left(0U), right(0U);
        teff::spawn([&](unsigned& x) { x = one(); }, teff::inout(left));
        teff::spawn([&](unsigned& x) { x = two(); }, teff::inout(right));
        teff::spawn([&](const unsigned& a, const unsigned& b) {
            model::check(a == 1 && b == 2, "a task ran before those that it depends on");
            three();
        }, teff::in(left), teff::in(right));
        // The objects wait for the tasks.
    }
    model::expect_taken_once(3);
}

TEFF_SCENARIO(dataflow, commutative_tasks_on_two_threads) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    const open_team team(2);
    {
        teff::object<unsigned> a(0U), b(0U);
        const auto add = [](visit& by) {
            return [&by](unsigned& x, unsigned& y) {
                by();
                ++x;
                ++y;
            };
        };
        teff::spawn(add(one), teff::commutative(a), teff::commutative(b));
        teff::spawn(add(two), teff::commutative(b), teff::commutative(a));
        teff::sync();
        model::check(a.value() == 2 && b.value() == 2, "a commutative task was lost");
    }
    model::expect_taken_once(2);
}

TEFF_SCENARIO(dataflow, a_reduction_on_two_threads) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    const open_team team(2);
    {
        teff::object<unsigned> sum(4U);
        teff::spawn([&](unsigned& x) { x += one(); }, teff::reduction(sum));
        teff::spawn([&](unsigned& x) { x += two(); }, teff::reduction(sum));
        teff::spawn([&](const unsigned& x) { model::check(x == 7, "a part of the sum is missing"); }, teff::in(sum));
        teff::sync();
    }
    model::expect_taken_once(2);
}

// With `sherwood` all tasks are deferred, so that both threads run them.
TEFF_SCENARIO(dataflow, a_renamed_version_is_left_by_its_last_task) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2), four(3), five(4);
    const open_team team(2, "sherwood");
    {
        teff::object<unsigned> value(0U);
        const auto read = [](visit& by, unsigned expected) {
            return [&by, expected](const unsigned& x) {
                model::check(x == expected, "a reader saw another version");
                by();
            };
        };
        const auto write = [](visit& by) { return [&by](unsigned& x) { x = by(); }; };
        teff::spawn(read(one, 0), teff::in(value));
        teff::spawn(write(two), teff::out(value));
        teff::spawn(read(three, 2), teff::in(value));
        teff::spawn(read(four, 2), teff::in(value));
        teff::spawn(write(five), teff::out(value));
        model::check(value.value() == 5, "the newest value is another one");
        teff::sync();
    }
    model::expect_taken_once(5);
}

// Two tasks wait for tasks of different depths, so that both may have to be searched for.
TEFF_SCENARIO(dataflow, tasks_that_releases_miss_are_searched_for) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2), four(3), five(4), six(5);
    const open_team team(2, "sherwood");
    {
        teff::object<unsigned> deep(0U), left(0U), right(0U);
        const auto write = [](visit& by) { return [&by](unsigned& x) { x = by(); }; };
        const auto read = [](visit& by, unsigned expected) {
            return [&by, expected](const unsigned& a, const unsigned& b) {
                model::check(a == 2 && b == expected, "a task ran before one that it depends on");
                by();
            };
        };
        teff::spawn(write(one), teff::inout(deep));
        teff::spawn(write(two), teff::inout(deep));
        teff::spawn(write(three), teff::inout(left));
        teff::spawn(write(four), teff::inout(right));
        teff::spawn(read(five, 3), teff::in(deep), teff::in(left));
        teff::spawn(read(six, 4), teff::in(deep), teff::in(right));
        teff::sync();
    }
    model::expect_taken_once(6);
}

// Exceptions cannot be caught across a scheduling point, so at most one thread throws at a time.
template <class F>
bool throws(F&& f) {
    try {
        f();
    } catch (...) {
        return true;
    }
    return false;
}
void fail(unsigned&) { throw 1; }

TEFF_SCENARIO(dataflow, a_failure_ends_with_what_is_overwritten) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2), four(3);
    const open_team team(2, "sherwood");
    {
        teff::object<unsigned> first(teff::no_renaming, 0U), second(0U);
        teff::spawn(fail, teff::inout(first));
        teff::spawn([](unsigned&) { model::fail("a task ran that depends on one that has failed"); },
                    teff::inout(first));
        teff::spawn([&](unsigned& x) { x = one(); }, teff::out(first));
        teff::spawn([&](const unsigned& x, unsigned& y) {
            model::check(x == 1, "the overwritten value is missing");
            y = two();
        }, teff::in(first), teff::inout(second));
        model::check(throws([] { teff::sync(); }), "the exception is missing");
        model::check(!throws([] { teff::sync(); }), "an exception was thrown again");
        teff::spawn([&](unsigned& x) {
            model::check(x == 2, "a value is missing");
            x = three();
        }, teff::inout(second));
        teff::spawn([&](unsigned& x) { x = four(); }, teff::inout(first));
        teff::sync();
    }
    model::expect_taken_once(4);
}

// Such a task is called at once.
TEFF_SCENARIO(dataflow, an_idle_object_is_overwritten_after_a_failure) {
    visit one(0), two(1);
    const open_team team(1);
    {
        teff::object<unsigned> value(0U);
        teff::spawn(fail, teff::inout(value));
        teff::spawn([](const unsigned&) { model::fail("a task ran that depends on one that has failed"); },
                    teff::in(value));
        teff::spawn([&](unsigned& x) { x = one(); }, teff::out(value));
        teff::spawn([&](const unsigned& x) {
            model::check(x == 1, "the overwritten value is missing");
            two();
        }, teff::in(value));
        model::check(throws([] { teff::sync(); }), "the exception is missing");
    }
    model::expect_taken_once(2);
}

// A task that could be called at once, with no more than the call, is asked for while the one that it depends on may
// end: either it has to wait, or the failure is seen. (spawn() asks this once enough other tasks are queued.)
TEFF_SCENARIO(dataflow, a_task_is_spawned_beside_one_that_fails) {
    teff::pool::instance().ensure_workers(1);
    const open_team team(2, "sherwood");
    {
        teff::object<unsigned> value(0U);
        teff::spawn(fail, teff::inout(value));
        std::array next{teff::dataflow::request{&value, nullptr, teff::depend::access_kind::in}};
        model::check(!teff::dataflow::procedure::running().starts_plainly(next),
                     "a task would be called that depends on one that has failed");
        teff::spawn([](const unsigned&) { model::fail("a task ran that depends on one that has failed"); },
                    teff::in(value));
        model::check(throws([] { teff::sync(); }), "the exception is missing");
    }
}

// The rest: teams with room for a second member, which does not come, so that sync() runs all tasks.

// A failure counts in the function that has spawned the task, and in no other one.
TEFF_SCENARIO(dataflow, two_functions_tell_their_failures_apart) {
    visit one(0), two(1);
    teff::object<unsigned> passed(0U), other(0U);
    teff::atomic<bool> has_passed{false};
    model::parallel(
        [&] {
            const open_team team(2, "sherwood");
            teff::spawn(fail, teff::inout(passed));
            model::check(throws([] { teff::sync(); }), "the exception is missing");
            // release: the object is passed on; partner: the acquire below.
            has_passed.store(true, std::memory_order_release);
        },
        [&] {
            const open_team team(2, "sherwood");
            teff::spawn([&](unsigned& x) { x = one(); }, teff::inout(other));
            // acquire: see above.
            model::wait_until([&] { return has_passed.load(std::memory_order_acquire); });
            teff::spawn([&](unsigned& x) { x = two(); }, teff::inout(passed));
            teff::sync();
        });
    model::expect_taken_once(2);
}

TEFF_SCENARIO(dataflow, a_stop_request_counts_for_one_sync) {
    visit one(0);
    const open_team team(2, "sherwood");
    {
        teff::object<unsigned> value(0U);
        teff::spawn([&](unsigned& x) { x = one(); }, teff::inout(value));
        team->begin_stop();
        model::check(throws([] { teff::sync(); }), "a task was not called, and sync() says nothing of it");
        model::check(!throws([] { teff::sync(); }), "a stop request was reported again");
    }
    model::expect_taken_once(0);
}

// As much memory as one renamed version needs.
constexpr std::size_t one_version = sizeof(teff::dataflow::version) + sizeof(unsigned);

// Whether an object in use is renamed.
bool is_renamed() {
    const open_team team(2, "sherwood", teff::scheduler_settings{}.private_items, 10, one_version);
    teff::object<unsigned> value(0U);
    const unsigned* const first = &value.value();
    teff::spawn([](const unsigned&) {}, teff::in(value));
    teff::spawn([](unsigned& x) { x = 1; }, teff::out(value));
    return &value.value() != first;
}

TEFF_SCENARIO(dataflow, renamed_memory_is_counted) {
    model::parallel([] { is_renamed(); }, [] { is_renamed(); });
    model::check(is_renamed(), "versions that are gone are still counted");
}

}  // namespace

std::span<const model::scenario> dataflow_scenarios() { return defined_here; }

}  // namespace scenarios
