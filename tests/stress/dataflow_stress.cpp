// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deferred tasks of dataflow. If the end of a task makes a single task ready, that one stays with its thread, private
// (graph::push_next); other threads go idle meanwhile, ask, use force, and sleep. Each task has an identity and is
// called once, it finds what the task before it has left, and none waits for a thread that does not run it.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/schedulers.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/task_group.hpp>
#include <teff/team/deferral.hpp>
#include <teff/team/task_team.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

// Yields until the condition holds. False: it has not for a minute.
template <class Condition>
bool comes_true(Condition&& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::yield();
    }
    return true;
}

// What the tasks of a run may do.
enum class kind : unsigned char {
    mixed,          // children, forks, renaming, rows of commutative tasks
    waits,          // nothing that takes other tasks meanwhile; some tasks wait, in a loop, for an earlier one
    spawner_waits,  // the same, but the thread that spawns them waits so, after it has run some of them
};

// Chains of tasks. While there is one chain only, all threads but one have nothing to do.
class chains {
public:
    chains(kind what, std::uint64_t tasks, std::uint64_t seed)
        : what_(what), tasks_(tasks), random_(seed), delivered_(tasks),
          has_ended_(static_cast<std::size_t>(tasks)) {}

    void run() {
        while (issued_ < tasks_)
            issue_some(1 + random_.below(most_chains), 1 + random_.below(400));
        teff::sync();
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the sync.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
        EXPECT_EQ(sum_.value(), expected_sum_);
        for (unsigned i = 0; i < most_chains; ++i)
            EXPECT_EQ(links_[i].value(), newest_[i]);
    }

private:
    static constexpr unsigned most_chains = 4;
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    using link = std::uint64_t;  // the identity of the task that has written it

    void expect(bool is_right) noexcept {
        // relaxed: read after the sync.
        mistakes_.fetch_add(is_right ? 0 : 1, std::memory_order_relaxed);
    }
    void deliver(std::uint64_t identity) noexcept {
        expect(delivered_.deliver(identity));
        // relaxed: only ends a wait.
        has_ended_[static_cast<std::size_t>(identity)].store(true, std::memory_order_relaxed);
    }

    void issue_some(unsigned width, std::uint64_t count) {
        for (; count != 0 && issued_ + most_children < tasks_; --count)
            issue(random_.below(width), random_.below(width));
        while (issued_ + most_children >= tasks_ && issued_ < tasks_)
            follow(0, issued_++);
        if (random_.below(4) == 0)
            teff::sync();
    }
    void issue(unsigned chain, unsigned other) {
        const std::uint64_t identity = issued_++;
        // Also where no thread asks at present, some tasks are queued.
        if (random_.below(4) == 0)
            teff::deferral::request_self();
        switch (random_.below(what_ == kind::mixed ? 12 : 6)) {
        case 0:
            return chain != other ? follow_two(chain, other, identity) : follow(chain, identity);
        case 1:
            return read(chain, identity);
        case 2:
            return what_ == kind::waits ? follow_waiting(identity) : follow(chain, identity);
        case 3:
            follow(chain, identity);
            return what_ == kind::spawner_waits ? wait_for_group_and(earlier_than(identity)) : void();
        case 6:
            return overwrite(chain, identity);
        case 7:
            return add(identity);
        case 8:
            return follow_with_children(chain, identity);
        case 9:
            return follow_with_fork(chain, identity);
        default:
            return follow(chain, identity);
        }
    }

