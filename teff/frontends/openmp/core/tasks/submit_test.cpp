// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A submitted task runs at once if it must or may, otherwise before the end of its parent's wait or of its region, and
// in the order of its dependences.
#include <teff/frontends/openmp/core/tasks/submit.hpp>

#include <teff/base/backoff.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/team/deferral.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

namespace {

using namespace teff::openmp;
using teff::depend::access_kind;
using work = std::function<void()>;

// The function's object lives in the task's data.
deferred_task& make(const work& what) {
    place& caller = this_place();
    deferred_task& made = make_task(caller, sizeof(work), alignof(work));
    made.data = ::new (data_of(made, alignof(work))) work(what);
    made.call = [](deferred_task& self) noexcept {
        work& own = *static_cast<work*>(self.data);
        own();
        own.~work();
    };
    return made;
}
void in_region(unsigned threads, const work& on_first) {
    work copy = on_first;
    run_region(this_place(), {.threads = threads}, [](place& caller, void* argument) {
        if (caller.number == 0)
            (*static_cast<work*>(argument))();
    }, &copy);
}

TEST(openmp_submit, an_undeferred_task_runs_at_once) {
    for (const unsigned threads : {1U, 3U}) {
        in_region(threads, [] {
            for (unsigned i = 0; i != 100; ++i) {
                place& caller = this_place();
                const task* const parent = caller.current;
                bool has_run = false;
                submit(caller, make([&] {
                    has_run = true;
                    EXPECT_EQ(this_place().current->parent, parent);
                    EXPECT_TRUE(this_place().current->is(task::is_explicit));
                }), false, {});
                EXPECT_TRUE(has_run);
                EXPECT_EQ(caller.current, parent);
            }
        });
    }
}

TEST(openmp_submit, the_tasks_of_a_final_task_are_undeferred) {
    in_region(3, [] {
        for (unsigned i = 0; i != 100; ++i) {
            deferred_task& outer = make([] {
                EXPECT_TRUE(this_place().current->is(task::is_final));
                bool has_run = false;
                submit(this_place(), make([&] {
                    has_run = true;
                    EXPECT_TRUE(this_place().current->is(task::is_final));
                }), true, {});
                EXPECT_TRUE(has_run);
            });
            outer.flags |= task::is_final;
            submit(this_place(), outer, true, {});
        }
    });
}

TEST(openmp_submit, a_wait_for_children_waits_for_all_of_them) {
    for (const unsigned threads : {1U, 2U, 5U}) {
        in_region(threads, [] {
            for (unsigned round = 0; round != 50; ++round) {
                std::atomic<unsigned> ran{0};
                for (unsigned i = 0; i != 40; ++i)
                    submit(this_place(), make([&] { ran.fetch_add(1); }), true, {});
                wait_for_children(this_place());
                EXPECT_EQ(ran.load(), 40U);
            }
        });
    }
}

// The other thread is busy all the time, so no thread takes a task.
TEST(openmp_submit, tasks_that_are_waited_for_in_vain_become_plain_calls) {
    struct {
        std::atomic<bool> is_busy{false}, is_over{false};
    } other;
    run_region(this_place(), {.threads = 2}, [](place& caller, void* argument) {
        auto& [is_busy, is_over] = *static_cast<decltype(other)*>(argument);
        if (caller.number == 1) {
            is_busy.store(true);
            while (!is_over.load())
                teff::yield_thread();
            return;
        }
        while (!is_busy.load())
            teff::yield_thread();
        const teff::task_member& self = *teff::running_thread.member;
        teff::deferral::request_self();
        EXPECT_FALSE(teff::is_plain());
        for (unsigned i = 0; i != 10; ++i) {
            submit(caller, make([] {}), true, {});
            wait_for_children(caller);
        }
        EXPECT_EQ(teff::is_plain(), self.team().shares_on_request());
        is_over.store(true);
    }, &other);
}

TEST(openmp_submit, the_end_of_a_region_waits_for_grandchildren) {
    for (const unsigned threads : {1U, 2U, 5U}) {
        for (unsigned round = 0; round != 50; ++round) {
            std::atomic<unsigned> ran{0};
            in_region(threads, [&] {
                for (unsigned i = 0; i != 20; ++i) {
                    submit(this_place(), make([&] {
                        for (unsigned k = 0; k != 5; ++k)
                            submit(this_place(), make([&] { ran.fetch_add(1); }), true, {});
                    }), true, {});
                }
            });
            EXPECT_EQ(ran.load(), 100U);
        }
    }
}

TEST(openmp_submit, tasks_follow_their_dependences) {
    for (const unsigned threads : {1U, 2U, 5U}) {
        in_region(threads, [] {
            unsigned long value = 0;
            for (unsigned i = 0; i != 2000; ++i) {
                dependence clause{&value, access_kind::inout};
                const bool is_deferrable = i % 13 != 0;
                submit(this_place(), make([&, i] {
                    EXPECT_EQ(value, i);
                    ++value;
                }), is_deferrable, {.items = &clause, .count = 1});
                if (!is_deferrable) {
                    EXPECT_EQ(value, i + 1);
                }
                if (i % 100 == 99) {
                    wait_for_dependences(this_place(), {.items = &clause, .count = 1});
                    EXPECT_EQ(value, i + 1);
                }
            }
        });
    }
}

TEST(openmp_submit, all_memory_comes_after_and_before_every_other_dependence) {
    in_region(4, [] {
        unsigned long values[5] = {};
        for (unsigned round = 0; round != 100; ++round) {
            for (unsigned long& each : values) {
                dependence clause{&each, access_kind::inout};
                submit(this_place(), make([&] { ++each; }), true, {.items = &clause, .count = 1});
            }
            submit(this_place(), make([&, round] {
                for (unsigned long& each : values)
                    EXPECT_EQ(each, round + 1);
            }), true, {.has_all_memory = true});
        }
        wait_for_children(this_place());
    });
}

TEST(openmp_submit, a_yield_runs_a_descendant_or_nothing) {
    in_region(2, [] {
        yield_to_task(this_place());
        std::atomic<unsigned> ran{0};
        for (unsigned i = 0; i != 50; ++i)
            submit(this_place(), make([&] { ran.fetch_add(1); }), true, {});
        while (ran.load() != 50)
            yield_to_task(this_place());
        wait_for_children(this_place());
    });
}

}  // namespace
