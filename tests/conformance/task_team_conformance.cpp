// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guarantees of a task team on every scheduler: regions and their barriers, tasks that a thread may refuse, tasks
// injected from outside the team, priorities.
//
// Tasks are numbered, and each counts how often it ran. Members wait for each other, so a lost task becomes a hang,
// which ends with a report (tests/main.cpp).
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/pool/pool.hpp>
#include <teff/reducer.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/task_group.hpp>
#include <teff/team/region.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <ucontext.h>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

// Tasks that must run once each, and a condition that is met when all have run.
class work_list {
public:
    using body = std::function<void(unsigned number)>;

    explicit work_list(unsigned count, body run = {}) : run_(std::move(run)), left_(count) {
        for (unsigned number = 0; number < count; ++number)
            tasks_.emplace_back(*this, number);
    }

    struct item : teff::task_header {
        item(work_list& list, unsigned its_number) : task_header(&run_one), owner_list(list), number(its_number) {}
        static void run_one(teff::task_header& self) noexcept {
            auto& mine = static_cast<item&>(self);
            mine.times.fetch_add(1);
            work_list& list = mine.owner_list;
            if (list.run_)
                list.run_(mine.number);
            teff::task_team& team = teff::running_thread.member->team();
            // release: makes the task's effects visible; partner: is_done() and the waiters' load of the word. The
            // list must not be used after this, because its owner may destroy it.
            list.left_.fetch_sub(1, std::memory_order_release);
            team.notify_waiters();
        }
        work_list& owner_list;
        const unsigned number;
        std::atomic<unsigned> times{0};
    };

    item& operator[](unsigned number) { return tasks_[number]; }
    unsigned size() const { return static_cast<unsigned>(tasks_.size()); }
    teff::wait_condition all_done() const { return {.word = left_}; }
    bool is_done() const { return left_.load(std::memory_order_acquire) == 0; }

    // Pushes the tasks from `first` on in steps of `step`, and runs those that are refused.
    void push_each(teff::task_member& self, unsigned first = 0, unsigned step = 1) {
        for (unsigned number = first; number < size(); number += step)
            push(self, number);
    }
    void push(teff::task_member& self, unsigned number) {
        if (!self.push(tasks_[number]))
            self.team().inject(tasks_[number]);
    }
    void expect_each_once() const {
        for (const item& each : tasks_)
            EXPECT_EQ(each.times.load(), 1U) << each.number;
    }

private:
    const body run_;
    std::deque<item> tasks_;
    teff::atomic<unsigned> left_;
};

teff::task_member& self() { return *teff::running_thread.member; }

class task_team_on : public each_choice {
protected:
    // Runs f(member, size) as a region.
    template <class F>
    unsigned region(long threads, const F& f) {
        const teff::team_options how = teff::resolve(with_threads(threads));
        const F* called = &f;
        return teff::run_region(
            how,
            [](void* argument, unsigned member, unsigned size) noexcept {
                (**static_cast<const F**>(argument))(member, size);
            },
            &called);
    }
};
INSTANTIATE_TEST_SUITE_P(, task_team_on, testing::ValuesIn(all_rows()), row_names());

TEST_P(task_team_on, a_barrier_waits_for_all_members_and_all_tasks) {
    for (const long threads : {1L, 2L, 5L}) {
        constexpr unsigned phases = 10, tasks = 60;
        std::deque<work_list> lists;
        for (unsigned phase = 0; phase < phases; ++phase)
            lists.emplace_back(tasks);
        std::atomic<unsigned> early{0};
        const unsigned size = region(threads, [&](unsigned member, unsigned members) {
            for (unsigned phase = 0; phase < phases; ++phase) {
                // Either one member pushes all tasks, or each member pushes its part.
                if (phase % 2 == 0)
                    lists[phase].push_each(self(), member, members);
                else if (member == phase % members)
                    lists[phase].push_each(self());
                teff::wait_at_barrier();
                if (!lists[phase].is_done())
                    early.fetch_add(1);
            }
        });
        EXPECT_EQ(size, static_cast<unsigned>(threads));
        EXPECT_EQ(early.load(), 0U);
        for (const work_list& each : lists)
            each.expect_each_once();
    }
}

