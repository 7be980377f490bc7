// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of groups with the scheduler `demand`, their team and the pool's workers, all of them real. Each task is called
// once, what it leaves is visible when a wait has ended, no thread sleeps for ever, and no group is touched once its
// waiter may free it. A wait may leave tasks to other members because its stack is used up; such waits never form a
// cycle.
//
// The state of a group is also checked alone, with a member that leaves its tasks to the scenario.
#include "definition.hpp"
#include "fork_join_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace scenarios {
namespace {

TEFF_SCENARIO(fork_join, a_group_is_freed_by_its_waiter) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    {
        const open_team team(2);
        auto* const group = teff::create<plain_group>();
        run_in(*group, [&] { one(); });
        run_in(*group, [&] { two(); });
        group->wait();
        one.expect(1);
        two.expect(2);
        model::check(!group->finish(), "a group was stopped by nobody");
        teff::destroy(group);
    }
    model::expect_taken_once(2);
}

// No thread waits for the tasks, one of which hands over another one, but the team waits for them at its end.
TEFF_SCENARIO(fork_join, a_caller_leaves_tasks_behind) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    plain_group group;
    {
        const open_team team(2);
        run_in(group, [&] { one(); });
        run_in(group, [&] {
            two();
            run_in(group, [&] { three(); });
        });
    }
    model::check(group.is_over(), "a team has ended before its tasks");
    one.expect(1);
    two.expect(2);
    three.expect(3);
    group.wait();
    model::expect_taken_once(3);
}

// How much of its stack the calling thread seems to have used.
class stack_use {
public:
    enum amount { hardly_any, half, all };
    explicit stack_use(amount used) noexcept
        : limit_(std::exchange(teff::running_thread.stack.limit, used == all ? every_address : 1)),
          middle_(std::exchange(teff::running_thread.stack.middle, used == hardly_any ? 1 : every_address)) {}
    ~stack_use() {
        teff::running_thread.stack.limit = limit_;
        teff::running_thread.stack.middle = middle_;
    }
    stack_use(const stack_use&) = delete;
    stack_use& operator=(const stack_use&) = delete;

private:
    static constexpr std::uintptr_t every_address = std::numeric_limits<std::uintptr_t>::max();

    const std::uintptr_t limit_;
    const std::uintptr_t middle_;
};

void wait_having_used(stack_use::amount used, forking::group_state& group) {
    const stack_use here(used);
    group.wait();
}

// Each member would leave its tasks to the other one.
TEFF_SCENARIO(fork_join, two_members_wait_on_stacks_that_are_used_up) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    {
        const open_team team(2);
        plain_group outer;
        run_in(outer, [&] { one(); });
        run_in(outer, [&] {
            const stack_use here(stack_use::hardly_any);
            plain_group inner;
            run_in(inner, [&] { two(); });
            run_in(inner, [&] { three(); });
            wait_having_used(stack_use::all, inner);
        });
        wait_having_used(stack_use::all, outer);
    }
    model::expect_taken_once(3);
}

// A member whose stack is used up leaves two tasks to the other member. The task that is taken first waits for the
// second one, on a stack that has too little left to take arbitrary tasks.
template <stack_use::amount Used>
void a_member_is_left_what_it_waits_for() {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    {
        const open_team team(2);
        const stack_use some(stack_use::hardly_any);
        plain_group outer, inner;
        run_in(outer, [&] {
            one();
            wait_having_used(Used, inner);
        });
        run_in(inner, [&] { two(); });
        wait_having_used(stack_use::all, outer);
        wait_having_used(stack_use::all, inner);
    }
    model::expect_taken_once(2);
}

// Two members take the tasks that wait for the third one, each on a stack of which less is left.
TEFF_SCENARIO(fork_join, a_member_leaves_tasks_to_two_others) {
    teff::pool::instance().ensure_workers(2);
    visit one(0), two(1), three(2);
    {
        const open_team team(3);
        const stack_use some(stack_use::hardly_any);
        plain_group outer, inner;
        run_in(outer, [&] {
            one();
            wait_having_used(stack_use::half, inner);
        });
        run_in(outer, [&] {
            two();
            wait_having_used(stack_use::all, inner);
        });
        run_in(inner, [&] { three(); });
        wait_having_used(stack_use::all, outer);
        wait_having_used(stack_use::all, inner);
    }
    model::expect_taken_once(3);
}

