// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks with the scheduler `demand`, their team and the pool's workers, all real: each function is called once, its
// result arrives, nobody sleeps for ever, and no job is touched once its fork has returned.
//
// Jobs are on the heap here, and freed at once where a fork would return: whoever still uses one is found. What a
// function leaves is ordinary memory, so a result that nothing orders is a data race. Exceptions cannot be caught
// across a scheduling point, so what a fork does when its first function throws is written out. The state of a group is
// also checked alone, by a member that leaves its tasks to the scenario.
#include "scenarios.hpp"

#include <teff/base/allocation.hpp>
#include <teff/fork_join.hpp>
#include <teff/frontends/fork_join/fork_team.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/runtime/pool.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

namespace scenarios {
namespace {

namespace forking = teff::forking;

// A team whose caller is the calling thread.
class open_team {
public:
    explicit open_team(unsigned slots, const char* scheduler = "demand",
                       std::size_t private_items = teff::scheduler_settings{}.private_items) {
        teff::launch how;
        how.settings.slots = slots;
        how.settings.private_items = private_items;
        how.settings.dry_looks = 1;
        how.scheduler = scheduler;
        how.spin_us = 10;  // one look at the model's clock
        made_ = forking::make_fork_team(how, {});
        made_->enter_as_caller();
    }
    ~open_team() {
        made_->leave_as_caller();
        teff::destroy(made_);
    }
    open_team(const open_team&) = delete;
    open_team& operator=(const open_team&) = delete;

