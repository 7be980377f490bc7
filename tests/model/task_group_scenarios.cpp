// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of groups with the scheduler `demand`, their team and the pool's workers, all real: each task is called once,
// what it leaves is there when a wait has ended, nobody sleeps for ever, and no group is touched once its waiter may
// free it. Of waits that leave tasks to others because their stack is used up, nobody waits for himself.
//
// The state of a group is also checked alone, by a member that leaves its tasks to the scenario.
#include "fork_join_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/frontends/fork_join/fork_team.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/runtime/pool.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <utility>

namespace scenarios {
namespace {

// As forking::task.
template <class F>
class heap_task final : public forking::job {
public:
    static void hand_over(forking::group_state& group, const F& given) {
        auto* const made = teff::create<heap_task>(group, given);
        if (!group.wants_task() || !group.submit(*made)) {
            teff::destroy(made);
            given();
        }
    }
    heap_task(forking::group_state& group, const F& given) : group_(group), function_(given) {
        run = &run_and_end;
        ::new (static_cast<void*>(&state)) teff::atomic<unsigned>(0);
    }

private:
    static void run_and_end(forking::job& self) noexcept {
        auto& mine = static_cast<heap_task&>(self);
        forking::group_state& group = mine.group_;
        mine.function_();
        teff::destroy(&mine);
        group.end_one();
    }