// A member has left a task to the caller, which goes on with its own code.
TEFF_SCENARIO(fork_join, a_member_leaves_a_task_to_a_caller_that_returns) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    plain_group first, second;
    {
        const open_team team(2);
        const stack_use some(stack_use::hardly_any);
        run_in(first, [&] { one(); });
        run_in(second, [&] {
            two();
            const stack_use there(stack_use::hardly_any);
            plain_group inner;
            run_in(inner, [&] { three(); });
            wait_having_used(stack_use::all, inner);
        });
        first.wait();
    }
    second.wait();
    model::expect_taken_once(3);
}

// A member waits for tasks of which one was dealt to the caller, which leaves before it has taken that one.
TEFF_SCENARIO(fork_join, a_caller_leaves_a_task_that_was_dealt_to_it) {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    plain_group outer;
    {
        const open_team team(2, "nemesis");
        run_in(outer, [&] {
            plain_group inner;
            run_in(inner, [&] { one(); });
            run_in(inner, [&] { two(); });
            inner.wait();
        });
    }
    outer.wait();
    model::expect_taken_once(2);
}

// A team that is used only for what it says about itself; no thread works in it.
class idle_team {
public:
    explicit idle_team(const char* scheduler = "sherwood", unsigned slots = 1) {
        teff::team_options how;
        how.settings.slots = slots;
        how.scheduler = scheduler;
        made_ = teff::make_task_team(how, {});
    }
    ~idle_team() { delete made_; }
    idle_team(const idle_team&) = delete;
    idle_team& operator=(const idle_team&) = delete;
    teff::task_team& operator*() const noexcept { return *made_; }

private:
    teff::task_team* made_;
};

// A member that leaves its tasks to the scenario, which then ends them.
class counting_member final : public teff::task_member {
public:
    explicit counting_member(const idle_team& team) noexcept : task_member(*team, 0, counters_) {
        teff::running_thread.member = this;
        depth_ = 1;
    }
    ~counting_member() { teff::running_thread.member = nullptr; }

    bool push(teff::task_header&) noexcept override { return true; }
    bool push_next(teff::task_header&) noexcept override { return true; }
    teff::task_pools* pools() noexcept override { return nullptr; }
    teff::task_pools* make_pools() noexcept override { model::fail("a member without tasks was asked for memory"); }
    teff::task_header* take(const teff::take_rules&) noexcept override { return nullptr; }
    bool sees_work(bool) noexcept override { return false; }
    teff::task_header* take_some(bool) noexcept override { return nullptr; }
    void run(teff::task_header&) noexcept override {}
    bool wait(const teff::wait_condition& awaited, const teff::wait_rules&) noexcept override {
        model::wait_until([&] { return awaited.is_met(); });
        return false;
    }
    bool take_back(teff::task_header&) noexcept override { return false; }
    bool push_last(teff::task_header&) noexcept override { return false; }
    teff::task_header* take_quickly() noexcept override { return nullptr; }
    next_task take_in_place_of(teff::task_header&) noexcept override { return {nullptr, false}; }
    bool takes_newest() const noexcept override { return false; }
    unsigned shepherd() noexcept override { return 0; }
    bool sits_at(unsigned) noexcept override { return false; }
    void end_look() noexcept override {}
    void give_up_seat() noexcept override {}
    void keep_seat(teff::kept_seat&) noexcept override {}
    void end_keeping_seat(const teff::kept_seat&) noexcept override {}
    void show_all() noexcept override {}
    unsigned visible() const noexcept override { return 0; }
    std::size_t queued() const noexcept override { return queued_now; }
    void hand_in_counters() noexcept override {}
    void wait_at_barrier() noexcept override {}
    bool wait_at_cancellable_barrier() noexcept override { return false; }

    std::size_t queued_now = 1;

private:
    teff::worker_counters counters_;
};

void add_task(forking::group_state& group) {
    teff::task_header unused;
    model::check(group.submit(unused), "a task was refused");
}

const std::exception_ptr& some_error() {
    static const std::exception_ptr error = std::make_exception_ptr(1);
    return error;
}
// Whether a wait that is over receives an error.
bool finds_error(forking::group_state& group) {
    try {
        group.finish();
    } catch (int) {
        return true;
    }
    return false;
}

TEFF_SCENARIO(fork_join, two_tasks_fail) {
    const idle_team team;
    forking::group_state group;
    {
        const counting_member self(team);
        add_task(group);
        add_task(group);
    }
    const auto task = [&] {
        group.fail(some_error());
        group.end_one();
    };
    const auto waiter = [&] {
        counting_member self(team);
        group.wait();
        model::check(finds_error(group), "an error was lost");
        model::check(!group.is_stopped() && !finds_error(group), "a group is not as new");
    };
    model::parallel(task, task, waiter);
}