TEST_P(task_team_on, a_region_ends_with_its_last_task) {
    for (unsigned round = 0; round < 20; ++round) {
        work_list list(50);
        region(4, [&](unsigned member, unsigned) {
            if (member == round % 4)
                list.push_each(self());
        });
        EXPECT_TRUE(list.is_done());
        list.expect_each_once();
    }
}

// Tasks create tasks while the members are at the barrier.
TEST_P(task_team_on, a_barrier_waits_for_the_tasks_of_tasks) {
    constexpr unsigned count = 500;
    work_list* all = nullptr;
    work_list list(count, [&](unsigned number) {
        for (const unsigned child : {2 * number + 1, 2 * number + 2}) {
            if (child < count)
                all->push(self(), child);
        }
    });
    all = &list;
    region(4, [&](unsigned member, unsigned) {
        if (member == 0)
            list.push(self(), 0);
        teff::wait_at_barrier();
        EXPECT_TRUE(list.is_done());
    });
    list.expect_each_once();
}

TEST_P(task_team_on, a_cancellable_barrier_waits_for_all_members_and_all_tasks) {
    for (const long threads : {1L, 2L, 5L}) {
        constexpr unsigned phases = 10, tasks = 60;
        std::deque<work_list> lists;
        for (unsigned phase = 0; phase < phases; ++phase)
            lists.emplace_back(tasks);
        std::atomic<unsigned> early{0};
        region(threads, [&](unsigned member, unsigned members) {
            for (unsigned phase = 0; phase < phases; ++phase) {
                lists[phase].push_each(self(), member, members);
                if (teff::wait_at_cancellable_barrier() || !lists[phase].is_done())
                    early.fetch_add(1);
            }
        });
        EXPECT_EQ(early.load(), 0U);
    }
}

// One member cancels, while the others come to the barrier, wait at it, or have just left it. All tasks run before the
// region ends, and the next region's barriers are as new.
TEST_P(task_team_on, a_cancelled_region_ends_without_its_barriers) {
    constexpr unsigned phases = 3;
    for (unsigned round = 0; round < 60; ++round) {
        // One group of the barrier's tree, or two.
        const unsigned members = round % 2 == 0 ? 4 : 6;
        const unsigned canceller = round % members, when = round % phases;
        std::atomic<unsigned> through{0}, ends{0};
        work_list list(members);
        region(members, [&](unsigned member, unsigned size) {
            list.push(self(), member);
            for (unsigned phase = 0;; ++phase) {
                if (phase == when && member == canceller) {
                    teff::cancel_region();
                    break;
                }
                if (teff::wait_at_cancellable_barrier())
                    break;
                if (phase >= when)
                    through.fetch_add(1);
            }
            ends.fetch_add(size == members ? 1 : 0);
        });
        EXPECT_EQ(through.load(), 0U);
        EXPECT_EQ(ends.load(), members);
        list.expect_each_once();
    }
}

// Each of two members may run only every second task, wherever it finds one.
TEST_P(task_team_on, a_refused_task_is_run_by_a_member_that_may) {
    constexpr unsigned count = 200;
    std::vector<unsigned> ran_by(count, ~0U);
    work_list list(count, [&](unsigned number) { ran_by[number] = self().slot(); });
    static constexpr unsigned parity[] = {0, 1};
    const auto may_run = [](const teff::task_header& offered, const void* context) noexcept {
        return static_cast<const work_list::item&>(offered).number % 2 == *static_cast<const unsigned*>(context);
    };
    region(2, [&](unsigned member, unsigned) {
        list.push_each(self(), member, 2);
        self().wait(list.all_done(), {.may_run = {may_run, &parity[member]}});
    });
    list.expect_each_once();
    for (unsigned number = 0; number < count; ++number)
        EXPECT_EQ(ran_by[number], number % 2) << number;
}

