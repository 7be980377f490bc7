// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow: the lock of commutative tasks alone; and deferred tasks with the scheduler `demand`, their team and
// the pool's workers, all of them real. Each task is called once, after the tasks that it depends on, whose writes to
// ordinary memory it sees; no thread sleeps for ever; and nothing is touched once sync(), or the object's end, has
// returned.
#include "fork_join_kit.hpp"

#include <teff/dataflow.hpp>
#include <teff/dataflow/exclusion.hpp>
#include <teff/runtime/pool.hpp>

#include <array>

namespace scenarios {
namespace {

using teff::dataflow::exclusion;
using teff::dataflow::exclusion_waiter;

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

void two_tasks_exclude_each_other() {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); }, [&] { tasks.arrive(1); });
    tasks.expect_free();
    model::expect_taken_once(2);
}

void three_tasks_exclude_each_other() {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); }, [&] { tasks.arrive(1); }, [&] { tasks.arrive(2); });
    tasks.expect_free();
    model::expect_taken_once(3);
}

void a_thread_brings_two_tasks() {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); },
                    [&] {
                        tasks.arrive(1);
                        tasks.arrive(2);
                    });
    tasks.expect_free();
    model::expect_taken_once(3);
}

void a_task_that_does_not_wait() {
    exclusive_tasks tasks;
    model::parallel([&] { tasks.arrive(0); },
                    [&] {
                        if (!tasks.try_to_run(1))
                            tasks.arrive(1);
                    });
    tasks.expect_free();
    model::expect_taken_once(2);
}

void a_chain_of_two() {
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

void two_readers_and_a_writer() {
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

void a_reader_keeps_the_renamed_value() {
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

void a_task_waits_for_two_others() {
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

void commutative_tasks_on_two_threads() {
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

void a_reduction_on_two_threads() {
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

constexpr model::scenario all[] = {
    {"exclusion", "two_tasks_exclude_each_other", two_tasks_exclude_each_other},
    {"exclusion", "three_tasks_exclude_each_other", three_tasks_exclude_each_other},
    {"exclusion", "a_thread_brings_two_tasks", a_thread_brings_two_tasks},
    {"exclusion", "a_task_that_does_not_wait", a_task_that_does_not_wait},
    {"dataflow", "a_chain_of_two", a_chain_of_two},
    {"dataflow", "two_readers_and_a_writer", two_readers_and_a_writer},
    {"dataflow", "a_reader_keeps_the_renamed_value", a_reader_keeps_the_renamed_value},
    {"dataflow", "a_task_waits_for_two_others", a_task_waits_for_two_others},
    {"dataflow", "commutative_tasks_on_two_threads", commutative_tasks_on_two_threads},
    {"dataflow", "a_reduction_on_two_threads", a_reduction_on_two_threads},
};

}  // namespace

std::span<const model::scenario> dataflow_scenarios() { return all; }

}  // namespace scenarios
