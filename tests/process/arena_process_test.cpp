// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas as guests in a process: fork(), exceptions that nothing takes, places that are not there, and workers that are
// bound for the time of a visit.
#include <tests/child_process.hpp>
#include <tests/process/rest.hpp>

#include <teff/arena.hpp>
#include <teff/base/backoff.hpp>
#include <teff/coroutine.hpp>
#include <teff/machine.hpp>
#include <teff/machine/cpu_mask.hpp>
#include <teff/parallel_for.hpp>
#include <teff/pool/pool.hpp>
#include <teff/task_group.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using namespace teff::testing;

void use(teff::arena& arena) {
    std::atomic<int> called{0};
    for (int i = 0; i < 100; ++i)
        arena.enqueue([&] { called.fetch_add(1); });
    arena.wait();
    EXPECT_EQ(called.load(), 100);
    EXPECT_EQ(arena.execute([] { return 7; }), 7);
    EXPECT_EQ(arena.spawn([] { return 8; }).get(), 8);
}

TEST(arena_process, can_be_used_after_a_fork) {
    expect_quiet(run_in_child([] {
        teff::arena arena({.threads = 3});
        use(arena);
        EXPECT_TRUE(ended_with(status_of_fork([&] {
                                   use(arena);
                                   return ::testing::Test::HasFailure() ? 1 : 0;
                               }),
                               0));
        use(arena);
    }));
}

TEST(arena_process, uses_no_cpu_while_it_has_no_work) {
    expect_quiet(run_in_child([] {
        teff::arena first({.threads = 3}), second({.threads = 2}, {.priority = teff::arena_priority::high});
        use(first);
        use(second);
        EXPECT_TRUE(comes_to_rest());
    }));
}

TEST(arena_process, begins_empty_in_a_child) {
    expect_quiet(run_in_child([] {
        teff::arena arena({.threads = 1});
        std::atomic<bool> is_inside{false}, may_end{false};
        std::atomic<int> called{0};
        arena.enqueue([&] {
            is_inside = true;
            while (!may_end.load())
                teff::yield_thread();
        });
        for (int i = 0; i < 10; ++i)
            arena.enqueue([&] { called.fetch_add(1); });
        while (!is_inside.load())
            teff::yield_thread();
        EXPECT_TRUE(ended_with(status_of_fork([&] {
                                   arena.wait();
                                   use(arena);
                                   return called.load() != 0 || ::testing::Test::HasFailure() ? 1 : 0;
                               }),
                               0));
        may_end = true;
        arena.wait();
        EXPECT_EQ(called.load(), 10);
    }));
}

TEST(arena_process, ends_a_child_that_goes_on_as_its_task) {
    const child_outcome outcome = run_in_child([] {
        teff::arena arena({.threads = 2});
        bool is_child = false;
        arena.execute([&] { is_child = goes_on_as_child_ending_with(1); });
        EXPECT_FALSE(is_child);
    });
    EXPECT_EQ(outcome.code(), 0);
    EXPECT_EQ(outcome.lines_with("a task that called fork() went on as a task in the child process"), 1U);
}

TEST(arena_process, ends_the_program_by_an_exception_that_nothing_takes) {
    const child_outcome outcome = run_in_child([] {
        teff::arena arena({.threads = 2});
        arena.enqueue([] { throw std::runtime_error("the disk is full"); });
        arena.wait();
    });
    EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT) << outcome.status;
    EXPECT_EQ(outcome.lines_with("handed to arena::enqueue(), and nothing takes it: the disk is full"), 1U)
        << outcome.errors;
}

void expect_message(std::string_view text, void (*body)(teff::arena& arena),
                    std::initializer_list<long> sizes = {1, 3}) {
    for (const long threads : sizes) {
        const child_outcome outcome = run_in_child([&] {
            teff::arena arena({.threads = threads});
            body(arena);
            arena.wait();
        });
        EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT) << outcome.status;
        EXPECT_EQ(outcome.lines_with(text), 1U) << outcome.errors;
        EXPECT_EQ(outcome.lines_with("teff:"), 1U) << outcome.errors;
    }
}

constexpr std::string_view own_arena = "teff: arena: a task of an arena waits for all tasks of the arena, and so for "
                                       "itself";

TEST(arena_process, may_not_be_waited_for_by_its_tasks) {
    expect_message(own_arena, [](teff::arena& arena) { arena.enqueue([&] { arena.wait(); }); });
    expect_message(own_arena, [](teff::arena& arena) { arena.spawn([&] { arena.wait(); }).wait(); });
    // On another thread, the group's task is no part of the arena's.
    const auto in_a_group = [](teff::arena& arena) {
        arena.enqueue([&] {
            teff::task_group group;
            group.run([&] { arena.wait(); });
            group.wait();
        });
    };
    expect_message(own_arena, in_a_group, {1});
    expect_message(own_arena, [](teff::arena& arena) {
        teff::sync_wait([](teff::arena& there) -> teff::task<> {
            co_await there.schedule();
            there.wait();
        }(arena));
    });
}