// One member may run no task. The tasks that it pushes or steals are left to the other members.
TEST_P(task_team_on, what_a_member_may_not_run_is_left_to_the_others) {
    work_list list(300);
    std::atomic<bool> refused_ran{false};
    work_list* const all = &list;
    const auto nothing = [](const teff::task_header&, const void*) noexcept { return false; };
    region(3, [&](unsigned member, unsigned) {
        if (member == 0)
            all->push_each(self());
        teff::wait_rules rules;
        if (member == 0)
            rules.may_run.accepts = nothing;
        self().wait(all->all_done(), rules);
        if (!all->is_done())
            refused_ran.store(true);
    });
    EXPECT_FALSE(refused_ran.load());
    list.expect_each_once();
}

TEST_P(task_team_on, a_thread_that_is_no_member_makes_tasks_ready) {
    for (const long threads : {1L, 3L}) {
        work_list list(200);
        std::atomic<teff::task_team*> team{nullptr};
        std::thread outside([&] {
            while (team.load() == nullptr)
                ::sched_yield();
            for (unsigned number = 0; number < list.size(); ++number) {
                team.load()->inject(list[number]);
                // Members fall asleep now and then.
                if (number % 50 == 0)
                    ::sched_yield();
            }
        });
        region(threads, [&](unsigned member, unsigned) {
            if (member == 0)
                team.store(&self().team());
            self().wait(list.all_done(), {});
        });
        outside.join();
        list.expect_each_once();
    }
}

// A team of execute(), whose members join and leave.
TEST_P(task_team_on, tasks_from_outside_reach_an_elastic_team) {
    work_list list(100);
    std::atomic<teff::task_team*> team{nullptr};
    std::thread outside([&] {
        while (team.load() == nullptr)
            ::sched_yield();
        for (unsigned number = 0; number < list.size(); ++number)
            team.load()->inject(list[number]);
    });
    teff::execute(with_threads(3), [&] {
        team.store(&self().team());
        self().wait(list.all_done(), {});
    });
    outside.join();
    list.expect_each_once();
}

// The caller sleeps and may run none of the tasks; workers of the pool, which also sleep, may. (The test waits until
// no worker searches, since a publisher that sees a searching worker wakes no other.)
TEST_P(task_team_on, a_member_that_may_run_nothing_keeps_no_task_from_others) {
    for (int round = 0; round < 10; ++round) {
        work_list list(3);
        std::atomic<teff::task_team*> team{nullptr};
        std::thread outside([&] {
            while (team.load() == nullptr)
                ::sched_yield();
            teff::event_count& pool = teff::pool::instance().idle();
            while (pool.searching() != 0 || pool.sleeping() == 0 || team.load()->idle().members().sleeping() == 0)
                ::sched_yield();
            for (unsigned number = 0; number < list.size(); ++number)
                team.load()->inject(list[number]);
        });
        const auto nothing = [](const teff::task_header&, const void*) noexcept { return false; };
        teff::execute(with_threads(3), [&] {
            team.store(&self().team());
            self().wait(list.all_done(), {.may_run = {nothing}});
        });
        outside.join();
        list.expect_each_once();
    }
}

// For example, a member that is deep in its stack.
TEST_P(task_team_on, tasks_from_outside_reach_a_member_that_waits_for_its_own) {
    for (unsigned round = 0; round < 100; ++round) {
        work_list list(1);
        std::atomic<teff::task_team*> team{nullptr};
        std::thread outside([&] {
            while (team.load() == nullptr)
                ::sched_yield();
            // The member may or may not sleep already.
            for (unsigned i = 0; i < round; ++i)
                ::sched_yield();
            team.load()->inject(list[0]);
        });
        region(1, [&](unsigned, unsigned) {
            team.store(&self().team());
            self().wait(list.all_done(), {.takes_others = false});
        });
        outside.join();
        list.expect_each_once();
    }
}

// Checked by ThreadSanitizer and AddressSanitizer: a team that ends may still be in use by the thread that has just
// injected its last task.
TEST_P(task_team_on, a_team_does_not_end_before_a_thread_that_makes_its_last_task_ready_has_left) {
    for (int round = 0; round < 50; ++round) {
        work_list list(1);
        std::atomic<teff::task_team*> team{nullptr};
        std::thread outside([&] {
            while (team.load() == nullptr)
                ::sched_yield();
            team.load()->inject(list[0]);
        });
        teff::execute(with_threads(2), [&] {
            team.store(&self().team());
            self().wait(list.all_done(), {});
        });
        outside.join();
    }
}