// Like functions that run() calls at once: no wait of another thread waits for them.
TEFF_SCENARIO(fork_join, functions_fail_during_waits) {
    const idle_team team;
    forking::group_state group;
    const auto function = [&] {
        group.fail(some_error());
        group.fail(some_error());
    };
    const auto waiter = [&] {
        counting_member self(team);
        group.wait();
        finds_error(group);
    };
    model::parallel(function, waiter, waiter);
    finds_error(group);
    model::check(!finds_error(group), "an error was found twice");
}

// A view that a task leaves for an ordered reducer.
struct mark final : forking::view {
    explicit mark(unsigned given) noexcept : forking::view(given + 1), number(given) {}
    void append(forking::view&) override { model::fail("two views of one task"); }
    static void* operator new(std::size_t size) noexcept { return teff::allocate(size, alignof(mark)); }
    static void operator delete(void* memory, std::size_t size) noexcept {
        teff::deallocate(memory, size, alignof(mark));
    }
    const unsigned number;
};

// The number of views that a wait has left to the running strand; takes each of them.
unsigned take_views_of_strand() {
    unsigned count = 0;
    for (const forking::view* each = teff::running_strand().views; each != nullptr; each = each->next) {
        model::take(static_cast<const mark*>(each)->number);
        ++count;
    }
    forking::drop_views(teff::running_strand().views);
    teff::running_strand().views = nullptr;
    return count;
}

TEFF_SCENARIO(fork_join, two_tasks_leave_views) {
    const idle_team team;
    forking::group_state group;
    {
        const counting_member self(team);
        add_task(group);
        add_task(group);
    }
    const auto task = [&](unsigned number) {
        return [&group, number] {
            group.keep(new mark(number));
            group.end_one();
        };
    };
    model::parallel(task(0), task(1), [&] {
        counting_member self(team);
        group.wait();
        group.finish();
        model::check(take_views_of_strand() == 2, "a view was lost");
    });
    model::expect_taken_once(2);
}

// The error was taken in a wait that has ended; until the next one, a stop that comes later holds.
TEFF_SCENARIO(fork_join, a_group_is_stopped_while_its_error_is_taken) {
    forking::group_state group;
    group.fail(some_error());
    model::parallel([&] { model::check(finds_error(group), "an error was lost"); },
                    [&] {
                        model::wait_until([&] { return !group.is_stopped(); });
                        group.stop();
                    });
    model::check(group.is_stopped(), "a stop was lost");
    model::check(!finds_error(group) && !group.is_stopped(), "a group is not as new");
}

// The same while a function fails.
TEFF_SCENARIO(fork_join, a_group_is_stopped_while_a_function_fails) {
    forking::group_state group;
    bool is_found = false;
    model::parallel([&] { group.fail(some_error()); },
                    [&] {
                        is_found = finds_error(group);
                        group.stop();
                    });
    model::check(group.is_stopped(), "a stop was lost");
    model::check(finds_error(group) != is_found, "an error was lost, or found twice");
    model::check(!finds_error(group) && !group.is_stopped(), "a group is not as new");
}

// Forks are plain, and do not look for idle workers, while enough tasks are queued: from a push that makes them enough,
// to a wait for a group, which may have used them up.
TEFF_SCENARIO(fork_join, forks_look_after_a_wait) {
    const idle_team team("demand", 2);
    counting_member self(team);
    forking::group_state group;
    static_cast<void>(teff::has_stack());  // measures the stack
    // relaxed: of this thread alone.
    const auto looks = [] {
        return teff::running_thread.limit.load(std::memory_order_relaxed) == teff::thread_context::requested;
    };
    model::check(looks(), "the first fork does not look");
    self.queued_now = 5;
    add_task(group);
    model::check(!looks(), "forks look although enough is queued");
    group.end_one();
    self.queued_now = 0;
    group.wait();
    model::check(looks(), "the next fork does not look after a wait");
    self.queued_now = 5;
    add_task(group);
    group.end_one();
    group.wait();  // now enough is queued
    self.queued_now = 0;
    group.wait();
    model::check(!looks(), "a wait for no task counted as one");
}

// The limit of the stack that a strand leaves says nothing about the next one, so the next fork must look.
TEFF_SCENARIO(fork_join, the_next_fork_looks_after_a_switch) {
    const idle_team team;
    counting_member self(team);
    // relaxed, all: of this thread alone.
    teff::atomic<std::uintptr_t>& limit = teff::running_thread.limit;
    limit.store(1, std::memory_order_relaxed);
    {
        const teff::member_scope inside(self);
        model::check(limit.load(std::memory_order_relaxed) == teff::thread_context::requested, "a fork will not look");
        limit.store(1, std::memory_order_relaxed);
    }
    model::check(limit.load(std::memory_order_relaxed) == teff::thread_context::requested, "a fork will not look");
}