    forking::fork_team& operator*() const noexcept { return *made_; }
    forking::fork_team* operator->() const noexcept { return made_; }

private:
    forking::fork_team* made_;
};

template <class G>
forking::child<G&>* linked(G& second) {
    auto* const made = teff::create<forking::child<G&>>(second);
    forking::link(*made);
    return made;
}

// As forking::fork().
template <class F, class G>
unsigned fork(F&& first, G&& second) {
    auto* const made = linked(second);
    first();
    const unsigned result = forking::take_back(*made) ? second() : made->take_outcome();
    teff::destroy(made);
    return result;
}

// What a function is called for: once, and what it leaves is there at its join.
class visit {
public:
    explicit visit(unsigned number) noexcept : number_(number) {}
    unsigned operator()() noexcept {
        model::take(number_);
        left_ = number_ + 1;
        return left_;
    }
    void expect(unsigned result) const noexcept {
        model::check(result == number_ + 1 && left_ == number_ + 1, "a result did not arrive");
    }

private:
    const unsigned number_;
    unsigned left_ = 0;
};

void take_or_take_back(const char* scheduler) {
    teff::pool::instance().ensure_workers(1);
    visit first(0), second(1);
    {
        const open_team team(2, scheduler);
        second.expect(fork(first, second));
    }
    model::expect_taken_once(2);
}

void a_job_is_taken_or_taken_back() { take_or_take_back("demand"); }
// Every job goes to the scheduler, and no fence comes with a wait that is over at once.
void a_job_of_sherwood_is_taken_or_taken_back() { take_or_take_back("sherwood"); }

// Shared together, if both fit in; the older one goes first.
template <unsigned Thieves, std::size_t Limit>
void two_jobs() {
    teff::pool::instance().ensure_workers(Thieves);
    visit innermost(0), younger(1), older(2);
    {
        const open_team team(1 + Thieves, "demand", Limit);
        older.expect(fork([&] { younger.expect(fork(innermost, younger)); }, older));
    }
    model::expect_taken_once(3);
}

// The first function has thrown.
void a_job_is_dropped_while_it_is_taken() {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    {
        const open_team team(2);
        auto* const made = linked(second);
        const bool has_run = forking::drop(*made);
        model::check(has_run == model::was_taken(0), "a dropped job ran, or one that ran has no outcome");
        if (has_run) {
            second.expect(1);
            made->drop_outcome();
        }
        teff::destroy(made);
    }
}

// Two functions of which neither ends before both have begun.
class meeting {
public:
    void join() noexcept {
        here_.fetch_add(1, std::memory_order_relaxed);
        model::wait_until([this] { return here_.load(std::memory_order_relaxed) == 2; });
    }

private:
    teff::atomic<unsigned> here_{0};
};

// The thief ends while the owner goes to sleep for its job: among those that look for work, or, on a stack that is half
// used, among those that do not.
template <bool Blocks>
void an_owner_sleeps_for_its_job() {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    meeting both;
    {
        const open_team team(2);
        if (Blocks)
            forking::current.stack_high = 0;
        const auto joined = [&] {
            both.join();
            return second();
        };
        second.expect(fork([&] { both.join(); }, joined));
    }
    model::expect_taken_once(1);
}

// Forks until it is told to end, if they are not plain.
template <class Condition>
void fork_until(Condition&& is_over) {
    while (!is_over()) {
        if (!forking::is_plain())
            teff::fork_join([] {}, [] {});
        model::yield();
    }
}

// What a thief forks comes back to the owner that waits for it.
void a_waiting_owner_helps_its_thief() {
    teff::pool::instance().ensure_workers(1);
    meeting outer;
    teff::atomic<bool> has_begun{false};
    visit nested(0);
    {
        const open_team team(2);
        const auto by_thief = [&] {
            outer.join();
            const auto joined = [&] {
                has_begun.store(true, std::memory_order_relaxed);
                return nested();
            };
            nested.expect(fork([&] { fork_until([&] { return has_begun.load(std::memory_order_relaxed); }); }, joined));
            return 1U;
        };
        fork([&] { outer.join(); }, by_thief);
    }
    model::expect_taken_once(1);
}

// While an owner makes its forks plain a worker comes that asks: one of the two sees the other.
void a_request_meets_forks_that_become_plain() {
    const auto owner = [] {
        teff::atomic<bool> begun{false};
        visit second(0);
        const open_team team(2);
        // With one job more there is enough at hand.
        forking::current.groups = 3;
        const auto begin = [&] {
            begun.store(true, std::memory_order_relaxed);
            return second();
        };
        second.expect(fork([&] { fork_until([&] { return begun.load(std::memory_order_relaxed); }); }, begin));
    };
    const auto starter = [] { teff::pool::instance().ensure_workers(1); };
    model::parallel(owner, starter);
    model::expect_taken_once(1);
}

// The same with a request to stop.
void a_stop_meets_forks_that_become_plain() {
    teff::atomic<forking::fork_team*> opened{nullptr};
    teff::atomic<bool> has_asked{false};
    const auto owner = [&] {
        const open_team team(1);
        // release: the team can be used.
        opened.store(&*team, std::memory_order_release);
        bool is_stopped = false;
        while (!is_stopped) {
            try {
                fork_until([] { return false; });
            } catch (const teff::stopped&) {
                is_stopped = true;
            }
        }
        // acquire: nobody else uses the team.
        model::wait_until([&] { return has_asked.load(std::memory_order_acquire); });
    };
    const auto stopper = [&] {
        // acquire, and release: as above.
        model::wait_until([&] { return opened.load(std::memory_order_acquire) != nullptr; });
        opened.load(std::memory_order_acquire)->begin_stop();
        has_asked.store(true, std::memory_order_release);
    };
    model::parallel(owner, stopper);
}

// A job that is not begun any more has no result.
void a_stop_meets_a_shared_job() {
    teff::pool::instance().ensure_workers(1);
    visit second(0);
    const open_team team(2);
    auto* const made = linked(second);
    team->begin_stop();
    if (!forking::take_back(*made)) {
        bool is_stopped = false;
        try {
            second.expect(made->take_outcome());
        } catch (const teff::stopped&) {
            is_stopped = true;
        }
        model::check(is_stopped != model::was_taken(0), "a job was called and stopped, or neither");
    }
    teff::destroy(made);
}

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
    {"fork_join", "a_job_is_taken_or_taken_back", a_job_is_taken_or_taken_back},
    {"fork_join", "a_job_of_sherwood_is_taken_or_taken_back", a_job_of_sherwood_is_taken_or_taken_back},
    {"fork_join", "two_jobs_and_two_thieves", two_jobs<2, 2>},
    {"fork_join", "two_jobs_of_which_one_is_refused", two_jobs<1, 1>},
    {"fork_join", "a_job_is_dropped_while_it_is_taken", a_job_is_dropped_while_it_is_taken},
    {"fork_join", "an_owner_sleeps_for_its_job", an_owner_sleeps_for_its_job<false>},
    {"fork_join", "an_owner_blocks_for_its_job", an_owner_sleeps_for_its_job<true>},
    {"fork_join", "a_waiting_owner_helps_its_thief", a_waiting_owner_helps_its_thief},
    {"fork_join", "a_request_meets_forks_that_become_plain", a_request_meets_forks_that_become_plain},
    {"fork_join", "a_stop_meets_forks_that_become_plain", a_stop_meets_forks_that_become_plain},
    {"fork_join", "a_stop_meets_a_shared_job", a_stop_meets_a_shared_job},
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

std::span<const model::scenario> fork_join_scenarios() {
    // As in pool_scenarios(), which prepares what these need, too.
    static const bool prepared = !pool_scenarios().empty() && some_error() != nullptr;
    return prepared ? all : std::span<const model::scenario>();
}

}  // namespace scenarios