TEST_P(task_team_on, tasks_with_a_priority_come_first) {
    constexpr std::uint32_t priorities[] = {0, 3, 1, 0, 70, 63, 3, 0, 1, 1000};
    std::vector<std::uint32_t> order;
    work_list list(std::size(priorities), [&](unsigned number) { order.push_back(std::min(priorities[number], 63U)); });
    region(1, [&](unsigned, unsigned) {
        for (unsigned number = 0; number < list.size(); ++number) {
            list[number].priority = priorities[number];
            list.push(self(), number);
        }
        while (teff::task_header* const next = self().take({}))
            self().run(*next);
    });
    list.expect_each_once();
    // Priorities above 63 count as 63, and equal ones run in the order in which they were created.
    EXPECT_EQ(order, (std::vector<std::uint32_t>{63, 63, 63, 3, 3, 1, 1, 0, 0, 0}));
}

// Forks, groups and algorithms inside regions are run by the region's members.
TEST_P(task_team_on, forks_and_groups_work_inside_of_regions) {
    std::atomic<long> sum{0};
    std::function<long(int)> fib = [&](int n) -> long {
        if (n < 2)
            return n;
        const auto [a, b] = teff::fork_join([&, n] { return fib(n - 1); }, [&, n] { return fib(n - 2); });
        return a + b;
    };
    region(3, [&](unsigned, unsigned) {
        sum.fetch_add(fib(12));
        teff::task_group group;
        for (int i = 0; i < 20; ++i)
            group.run([&] { sum.fetch_add(1); });
        group.wait();
    });
    EXPECT_EQ(sum.load(), 3 * (144 + 20));
}

// A thread keeps its number, even if smaller regions run in between.
TEST_P(task_team_on, numbers_stay_with_their_threads) {
    std::vector<pthread_t> first(4);
    region(4, [&](unsigned member, unsigned) { first[member] = ::pthread_self(); });
    for (const long threads : {4L, 2L, 4L, 1L, 3L, 4L}) {
        std::vector<int> same(4, 1);
        EXPECT_EQ(region(threads, [&](unsigned member, unsigned) {
                      same[member] = ::pthread_equal(first[member], ::pthread_self());
                  }),
                  static_cast<unsigned>(threads));
        EXPECT_EQ(same, std::vector<int>(4, 1)) << threads;
    }
}

// If any member may take a task: the member that created the tasks stays inside another region until they have run.
TEST_P(task_team_on, a_member_that_leaves_for_another_region_strands_no_task) {
    if (GetParam().traits.binds)
        GTEST_SKIP() << "tasks wait for their member";
    for (int round = 0; round < 10; ++round) {
        std::atomic<int> ran{0};
        std::atomic<bool> are_made{false};
        region(2, [&](unsigned member, unsigned) {
            while (member == 1 && !are_made.load())
                ::sched_yield();
            if (member == 1)
                return;
            teff::task_group group;
            constexpr int count = 6;
            int made = 0;
            for (int i = 0; i < count; ++i) {
                // Counts the tasks that are not run at once.
                const int before = ran.load();
                group.run([&] { ran.fetch_add(1); });
                made += ran.load() == before;
            }
            are_made.store(true);
            EXPECT_EQ(made, count);
            region(1, [&](unsigned, unsigned) {
                while (ran.load() != count)
                    ::sched_yield();
            });
            group.wait();
        });
        EXPECT_EQ(ran.load(), 6);
    }
}

TEST_P(task_team_on, a_region_has_the_options_of_its_own_call) {
    for (const long bound : {0L, 7L, 0L}) {
        teff::options call = with_threads(2);
        call.max_queued = bound;
        const teff::team_options how = teff::resolve(call);
        std::size_t found = ~std::size_t{0};
        teff::run_region(
            how,
            [](void* argument, unsigned member, unsigned) noexcept {
                if (member == 0)
                    *static_cast<std::size_t*>(argument) = self().team().how().settings.max_queued;
            },
            &found);
        EXPECT_EQ(found, how.settings.max_queued);
    }
}

