// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool of workers with real teams, elastic and fixed: starting, joining, sleeping, help that must come, and
// closing.
//
// Reductions are built as the front end builds them, but without the options of a call, so that no stop token is
// involved. The workers are the pool's own: fibers that start_thread() makes. They sleep when the scenario has ended (a
// worker that did not would be a livelock). The pool is a static variable, which the checker restores after each
// execution. Tasks that wait for each other turn missing help into a livelock.
#include "definition.hpp"

#include <teff/base/atomic.hpp>
#include <teff/frontends/reduce/reduction_team.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/pool.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/scheduler/blaze.hpp>
#include <teff/scheduler/demand.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/region.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/tree_combination.hpp>

#include <cstdlib>

namespace scenarios {
namespace {

// A task of a size that lets a shared part hold four.
struct task {
    unsigned number;
    std::byte padding[1020];
};

using demand = teff::demand_scheduler<task>;
using blaze = teff::blaze_scheduler<task, teff::epoch_reclaimer>;

constexpr long spin_us = 10;  // one look at the model's clock

teff::scheduler_settings settings_for(unsigned slots) {
    teff::scheduler_settings made;
    made.slots = slots;
    made.block_size = 2;
    made.epoch_threshold = 1;
    return made;
}

// The sum of the results of the tasks that `add_first` adds, and of those that they add.
template <class Team, class AddFirst>
unsigned run(Team& team, AddFirst&& add_first) {
    unsigned sum = 0;
    team.run(sum, add_first);
    return sum;
}

// Runs tasks 0 to first - 1 and what they enqueue on up to `threads` threads; returns the sum of body's results.
template <class Scheduler, class Body>
unsigned reduce(unsigned threads, unsigned first, Body body) {
    teff::pool::instance().ensure_workers(threads - 1);
    teff::reducing::reduction_team<Scheduler, Body, task, unsigned> team(settings_for(threads), spin_us, body);
    return run(team, [first](auto&& add) {
        for (unsigned i = 0; i < first; ++i)
            add(task{i, {}});
    });
}

// Tasks 0..count-1 as a binary tree: i has the children 2i+1 and 2i+2.
template <class Scheduler>
void run_tree(unsigned threads, unsigned count) {
    const auto body = [count](auto& pool, task&& mine) {
        model::take(mine.number);
        for (const unsigned child : {2 * mine.number + 1, 2 * mine.number + 2}) {
            if (child < count)
                pool.enq(task{child, {}});
        }
        return 1U;
    };
    model::check(reduce<Scheduler>(threads, 1, body) == count, "the sum of the tasks is wrong");
    model::expect_taken_once(count);
}

TEFF_SCENARIO(pool, demand_tree_on_two_threads) { run_tree<demand>(2, 5); }
TEFF_SCENARIO(pool, demand_tree_on_three_threads) { run_tree<demand>(3, 6); }
TEFF_SCENARIO(pool, blaze_tree_on_two_threads) { run_tree<blaze>(2, 5); }
TEFF_SCENARIO(pool, blaze_tree_on_three_threads) { run_tree<blaze>(3, 4); }

// Workers sleep between two reductions, or are about to sleep when the second one begins.
TEFF_SCENARIO(pool, a_second_reduction_finds_the_workers_of_the_first) {
    const auto body = [](auto&, task&& mine) { return mine.number + 1; };
    model::check(reduce<demand>(2, 2, body) == 3, "the first sum is wrong");
    model::check(reduce<demand>(2, 2, body) == 3, "the second sum is wrong");
}

// As many tasks as threads, all of them first tasks; none ends before all have begun.
template <class Scheduler>
void wait_for_each_other(unsigned threads, teff::atomic<unsigned>& begun, unsigned all_tasks) {
    const auto body = [&begun, all_tasks](auto&, task&&) {
        begun.fetch_add(1, std::memory_order_relaxed);
        model::wait_until([&] { return begun.load(std::memory_order_relaxed) == all_tasks; });
        return 1U;
    };
    model::check(reduce<Scheduler>(threads, threads, body) == threads, "a task was lost or doubled");
}
template <class Scheduler>
void tasks_that_wait_for_each_other(unsigned threads) {
    teff::atomic<unsigned> begun{0};
    wait_for_each_other<Scheduler>(threads, begun, threads);
}
TEFF_SCENARIO(pool, demand_two_tasks_that_wait_for_each_other) { tasks_that_wait_for_each_other<demand>(2); }
TEFF_SCENARIO(pool, demand_three_tasks_that_wait_for_each_other) { tasks_that_wait_for_each_other<demand>(3); }
TEFF_SCENARIO(pool, blaze_two_tasks_that_wait_for_each_other) { tasks_that_wait_for_each_other<blaze>(2); }

// Two threads outside the pool have a team each; either team may get the pool's one worker.
TEFF_SCENARIO(pool, two_callers_at_once) {
    const auto call = [] {
        const auto body = [](auto&, task&& mine) { return mine.number + 1; };
        model::check(reduce<demand>(2, 2, body) == 3, "a sum is wrong");
    };
    model::parallel(call, call);
}

// Each of two callers needs one of the two workers, since no task ends before all have begun. Both callers may see the
// same worker searching. It joins only one of them, and then has to wake the other worker for the other team.
TEFF_SCENARIO(pool, two_callers_need_a_worker_each) {
    teff::pool::instance().ensure_workers(2);
    teff::atomic<unsigned> begun{0};
    const auto call = [&begun] { wait_for_each_other<demand>(2, begun, 4); };
    model::parallel(call, call);
}

// The same with items that are made visible after the teams were opened, so that the pool's mutex orders nothing. Each
// caller is in its first task before there are workers, and enqueues the second task there.
void two_callers_show_work_at_once() {
    teff::atomic<unsigned> begun{0}, ready{0};
    const auto call = [&begun, &ready] {
        const auto body = [&begun, &ready](auto& pool, task&& mine) {
            if (mine.number == 0) {
                ready.fetch_add(1, std::memory_order_relaxed);
                model::wait_until([&] { return ready.load(std::memory_order_relaxed) == 2; });
                teff::pool::instance().ensure_workers(2);
                pool.enq(task{1, {}});
            }
            begun.fetch_add(1, std::memory_order_relaxed);
            model::wait_until([&] { return begun.load(std::memory_order_relaxed) == 4; });
            return 1U;
        };
        auto copy = body;
        teff::reducing::reduction_team<demand, decltype(copy), task, unsigned> team(settings_for(2), spin_us, copy);
        model::check(run(team, [](auto&& add) { add(task{0, {}}); }) == 2, "a task was lost or doubled");
    };
    model::parallel(call, call);
}

// The same where the kernel refuses heavy fences. No worker can take what a caller keeps private, so a caller that
// relies on the workers of the other one must see them counted as idle.
TEFF_SCENARIO(pool, two_callers_show_work_without_force) {
    teff::refuses_heavy_fences = true;
    two_callers_show_work_at_once();
}

// Steps of a scenario that wait for each other. relaxed, both: what a member has to see, the library orders.
void set(teff::atomic<bool>& flag) { flag.store(true, std::memory_order_relaxed); }
void wait_for(teff::atomic<bool>& flag) {
    model::wait_until([&] { return flag.load(std::memory_order_relaxed); });
}

// A member pushes an item without a look for idle workers, since it has a visible one, and then waits until the item
// has begun. Meanwhile the other member takes the visible one, finds nothing more and falls asleep.
TEFF_SCENARIO(pool, a_member_falls_asleep_while_an_item_is_pushed) {
    teff::atomic<bool> is_other_busy{false}, may_other_end{false}, has_last_begun{false};
    const auto body = [&](auto& pool, task&& mine) {
        switch (mine.number) {
        case 0:
            wait_for(is_other_busy);
            pool.enq(task{2, {}});
            pool.enq(task{3, {}});
            break;
        case 1:
            set(is_other_busy);
            wait_for(may_other_end);
            break;
        case 3:
            set(may_other_end);
            pool.enq(task{4, {}});
            wait_for(has_last_begun);
            break;
        case 4:
            set(has_last_begun);
            break;
        default:
            break;
        }
        return 1U;
    };
    model::check(reduce<demand>(2, 2, body) == 5, "a task was lost or doubled");
}

// The same with a worker that starts after the item was pushed and sleeps if it finds nothing. The other member is busy
// by then with the last visible item.
TEFF_SCENARIO(pool, a_worker_starts_while_an_item_is_hidden) {
    teff::atomic<bool> is_other_busy{false}, may_other_end{false}, has_last_begun{false};
    const auto body = [&](auto& pool, task&& mine) {
        switch (mine.number) {
        case 0:
            wait_for(is_other_busy);
            // The second one makes the first one visible.
            pool.enq(task{2, {}});
            pool.enq(task{3, {}});
            break;
        case 1:
            set(is_other_busy);
            wait_for(may_other_end);
            break;
        case 2:
            teff::pool::instance().ensure_workers(2);
            wait_for(has_last_begun);
            break;
        case 3:
            pool.enq(task{4, {}});
            set(may_other_end);
            wait_for(has_last_begun);
            break;
        default:
            set(has_last_begun);
            break;
        }
        return 1U;
    };
    auto copy = body;
    teff::pool::instance().ensure_workers(1);
    teff::reducing::reduction_team<demand, decltype(copy), task, unsigned> team(settings_for(3), spin_us, copy);
    const unsigned sum = run(team, [](auto&& add) {
        add(task{0, {}});
        add(task{1, {}});
    });
    model::check(sum == 5, "a task was lost or doubled");
}

// A task's child is for the caller, which sleeps. The worker that searched when the child came may leave for the other
// team, whose tasks wait for the child.
TEFF_SCENARIO(pool, a_worker_that_leaves_calls_the_caller) {
    teff::pool::instance().ensure_workers(2);
    teff::atomic<bool> done{false};
    const auto wait = [&done] { model::wait_until([&] { return done.load(std::memory_order_relaxed); }); };
    const auto first_team = [&] {
        teff::idle_tracker* idle = nullptr;
        auto body = [&](auto& pool, task&& mine) {
            if (mine.number == 1) {
                done.store(true, std::memory_order_relaxed);
                return 1U;
            }
            // While no worker is idle, a child may stay hidden. If the caller runs this task, there is an idle worker.
            if (teff::this_thread().worker != 0)
                model::wait_until([&] { return idle->members().sleeping() != 0; });
            pool.enq(task{1, {}});
            wait();
            return 1U;
        };
        teff::reducing::reduction_team<demand, decltype(body), task, unsigned> team(settings_for(3), spin_us, body);
        idle = &team.idle();
        model::check(run(team, [](auto&& add) { add(task{0, {}}); }) == 2, "a task was lost or doubled");
    };
    const auto second_team = [&] {
        const auto body = [&](auto&, task&&) {
            wait();
            return 1U;
        };
        model::check(reduce<demand>(2, 2, body) == 2, "a task was lost or doubled");
    };
    model::parallel(first_team, second_team);
}

// A task starts a reduction of its own on the same pool.
TEFF_SCENARIO(pool, a_reduction_inside_a_task) {
    const auto inner = [](auto&, task&& mine) { return mine.number + 1; };
    const auto outer = [&inner](auto&, task&&) {
        auto body = inner;
        teff::reducing::reduction_team<demand, decltype(body), task, unsigned> team(settings_for(2), spin_us, body);
        return run(team, [](auto&& add) { add(task{0, {}}); });
    };
    model::check(reduce<demand>(2, 2, outer) == 2, "the sum of the inner sums is wrong");
}

// Runs one region in a team that ends with it. (The team that a thread keeps is in the storage of a real thread.)
unsigned run_once(unsigned threads, teff::region_function body, void* argument) {
    teff::team_options how;
    how.settings = settings_for(threads);
    how.scheduler = "demand";
    how.spin_us = spin_us;
    teff::task_team* const team = teff::make_task_team(how, {}, teff::admission::fixed);
    team->form();
    const unsigned size = team->run_region(threads, body, argument);
    team->dissolve();
    delete team;
    return size;
}

// The members of a region wait for each other, so each of them must be present exactly once.
struct rendezvous {
    teff::atomic<unsigned> present{0};
    unsigned expected = 0;