// The views that tasks leave are there when the wait for them has ended, whichever thread has run the tasks.
TEFF_SCENARIO(fork_join, tasks_of_a_team_leave_views) {
    teff::pool::instance().ensure_workers(1);
    {
        const open_team team(2);
        plain_group group;
        for (unsigned number = 0; number < 2; ++number)
            run_in(group, [number] { forking::add_view(std::unique_ptr<forking::view>(new mark(number))); });
        group.wait();
        group.finish();
        model::check(take_views_of_strand() == 2, "a view was lost");
    }
    model::expect_taken_once(2);
}

// A task that was not called, because its team was asked to stop, cancels its group.
TEFF_SCENARIO(fork_join, a_stopped_team_cancels_its_groups) {
    teff::pool::instance().ensure_workers(1);
    teff::atomic<teff::task_team*> opened{nullptr};
    teff::atomic<bool> has_stopped{false};
    model::parallel(
        [&] {
            const open_team team(2);
            teff::atomic<unsigned> called{0};
            unsigned accepted = 0;
            plain_group group;
            // release: the team can be used; partner: the acquire below.
            opened.store(&*team, std::memory_order_release);
            try {
                for (; accepted < 2; ++accepted)
                    // relaxed: ordered by the wait.
                    run_in(group, [&] { called.fetch_add(1, std::memory_order_relaxed); });
            } catch (const teff::stopped&) {
                // The other tasks are not accepted any more.
            }
            group.wait();
            const bool is_cancelled = group.finish();
            // relaxed: as above.
            model::check(is_cancelled || called.load(std::memory_order_relaxed) == accepted,
                         "a task was not called, and its group is not cancelled");
            // acquire: the other thread has left the team; partner: the release below.
            model::wait_until([&] { return has_stopped.load(std::memory_order_acquire); });
        },
        [&] {
            // acquire: the team can be used; partner: the release above.
            model::wait_until([&] { return opened.load(std::memory_order_acquire) != nullptr; });
            opened.load(std::memory_order_acquire)->begin_stop();
            // release: our last use of the team; partner: the acquire above.
            has_stopped.store(true, std::memory_order_release);
        });
}

// A worker that looks for tasks for a long time leaves at once when the team is over. (If it looked to the end of its
// time, that would be a livelock.)
TEFF_SCENARIO(fork_join, a_team_that_is_over_is_left_at_once) {
    constexpr long a_long_time_us = 1'000'000;
    teff::pool::instance().ensure_workers(1);
    visit one(0);
    {
        const open_team team(2, "demand", teff::scheduler_settings{}.private_items, a_long_time_us);
        plain_group group;
        run_in(group, [&] { one(); });
        group.wait();
    }
    model::expect_taken_once(1);
}

// Two threads wait for the first task. One of them is late, and may find the view that the second task has left, before
// that task has ended.
TEFF_SCENARIO(fork_join, a_late_waiter_finds_the_views_of_the_next_task) {
    const idle_team team;
    forking::group_state group;
    {
        const counting_member self(team);
        add_task(group);
    }
    teff::atomic<bool> again{false};
    const auto take_views = [&] {
        group.wait();
        group.finish();
        take_views_of_strand();
    };
    const auto tasks = [&] {
        group.keep(new mark(0));
        group.end_one();
        // acquire: the second task was added; partner: the release below.
        model::wait_until([&] { return again.load(std::memory_order_acquire); });
        group.keep(new mark(1));
        group.end_one();
    };
    const auto waiter = [&] {
        counting_member self(team);
        take_views();
        add_task(group);
        // release: the second task was added; partner: the acquire above.
        again.store(true, std::memory_order_release);
        take_views();
    };
    const auto late_waiter = [&] {
        counting_member self(team);
        take_views();
    };
    model::parallel(tasks, waiter, late_waiter);
    model::expect_taken_once(2);
}

TEFF_SCENARIO(fork_join, a_member_with_half_a_stack_is_left_what_it_waits_for) {
    a_member_is_left_what_it_waits_for<stack_use::half>();
}
TEFF_SCENARIO(fork_join, a_member_with_no_stack_is_left_what_it_waits_for) {
    a_member_is_left_what_it_waits_for<stack_use::all>();
}

}  // namespace

std::span<const model::scenario> task_group_scenarios() {
    // pool_scenarios() prepares what these scenarios need, too.
    static const bool prepared = !pool_scenarios().empty() && some_error() != nullptr;
    return prepared ? defined_here : std::span<const model::scenario>();
}

}  // namespace scenarios