TEST_P(task_team_on, regions_work_inside_of_regions_and_tasks) {
    std::atomic<unsigned> calls{0};
    const auto inner = [&](unsigned, unsigned) {
        calls.fetch_add(1);
        teff::wait_at_barrier();
    };
    region(2, [&](unsigned, unsigned) { EXPECT_EQ(region(2, inner), 2U); });
    EXPECT_EQ(calls.load(), 4U);
    teff::execute(with_threads(2), [&] {
        teff::fork_join([&] { region(2, inner); }, [&] { region(2, inner); });
    });
    EXPECT_EQ(calls.load(), 8U);
}

// A function on a stack of its own, which is suspended repeatedly and resumed by another thread.
class migrating_function {
public:
    // steps: how often it is suspended.
    explicit migrating_function(unsigned steps) : steps_(steps), stack_(std::size_t{1} << 20) {
        const auto low = reinterpret_cast<std::uintptr_t>(stack_.data());
        bounds_ = {.low = low,
                   .limit = low + stack_.size() / 8,
                   .middle = low + stack_.size() / 2,
                   .high = low + stack_.size()};
        strand_.stack = &bounds_;
        getcontext(&inside_);
        inside_.uc_stack.ss_sp = stack_.data();
        inside_.uc_stack.ss_size = stack_.size();
        inside_.uc_link = nullptr;
        const auto address = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&inside_, reinterpret_cast<void (*)()>(&enter), 2, static_cast<unsigned>(address >> 32),
                    static_cast<unsigned>(address));
    }

    // Runs it on the calling thread until it is suspended or returns. Only one thread at a time may call this.
    void resume() {
        teff::strand& here = teff::switch_to(strand_);
        swapcontext(&outside_, &inside_);
        teff::switch_to(here);
    }
    bool has_ended() const { return has_ended_; }
    void expect_right() const {
        EXPECT_EQ(sum_, static_cast<long>(steps_) * (steps_ + 1) / 2 + 144);
        EXPECT_EQ(ordered_, steps_);
    }

private:
    static void enter(unsigned high, unsigned low) {
        auto& self = *reinterpret_cast<migrating_function*>(std::uintptr_t{high} << 32 | low);
        self.travel();
        self.has_ended_ = true;
        swapcontext(&self.inside_, &self.outside_);
    }
    void suspend() { swapcontext(&inside_, &outside_); }

    // Is suspended inside nested forks, with the second functions of the outer forks still open.
    long step(unsigned left) {
        if (left == 0)
            return fib(12);
        const auto [inner, own] = teff::fork_join(
            [this, left] {
                suspend();
                ++*count_;
                return step(left - 1);
            },
            [left] { return static_cast<long>(left); });
        return inner + own;
    }
    static long fib(int n) {
        if (n < 2)
            return n;
        const auto [a, b] = teff::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
        return a + b;
    }
    void travel() {
        sum_ = step(steps_);
        ordered_ = count_.get();
    }

    const unsigned steps_;
    std::vector<char> stack_;
    teff::stack_bounds bounds_;
    teff::strand strand_;
    ucontext_t inside_, outside_;
    teff::ordered_reducer<unsigned> count_;
    long sum_ = 0;
    unsigned ordered_ = 0;
    bool has_ended_ = false;
};

// Skipped under sanitizers, which would have to be told of the stack switches.
TEST_P(task_team_on, a_strand_is_suspended_here_and_resumed_there) {
    if (sanitized)
        GTEST_SKIP() << "the sanitizers do not follow swapcontext()";
    for (const long threads : {1L, 2L, 3L}) {
        migrating_function one(40);
        teff::atomic<unsigned> turn{0};
        region(threads, [&](unsigned member, unsigned members) {
            // The members take turns; the members that wait run the tasks that the function leaves.
            for (unsigned mine = member; mine <= 40; mine += members) {
                while (turn.load(std::memory_order_acquire) != mine) {
                    if (teff::task_header* const next = self().take({}))
                        self().run(*next);
                    else
                        ::sched_yield();
                }
                one.resume();
                turn.store(mine + 1, std::memory_order_release);
            }
        });
        EXPECT_TRUE(one.has_ended());
        one.expect_right();
    }
}

}  // namespace
