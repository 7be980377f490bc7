// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dataflow with a million tasks that wait, on every tracker, without the limit (option dataflow_tasks): a chain of
// tasks, and one writer with a million readers. And with the limit, which the same program keeps to.
#include "../child_process.hpp"

#include <teff/dataflow.hpp>
#include <teff/depend/names.hpp>
#include <teff/fork_join.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace teff::testing {
namespace {

constexpr long million = 1'000'000;

// Is held by the first task, so that the others wait; not on the thread that spawns them.
class gate {
public:
    void pass() noexcept {
        if (std::this_thread::get_id() == spawner_) {
            is_missed_ = !is_open_.load();
            return;
        }
        while (!is_open_.load())
            std::this_thread::yield();
    }
    void open() noexcept { is_open_.store(true); }
    bool is_missed() const noexcept { return is_missed_; }

private:
    const std::thread::id spawner_ = std::this_thread::get_id();
    std::atomic<bool> is_open_{false};
    bool is_missed_ = false;
};

// Spawns a first task that waits, calls `rest`, and lets the first one end; again, until the first one was taken by
// another thread.
template <class Rest>
void behind_a_held_task(object<long>& first, Rest&& rest) {
    for (;;) {
        gate held;
        spawn([&held](long& value) {
            held.pass();
            value = 0;
        }, out(first));
        if (!held.is_missed())
            rest();
        held.open();
        sync();
        if (!held.is_missed())
            return;
        std::this_thread::yield();
    }
}

class many_tasks : public ::testing::TestWithParam<const char*> {
protected:
    template <class F>
    void without_limit(F&& f) const {
        const std::string tracker = GetParam();
        expect_quiet(run_in_child([&] {
            ::setenv("TEFF_DATAFLOW_TASKS", "0", 1);
            execute({.threads = 2, .tracker = tracker}, f);
        }));
    }
};
std::vector<const char*> every_tracker() {
    std::vector<const char*> names;
    for (const named_choice& each : tracker_names)
        names.push_back(each.name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(, many_tasks, ::testing::ValuesIn(every_tracker()),
                         [](const auto& row) { return std::string(row.param); });

TEST_P(many_tasks, a_chain_of_a_million_waits_and_runs_in_order) {
    without_limit([] {
        object<long> chain(no_renaming, 0);
        behind_a_held_task(chain, [&] {
            for (long i = 0; i != million; ++i) {
                spawn([i](long& value) {
                    if (value == i)
                        ++value;
                }, inout(chain));
            }
        });
        EXPECT_EQ(chain.value(), million);
    });
}

TEST_P(many_tasks, a_million_readers_wait_for_a_writer) {
    // With `graph` the time grows with the square of the readers of a value (Vandierendonck et al., section 4.1).
    const long count = std::string(GetParam()) == "graph" ? 20'000 : million;
    without_limit([count] {
        object<long> source(no_renaming, -1);
        std::atomic<long> readers{0};
        behind_a_held_task(source, [&] {
            for (long i = 0; i != count; ++i)
                spawn([&readers](const long& value) { readers += value == 0 ? 1 : 0; }, in(source));
        });
        EXPECT_EQ(readers, count);
    });
}

// A spawn beyond the limit waits for other tasks, so no task may hold them all back.
TEST_P(many_tasks, the_limit_is_kept) {
    const std::string tracker = GetParam();
    expect_quiet(run_in_child([&] {
        ::setenv("TEFF_DATAFLOW_TASKS", "100", 1);
        execute({.threads = 2, .tracker = tracker}, [] {
            object<long> chain(no_renaming, 0);
            std::atomic<long> spawned{0}, ended{0}, most{0};
            for (long i = 0; i != 10'000; ++i) {
                most = std::max(most.load(), ++spawned - ended);
                spawn([&ended](long& value) {
                    ++value;
                    ++ended;
                }, inout(chain));
            }
            sync();
            EXPECT_EQ(chain.value(), 10'000);
            // The task that is just being spawned, and those that end while it is counted.
            EXPECT_LE(most, 110);
        });
    }));
}

// A worker that has never forked ends a task that eight others wait for, and queues them; the first one that it runs
// makes a task ready that counts to the other half of the limit (graph.hpp). So the worker has far more tasks queued
// than that half has, and stops asking itself for more.
TEST_P(many_tasks, a_worker_that_has_never_forked_queues_more_than_it_needs) {
    const std::string tracker = GetParam();
    expect_quiet(run_in_child([&] {
        ::setenv("TEFF_DATAFLOW_TASKS", "18", 1);
        execute({.threads = 2, .tracker = tracker}, [] {
            constexpr int readers = 8;
            object<long> source(no_renaming, 0), first(no_renaming, 0), last(no_renaming, 0);
            std::atomic<int> ended{0};
            for (bool is_done = false; !is_done;) {
                gate held;
                spawn([&held](long&) { held.pass(); }, inout(source));
                is_done = !held.is_missed();
                if (is_done) {
                    const auto set = [&](object<long>& own) {
                        spawn([&ended](const long&, long& to) {
                            to = 1;
                            ++ended;
                        }, in(source), inout(own));
                    };
                    set(first);
                    for (int i = 2; i != readers; ++i)
                        spawn([&ended](const long&) { ++ended; }, in(source));
                    set(last);
                    for (object<long>* each : {&first, &last})
                        spawn([&ended](long& own) {
                            own *= 10;
                            ++ended;
                        }, inout(*each));
                    held.open();
                    // The worker runs them alone.
                    while (ended != readers + 2)
                        std::this_thread::yield();
                }
                sync();
            }
            EXPECT_EQ(first.value(), 10);
            EXPECT_EQ(last.value(), 10);
        });
    }));
}

}  // namespace
}  // namespace teff::testing