    static void attend(void* argument, unsigned member, unsigned size) noexcept {
        auto& self = *static_cast<rendezvous*>(argument);
        model::check(member < size && size == self.expected, "a member has a wrong number");
        constexpr unsigned bits = 4;  // of the count of each member
        self.present.fetch_add(1U << bits * member, std::memory_order_relaxed);
        unsigned all = 0;
        for (unsigned i = 0; i < size; ++i)
            all |= 1U << bits * i;
        model::wait_until([&] { return self.present.load(std::memory_order_relaxed) == all; });
    }
    void run(unsigned threads) {
        expected = threads;
        model::check(run_once(threads, attend, this) == threads, "the region is too small");
    }
};

TEFF_SCENARIO(pool, a_region_of_three) {
    rendezvous all;
    all.run(3);
}

TEFF_SCENARIO(pool, two_regions_in_a_row) {
    rendezvous first, second;
    first.run(2);
    second.run(3);
}

TEFF_SCENARIO(pool, two_regions_at_once) {
    const auto call = [] {
        rendezvous all;
        all.run(2);
    };
    model::parallel(call, call);
}

TEFF_SCENARIO(pool, a_region_while_a_reduction_runs) {
    model::parallel(
        [] {
            rendezvous all;
            all.run(2);
        },
        [] {
            const auto body = [](auto&, task&& mine) { return mine.number + 1; };
            model::check(reduce<demand>(2, 2, body) == 3, "the sum is wrong");
        });
}

// The checker has eight threads. The system provides fewer than were asked for, and the work is done nevertheless.
TEFF_SCENARIO(pool, more_workers_than_threads_to_have) {
    const auto body = [](auto&, task&& mine) { return mine.number + 1; };
    model::check(reduce<demand>(12, 2, body) == 3, "the sum is wrong");
}

// A region has as many members as threads can be had, whichever starter in the tree of starters found that there are no
// more.
TEFF_SCENARIO(pool, a_region_larger_than_the_threads_to_have) {
    rendezvous all;
    all.expected = 8;
    model::check(run_once(11, rendezvous::attend, &all) == 8, "the region has a wrong size");
}

// A region begins when no worker is being started.
void wait_until_all_are_started() {
    rendezvous any;
    any.run(2);
}

// The workers of a region do not count for other calls, until the region has ended.
TEFF_SCENARIO(pool, a_region_has_its_own_workers) {
    const auto body = [](void*, unsigned member, unsigned) noexcept {
        if (member == 0)
            teff::pool::instance().ensure_workers(1);
    };
    run_once(2, body, nullptr);
    model::check(teff::pool::instance().worker_count() == 2, "a worker of a region was taken for a free one");
    teff::pool::instance().ensure_workers(2);
    model::check(teff::pool::instance().worker_count() == 2, "a worker of a region that has ended is not free");
}

// Two threads make the pool grow at once.
TEFF_SCENARIO(pool, two_threads_grow_the_pool) {
    model::parallel([] { teff::pool::instance().ensure_workers(2); },
                    [] { teff::pool::instance().ensure_workers(3); });
    model::check(teff::pool::instance().worker_count() == 3, "the pool has a wrong number of workers");
    wait_until_all_are_started();
}

// The same where each thread asks for more workers than threads can be had.
TEFF_SCENARIO(pool, two_threads_ask_for_more_than_there_are) {
    model::parallel([] { teff::pool::instance().ensure_workers(6); },
                    [] { teff::pool::instance().ensure_workers(8); });
    wait_until_all_are_started();
    // The checker has eight threads, and the scenario has three of them.
    model::check(teff::pool::instance().worker_count() == 5, "workers that could not be started are counted");
}

// Two regions wait until a third thread has started the workers.
TEFF_SCENARIO(pool, two_regions_wait_for_a_thread_that_starts_workers) {
    const auto call = [] {
        rendezvous all;
        all.run(2);
    };
    model::parallel(call, call, [] { teff::pool::instance().ensure_workers(2); });
}

// Combines the values 1, 10, 100, ... on two threads, and then again.
TEFF_SCENARIO(pool, values_are_combined_by_a_team) {
    teff::pool::instance().ensure_workers(1);
    for (int call = 0; call < 2; ++call) {
        unsigned values[] = {1, 10, 100, 1000, 10'000};
        teff::tree_combination tree(5, 2, [](void* into, void* from) {
            *static_cast<unsigned*>(into) += *static_cast<unsigned*>(from);
        });
        for (unsigned i = 0; i < 5; ++i)
            tree.set(i, &values[i]);
        tree.run();
        model::check(values[0] == 11'111, "a value was left out or combined twice");
    }
}

// The two pairs wait for each other, so a worker must come.
struct waiting_value {
    teff::atomic<unsigned>* begun;
    unsigned sum = 1;
};
TEFF_SCENARIO(pool, pairs_that_wait_for_each_other) {
    teff::pool::instance().ensure_workers(1);
    teff::atomic<unsigned> begun{0};
    waiting_value values[] = {{&begun}, {&begun}, {&begun}, {&begun}};
    teff::tree_combination tree(4, 2, [](void* into, void* from) {
        auto& left = *static_cast<waiting_value*>(into);
        // relaxed, both: the count alone matters.
        left.begun->fetch_add(1, std::memory_order_relaxed);
        model::wait_until([&] { return left.begun->load(std::memory_order_relaxed) >= 2; });
        left.sum += static_cast<waiting_value*>(from)->sum;
    });
    for (unsigned i = 0; i < 4; ++i)
        tree.set(i, &values[i]);
    tree.run();
    model::check(values[0].sum == 4, "a value was left out or combined twice");
}

// A team without a scheduler: its items are a count. relaxed, wherever it is used: the fences of the team order it.
class team_of_items final : public teff::team {
public:
    team_of_items() : team(3, 0) {}

    // Two members that search, one of which may have fallen asleep by now.
    void begin_searches() noexcept {
        run_dry();
        run_dry();
    }
    // Searches, and sleeps, until it has taken an item.
    void take_one() noexcept {
        teff::worker_counters counted;
        model::check(search(*this, false, counted), "a search ended without an item");
    }
    void add_one() noexcept {
        items_.fetch_add(1, std::memory_order_relaxed);
        idle().work_visible();
    }

    // For search().
    teff::wait_reason why() const noexcept { return {.kind = "an item", .event = ""}; }
    bool finished() const noexcept { return false; }
    bool ends_rest() const noexcept { return false; }
    bool took_last() const noexcept { return false; }
    bool take() noexcept {
        unsigned seen = items_.load(std::memory_order_relaxed);
        while (seen != 0)
            if (items_.compare_exchange_weak(seen, seen - 1, std::memory_order_relaxed, std::memory_order_relaxed))
                return true;
        return false;
    }
    void before_sleep() const noexcept {}
    bool has_work() const noexcept { return has_visible_work(); }
    bool has_visible_work() const noexcept override { return items_.load(std::memory_order_relaxed) != 0; }

    void request() noexcept override {}
    void cancel() noexcept override {}
    void orphan() noexcept override {}
    std::size_t queued_estimate() const noexcept override { return items_.load(std::memory_order_relaxed); }

private:
    void work(unsigned, unsigned) noexcept override {}

    teff::atomic<unsigned> items_{1};
};

// One item is visible when two members begin to search. The thread that adds the second one may see the member that
// takes the first one as a searcher, and wake nobody. Then that member has to wake the other one.
TEFF_SCENARIO(pool, a_member_that_finds_an_item_calls_a_sleeper) {
    team_of_items team;
    team.begin_searches();
    const auto searcher = [&] { team.take_one(); };
    const auto publisher = [&] { team.add_one(); };
    model::parallel(searcher, searcher, publisher);
    model::check(!team.has_visible_work(), "an item was left, or two members took the same one");
}

TEFF_SCENARIO(pool, two_callers_show_work_at_once) { two_callers_show_work_at_once(); }

}  // namespace

std::span<const model::scenario> pool_scenarios() {
    // The objects that a process makes once must exist before the first execution, since the checker restores static
    // variables after each execution.
    static const bool prepared = [] {
        ::setenv("TEFF_SPIN_US", "10", 1);
        ::setenv("TEFF_TREE_START_THRESHOLD", "2", 1);
        return &teff::process_configuration() != nullptr && &teff::machine_topology() != nullptr &&
               &teff::pool::instance() != nullptr;
    }();
    return prepared ? defined_here : std::span<const model::scenario>();
}

}  // namespace scenarios