    forking::group_state& group_;
    const F function_;
};
template <class F>
void hand_over(forking::group_state& group, const F& function) {
    heap_task<F>::hand_over(group, function);
}

void a_group_is_freed_by_its_waiter() {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    {
        const open_team team(2);
        auto* const group = teff::create<forking::group_state>();
        hand_over(*group, [&] { one(); });
        hand_over(*group, [&] { two(); });
        group->wait();
        one.expect(1);
        two.expect(2);
        model::check(!group->finish(), "a group was stopped by nobody");
        teff::destroy(group);
    }
    model::expect_taken_once(2);
}

// Nobody waits for the tasks, one of which hands over another one; the end of the team does.
void a_caller_leaves_tasks_behind() {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    forking::group_state group;
    {
        const open_team team(2);
        hand_over(group, [&] { one(); });
        hand_over(group, [&] {
            two();
            hand_over(group, [&] { three(); });
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
        : limit_(std::exchange(forking::current.stack_limit, used == all ? every_address : 1)),
          middle_(std::exchange(forking::current.stack_middle, used == hardly_any ? 1 : every_address)) {}
    ~stack_use() {
        forking::current.stack_limit = limit_;
        forking::current.stack_middle = middle_;
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

// Each would leave its tasks to the other one.
void two_members_wait_on_stacks_that_are_used_up() {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    {
        const open_team team(2);
        forking::group_state outer;
        hand_over(outer, [&] { one(); });
        hand_over(outer, [&] {
            const stack_use here(stack_use::hardly_any);
            forking::group_state inner;
            hand_over(inner, [&] { two(); });
            hand_over(inner, [&] { three(); });
            wait_having_used(stack_use::all, inner);
        });
        wait_having_used(stack_use::all, outer);
    }
    model::expect_taken_once(3);
}

// A member whose stack is used up leaves two tasks to the other one. Who has taken one of them waits for the other one,
// on a stack of which there is too little left to take just anything.
template <stack_use::amount Used>
void a_member_is_left_what_it_waits_for() {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1);
    {
        const open_team team(2);
        const stack_use some(stack_use::hardly_any);
        forking::group_state outer, inner;
        hand_over(outer, [&] {
            one();
            wait_having_used(Used, inner);
        });
        hand_over(inner, [&] { two(); });
        wait_having_used(stack_use::all, outer);
        wait_having_used(stack_use::all, inner);
    }
    model::expect_taken_once(2);
}

// Two members take what waits for the third task, each on a stack of which less is left.
void a_member_leaves_tasks_to_two_others() {
    teff::pool::instance().ensure_workers(2);
    visit one(0), two(1), three(2);
    {
        const open_team team(3);
        const stack_use some(stack_use::hardly_any);
        forking::group_state outer, inner;
        hand_over(outer, [&] {
            one();
            wait_having_used(stack_use::half, inner);
        });
        hand_over(outer, [&] {
            two();
            wait_having_used(stack_use::all, inner);
        });
        hand_over(inner, [&] { three(); });
        wait_having_used(stack_use::all, outer);
        wait_having_used(stack_use::all, inner);
    }
    model::expect_taken_once(3);
}

// The caller, to whom a member has left a task, goes about its own code.
void a_member_leaves_a_task_to_who_goes() {
    teff::pool::instance().ensure_workers(1);
    visit one(0), two(1), three(2);
    forking::group_state first, second;
    {
        const open_team team(2);
        const stack_use some(stack_use::hardly_any);
        hand_over(first, [&] { one(); });
        hand_over(second, [&] {
            two();
            const stack_use there(stack_use::hardly_any);
            forking::group_state inner;
            hand_over(inner, [&] { three(); });
            wait_having_used(stack_use::all, inner);
        });
        first.wait();
    }
    second.wait();
    model::expect_taken_once(3);
}

// A member that leaves tasks to the scenario, which then ends them.
class counting_member final : public forking::member {
public:
    counting_member() noexcept { forking::current.self = this; }
    ~counting_member() { forking::current.self = nullptr; }

    forking::fork_team& team() noexcept override { model::fail("a member of no team was asked for it"); }
    bool answer(forking::job&) noexcept override { return true; }
    bool is_awaited() const noexcept override { return false; }
    void took_back() noexcept override {}
    bool wait(const forking::goal& awaited, const forking::job*) noexcept override {
        model::wait_until([&] { return awaited.is_reached(); });
        return false;
    }
    bool wants_task(unsigned, bool) noexcept override { return true; }
    bool submit(forking::job&) noexcept override { return true; }
    void show_all() noexcept override {}
    bool is_inside() const noexcept override { return true; }
};

void add_task(forking::group_state& group) {
    forking::job unused;
    model::check(group.submit(unused), "a task was refused");
}

const std::exception_ptr& some_error() {
    static const std::exception_ptr error = std::make_exception_ptr(1);
    return error;
}
// Whether a wait that is over gets an error.
bool finds_error(forking::group_state& group) {
    try {
        group.finish();
    } catch (int) {
        return true;
    }
    return false;
}

void two_tasks_fail() {
    forking::group_state group;
    {
        const counting_member self;
        add_task(group);
        add_task(group);
    }
    const auto task = [&] {
        group.fail(some_error());
        group.end_one();
    };
    const auto waiter = [&] {
        counting_member self;
        group.wait();
        model::check(finds_error(group), "an error was lost");
        model::check(!group.is_stopped() && !finds_error(group), "a group is not as new");
    };
    model::parallel(task, task, waiter);
}

// As functions do that run() calls at once, which no wait of another thread waits for.
void functions_fail_during_waits() {
    forking::group_state group;
    const auto function = [&] {
        group.fail(some_error());
        group.fail(some_error());
    };
    const auto waiter = [&] {
        counting_member self;
        group.wait();
        finds_error(group);
    };
    model::parallel(function, waiter, waiter);
    finds_error(group);
    model::check(!finds_error(group), "an error was found twice");
}

// What a task has left for an ordered reducer.
struct mark final : forking::view {
    explicit mark(unsigned given) noexcept : forking::view(given + 1), number(given) {}
    void append(forking::view&) override { model::fail("two views of one task"); }
    static void* operator new(std::size_t size) noexcept { return teff::allocate(size, alignof(mark)); }
    static void operator delete(void* memory, std::size_t size) noexcept {
        teff::deallocate(memory, size, alignof(mark));
    }
    const unsigned number;
};

// Of two waiters for the first task one is late, and may find what the second task has left, before that has ended.
void a_late_waiter_finds_the_views_of_the_next_task() {
    forking::group_state group;
    {
        const counting_member self;
        add_task(group);
    }
    teff::atomic<bool> again{false};
    const auto take_views = [&] {
        group.wait();
        group.finish();
        for (const forking::view* each = forking::current.views; each != nullptr; each = each->next)
            model::take(static_cast<const mark*>(each)->number);
        forking::drop_views(forking::current.views);
        forking::current.views = nullptr;
    };
    const auto tasks = [&] {
        group.keep(new mark(0));
        group.end_one();
        // acquire: the second task was added.
        model::wait_until([&] { return again.load(std::memory_order_acquire); });
        group.keep(new mark(1));
        group.end_one();
    };
    const auto waiter = [&] {
        counting_member self;
        take_views();
        add_task(group);
        // release: as above.
        again.store(true, std::memory_order_release);
        take_views();
    };
    const auto late_waiter = [&] {
        counting_member self;
        take_views();
    };
    model::parallel(tasks, waiter, late_waiter);
    model::expect_taken_once(2);
}

constexpr model::scenario all[] = {
    {"fork_join", "a_group_is_freed_by_its_waiter", a_group_is_freed_by_its_waiter},
    {"fork_join", "a_caller_leaves_tasks_behind", a_caller_leaves_tasks_behind},
    {"fork_join", "a_member_with_half_a_stack_is_left_what_it_waits_for",
     a_member_is_left_what_it_waits_for<stack_use::half>},
    {"fork_join", "a_member_with_no_stack_is_left_what_it_waits_for",
     a_member_is_left_what_it_waits_for<stack_use::all>},
    {"fork_join", "a_member_leaves_tasks_to_two_others", a_member_leaves_tasks_to_two_others},
    {"fork_join", "a_member_leaves_a_task_to_who_goes", a_member_leaves_a_task_to_who_goes},
    {"fork_join", "two_members_wait_on_stacks_that_are_used_up", two_members_wait_on_stacks_that_are_used_up},
    {"fork_join", "two_tasks_fail", two_tasks_fail},
    {"fork_join", "functions_fail_during_waits", functions_fail_during_waits},
    {"fork_join", "a_late_waiter_finds_the_views_of_the_next_task", a_late_waiter_finds_the_views_of_the_next_task},
};

}  // namespace

std::span<const model::scenario> task_group_scenarios() {
    // As in pool_scenarios(), which prepares what these need, too.
    static const bool prepared = !pool_scenarios().empty() && some_error() != nullptr;
    return prepared ? all : std::span<const model::scenario>();
}

}  // namespace scenarios