    void follow(unsigned chain, std::uint64_t identity) {
        teff::spawn([=, this, before = newest_[chain]](link& mine) {
            expect(mine == before);
            mine = identity;
            deliver(identity);
        }, teff::inout(links_[chain]));
        newest_[chain] = identity;
    }
    void follow_two(unsigned chain, unsigned other, std::uint64_t identity) {
        teff::spawn([=, this, before = newest_[chain], beside = newest_[other]](link& mine, const link& theirs) {
            expect(mine == before && theirs == beside);
            mine = identity;
            deliver(identity);
        }, teff::inout(links_[chain]), teff::in(links_[other]));
        newest_[chain] = identity;
    }
    void read(unsigned chain, std::uint64_t identity) {
        teff::spawn([=, this, before = newest_[chain]](const link& mine) {
            expect(mine == before);
            deliver(identity);
        }, teff::in(links_[chain]));
    }
    void overwrite(unsigned chain, std::uint64_t identity) {
        teff::spawn([=, this](link& mine) {
            mine = identity;
            deliver(identity);
        }, teff::out(links_[chain]));
        newest_[chain] = identity;
    }
    void add(std::uint64_t identity) {
        teff::spawn([=, this](std::uint64_t& sum) {
            sum += identity;
            deliver(identity);
        }, teff::commutative(sum_));
        expected_sum_ += identity;
    }
    void follow_with_children(unsigned chain, std::uint64_t identity) {
        const std::uint64_t first = issued_;
        const std::uint64_t count = random_.below(most_children);
        issued_ += count;
        teff::spawn([=, this, before = newest_[chain]](link& mine) {
            expect(mine == before);
            teff::object<link> own(before);
            for (std::uint64_t child = 0; child < count; ++child)
                teff::spawn([=, this](link& last) {
                    expect(last == (child == 0 ? before : first + child - 1));
                    last = first + child;
                    deliver(first + child);
                }, teff::inout(own));
            expect(own.value() == (count == 0 ? before : first + count - 1));
            mine = identity;
            deliver(identity);
        }, teff::inout(links_[chain]));
        newest_[chain] = identity;
    }
    void follow_with_fork(unsigned chain, std::uint64_t identity) {
        teff::spawn([=, this, before = newest_[chain]](link& mine) {
            bool left = false, right = false;
            teff::fork_join([&] { left = mine == before; }, [&] { right = mine == before; });
            expect(left && right);
            mine = identity;
            deliver(identity);
        }, teff::inout(links_[chain]));
        newest_[chain] = identity;
    }
    std::uint64_t earlier_than(std::uint64_t identity) {
        const std::uint64_t distance = 1 + random_.below(20);
        return identity < distance ? none : identity - distance;
    }
    void wait_in_loop_for(std::uint64_t awaited) const {
        // relaxed: only ends the wait.
        for (teff::backoff wait; awaited != none && !has_ended_[static_cast<std::size_t>(awaited)].load(
                                                        std::memory_order_relaxed);)
            wait.pause();
    }
    // One at a time: the other threads run what it waits for.
    void follow_waiting(std::uint64_t identity) {
        teff::spawn([=, this, awaited = earlier_than(identity)](char&) {
            wait_in_loop_for(awaited);
            deliver(identity);
        }, teff::inout(waits_));
    }
    // While it waits for the group, the thread runs tasks of the chains.
    void wait_for_group_and(std::uint64_t awaited) const {
        teff::task_group group;
        teff::deferral::request_self();
        group.run([] {});
        group.wait();
        wait_in_loop_for(awaited);
    }

    static constexpr std::uint64_t most_children = 6;
    const kind what_;
    const std::uint64_t tasks_;
    teff::random_generator random_;
    stress::identities delivered_;
    std::vector<teff::atomic<bool>> has_ended_;
    std::uint64_t issued_ = 0;
    std::array<teff::object<link>, most_chains> links_{
        teff::object<link>(none), teff::object<link>(none), teff::object<link>(none), teff::object<link>(none)};
    std::array<std::uint64_t, most_chains> newest_{none, none, none, none};
    teff::object<std::uint64_t> sum_{std::uint64_t{0}};
    std::uint64_t expected_sum_ = 0;
    teff::object<char> waits_{'w'};
    teff::atomic<std::uint64_t> mistakes_{0};
};

// A task costs as much as some dozens of operations on a queue.
std::uint64_t tasks_in(std::size_t runs) { return std::max<std::uint64_t>(100, stress::operations() / 50 / runs); }

TEST(dataflow_stress, tasks_of_chains_are_called_once_and_in_order) {
    const auto schedulers = teff::schedulers();
    constexpr std::array threads = {2L, 3L, 8L};
    const std::uint64_t tasks = tasks_in(std::size(schedulers) * threads.size());
    std::uint64_t seed = 1;
    for (const teff::scheduler_traits& each : schedulers) {
        for (const long count : threads) {
            SCOPED_TRACE(std::string(each.name) + ", " + std::to_string(count) + " threads");
            teff::execute({.threads = count, .scheduler = each.name},
                          [&] { chains(kind::mixed, tasks, ++seed).run(); });
        }
    }
}

TEST(dataflow_stress, tasks_are_called_once_whatever_is_refused_and_on_every_tracker) {
    constexpr std::array trackers = {"tickets", "list", "embedded_hypergraph", "hypergraph", "embedded_graph", "graph"};
    constexpr std::array most_queued = {0L, 1L, 3L};
    const std::uint64_t tasks = tasks_in(trackers.size() * most_queued.size());
    std::uint64_t seed = 100;
    for (const char* const tracker : trackers) {
        for (const long most : most_queued) {
            SCOPED_TRACE(std::string(tracker) + ", at most " + std::to_string(most) + " queued");
            teff::execute({.threads = 3, .scheduler = "demand", .tracker = tracker, .max_queued = most},
                          [&] { chains(kind::mixed, tasks, ++seed).run(); });
        }
    }
}