TEST(arena_process, has_groups_that_may_not_be_waited_for_by_their_tasks) {
    expect_message("teff: task_group: a task waits for the group that it belongs to", [](teff::arena& arena) {
        teff::task_group group;
        arena.enqueue(group, [&] { group.wait(); });
        group.wait();
    });
}

// All threads of the process wait in tasks of other teams, so the arena gets a worker of its own.
TEST(arena_process, may_be_waited_for_by_all_threads_in_another_one) {
    expect_quiet(run_in_child([] {
        teff::arena arena({.threads = 2}), other({.threads = 2});
        std::atomic<int> called{0};
        for (int i = 0; i < 50; ++i)
            other.enqueue([&] {
                arena.enqueue([&] { called.fetch_add(1); });
                arena.wait();
                arena.execute([&] { arena.wait(); });
            });
        other.wait();
        EXPECT_EQ(called.load(), 50);
    }));
}

TEST(arena_process, may_be_waited_for_by_all_threads_in_a_loop) {
    expect_quiet(run_in_child([] {
        teff::arena arena({.threads = 1});
        std::atomic<int> sum{0};
        teff::execute({.threads = 3}, [&] {
            teff::parallel_for(0, 100, [&](int i) { sum.fetch_add(arena.spawn([i] { return i; }).get()); });
        });
        EXPECT_EQ(sum.load(), 4950);
    }));
}

// The message of the refusal; "" if there was none.
std::string refusal_of(const teff::options& call, const teff::arena_options& more) {
    try {
        const teff::arena arena(call, more);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

TEST(arena_process, names_the_places_that_are_there) {
    expect_quiet(run_in_child([] {
        ::setenv("TEFF_TOPOLOGY", "sockets:2 cores:2 threads:1", 1);
        EXPECT_EQ(refusal_of({}, {.numa_domain = 1}), "");
        EXPECT_EQ(refusal_of({}, {.numa_domain = 2}),
                  "numa_domain: '2' cannot be used: this machine has 2 NUMA domains, 0 to 1");
        EXPECT_EQ(refusal_of({}, {.numa_domain = -1}),
                  "numa_domain: '-1' cannot be used: this machine has 2 NUMA domains, 0 to 1");
        EXPECT_EQ(refusal_of({}, {.core_kind = 0}), "");
        EXPECT_EQ(refusal_of({}, {.core_kind = 1}),
                  "core_kind: '1' cannot be used: this machine has one kind of cores, 0");
        EXPECT_NE(refusal_of({.threads = 0}, {}), "");
        EXPECT_NE(refusal_of({.scheduler = "none such"}, {}), "");
    }));
}

TEST(arena_process, works_in_the_places_of_this_machine) {
    expect_quiet(run_in_child([] {
        for (long domain = 0; domain < teff::machine_topology().numa_count(); ++domain) {
            teff::arena arena({.threads = 2}, {.numa_domain = domain});
            use(arena);
        }
        for (long kind = 0; kind < teff::core_kinds_of_machine().count; ++kind) {
            teff::arena arena({}, {.core_kind = kind});
            use(arena);
        }
    }));
}

// Of the only worker, by a task that nothing else runs.
template <class Enqueue>
teff::cpu_mask mask_seen_in(Enqueue&& enqueue) {
    teff::cpu_mask seen;
    std::atomic<bool> has_looked{false};
    enqueue([&] {
        seen = teff::cpu_mask::of_calling_thread();
        has_looked = true;
    });
    while (!has_looked.load())
        teff::yield_thread();
    return seen;
}

TEST(arena_process, binds_workers_for_the_time_of_a_visit) {
    expect_quiet(run_in_child([] {
        const teff::cpu_mask all = teff::cpu_mask::of_calling_thread();
        int first = 0;
        while (!all.contains(first))
            ++first;
        teff::cpu_mask one;
        one.add(first);
        teff::team_options how = teff::resolve({.threads = 2});
        how.binds_to = &one;
        teff::forking::arena_life bound(how, {});
        teff::arena free({.threads = 2});
        ASSERT_EQ(teff::pool::instance().worker_count(), 1U);
        for (int i = 0; i < 20; ++i) {
            const teff::cpu_mask inside = mask_seen_in([&](auto look) {
                teff::forking::enqueue<teff::forking::no_group>(bound, nullptr, look);
            });
            EXPECT_EQ(inside.count(), 1);
            EXPECT_TRUE(inside.contains(first));
            EXPECT_EQ(mask_seen_in([&](auto look) { free.enqueue(look); }).count(), all.count());
        }
        EXPECT_EQ(teff::cpu_mask::of_calling_thread().count(), all.count());
    }));
}

}  // namespace