// Several functions spawn chains at the same time: tasks of a group, and fibers, which leave their worker where they
// wait. Between the end of a task and the one that it has made ready, fibers become ready on the same worker.
TEST(dataflow_stress, functions_with_chains_run_beside_each_other) {
    constexpr std::array threads = {2L, 3L, 8L};
    constexpr unsigned functions = 4;
    const std::uint64_t tasks = tasks_in(threads.size() * 2 * functions);
    std::uint64_t seed = 300;
    for (const long count : threads) {
        SCOPED_TRACE(std::to_string(count) + " threads");
        teff::execute({.threads = count, .scheduler = "demand"}, [&] {
            teff::task_group group;
            std::vector<teff::fiber> fibers;
            for (unsigned i = 0; i < functions; ++i) {
                const auto spawn_all = [tasks, mine = ++seed] { chains(kind::mixed, tasks, mine).run(); };
                fibers.emplace_back(spawn_all);
                group.run(spawn_all);
            }
            group.wait();
            for (teff::fiber& each : fibers)
                each.join();
        });
    }
}

// If a task that is ready stays with a thread that does not run it, the run does not end.
TEST(dataflow_stress, no_task_is_kept_from_idle_threads_by_a_thread_that_waits) {
    if (!teff::may_use_heavy_fence())
        GTEST_SKIP() << "without force a queued task waits for its thread";
    constexpr std::array threads = {2L, 3L, 8L};
    constexpr std::array most_queued = {0L, 1L, 3L};
    const std::uint64_t tasks = tasks_in(threads.size() * most_queued.size()) / 4;
    std::uint64_t seed = 200;
    for (const long count : threads) {
        for (const long most : most_queued) {
            SCOPED_TRACE(std::to_string(count) + " threads, at most " + std::to_string(most) + " queued");
            teff::execute({.threads = count, .scheduler = "demand", .max_queued = most}, [&] {
                for (const kind what : {kind::waits, kind::spawner_waits})
                    chains(what, tasks, ++seed).run();
            });
        }
    }
}

// A worker calls a task inside of another one, since its queue is full, while the other thread takes what is queued and
// goes to sleep. The end of the inner task makes one task ready. The outer task goes on, so it must not be kept.
TEST(dataflow_stress, what_a_task_inside_of_another_one_makes_ready_is_not_kept) {
    if (!teff::may_use_heavy_fence())
        GTEST_SKIP() << "without force a queued task waits for its thread";
    std::atomic<bool> is_begun{false}, is_taken{false}, may_end{false}, is_over{false};
    std::atomic<int> called{0};
    const auto sleeps_beside = [](teff::task_member& self) {
        return self.queued() == 0 && self.team().idle().members().sleeping() != 0;
    };
    const auto outer = [&] {
        if (teff::running_thread.member->slot() == 0)
            return;  // The caller takes others' tasks only where it waits.
        is_begun = true;
        teff::object<int> held(0), shared(0);
        // Each of the tasks is queued, as if the other thread had just asked.
        teff::deferral::request_self();
        teff::spawn([&](int&) {
            is_taken = true;
            EXPECT_TRUE(comes_true([&] { return may_end.load(); }));
        }, teff::inout(held));
        EXPECT_TRUE(comes_true([&] { return is_taken.load(); }));
        teff::deferral::request_self();
        teff::spawn([&](int&) { ++called; }, teff::commutative(shared));
        teff::deferral::request_self();
        teff::spawn([&](int&) {
            // If nothing was refused, this is not the case that is tested.
            may_end = true;
            if (teff::running_thread.member->slot() != 0)
                comes_true([&] { return sleeps_beside(*teff::running_thread.member); });
            ++called;
        }, teff::commutative(shared));
        EXPECT_TRUE(comes_true([&] { return called == 2; })) << "a task that is ready is not run";
        teff::sync();
        is_over = true;
    };
    teff::execute({.threads = 2, .scheduler = "demand", .max_queued = 1}, [&] {
        teff::task_group group;
        while (!is_begun) {
            teff::deferral::request_self();
            group.run(outer);
            comes_true([&] { return is_begun || teff::running_thread.member->queued() == 0; });
        }
        group.wait();
    });
    EXPECT_TRUE(is_over);
}

}  // namespace
