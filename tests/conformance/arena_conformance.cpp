// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas on every scheduler: each task is called once, results and exceptions come back, never more threads are inside
// than the arena has, and calls of one arena in another go on.
#include <tests/conformance/each_choice.hpp>
#include <tests/conformance/roll.hpp>

#include <teff/arena.hpp>
#include <teff/base/backoff.hpp>
#include <teff/constructs.hpp>
#include <teff/fiber.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/pool/pool.hpp>
#include <teff/reducer.hpp>
#include <teff/strand/worker.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class arena_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, arena_on, testing::ValuesIn(all_rows()), row_names());

// Counts the threads that are inside, each once however deep it is.
class gauge {
public:
    explicit gauge(unsigned limit) : limit_(limit) {}
    template <class F>
    void pass(F&& f) {
        const bool is_first = depth_ == 0;
        ++depth_;
        if (is_first && inside_.fetch_add(1) + 1 > limit_)
            too_many_.store(true);
        f();
        --depth_;
        if (is_first)
            inside_.fetch_sub(1);
    }
    bool was_exceeded() const { return too_many_.load(); }

private:
    static thread_local int depth_;
    const unsigned limit_;
    std::atomic<unsigned> inside_{0};
    std::atomic<bool> too_many_{false};
};
thread_local int gauge::depth_ = 0;

template <class Done>
void yield_until(Done&& done) {
    while (!done())
        teff::yield_thread();
}

template <class F>
void on_threads(unsigned count, F&& f) {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < count; ++i)
        threads.emplace_back([&f, i] { f(i); });
}

long fib(int n) {
    if (n < 2)
        return n;
    auto [a, b] = teff::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}

TEST_P(arena_on, runs_each_enqueued_task_once) {
    for (const long threads : {1L, 2L, 5L}) {
        constexpr std::size_t per_thread = 2'000;
        constexpr unsigned callers = 3;
        roll tasks(callers * per_thread);
        teff::arena arena(with_threads(threads));
        on_threads(callers, [&](unsigned caller) {
            for (std::size_t i = 0; i < per_thread; ++i)
                arena.enqueue([&tasks, which = caller * per_thread + i] { tasks.call(which); });
        });
        arena.wait();
        tasks.expect_called_once();
    }
}

TEST_P(arena_on, ends_after_its_tasks) {
    roll tasks(1000);
    {
        teff::arena arena(with_threads(3));
        for (std::size_t i = 0; i < 500; ++i)
            arena.enqueue([&, i] {
                tasks.call(i);
                arena.enqueue([&tasks, i] { tasks.call(500 + i); });
            });
    }
    tasks.expect_called_once();
}

TEST_P(arena_on, runs_tasks_though_no_thread_calls_it) {
    for (const long threads : {1L, 2L}) {
        teff::arena arena(with_threads(threads));
        std::atomic<int> done{0};
        const std::thread::id self = std::this_thread::get_id();
        std::atomic<bool> was_here{false};
        for (int i = 0; i < 10; ++i)
            arena.enqueue([&] {
                was_here = was_here || std::this_thread::get_id() == self;
                done.fetch_add(1);
            });
        yield_until([&] { return done.load() == 10; });
        EXPECT_FALSE(was_here.load());
    }
}

TEST_P(arena_on, gives_results_and_exceptions_back) {
    teff::arena arena(with_threads(2));
    EXPECT_EQ(arena.execute([] { return fib(15); }), 610);
    int there = 5;
    EXPECT_EQ(&arena.execute([&]() -> int& { return there; }), &there);
    EXPECT_EQ(*arena.execute([] { return std::make_unique<int>(3); }), 3);
    EXPECT_THROW(arena.execute([] { throw std::runtime_error("no"); }), std::runtime_error);
    teff::task_group group;
    arena.enqueue(group, [] { throw std::runtime_error("no"); });
    EXPECT_THROW(group.wait(), std::runtime_error);
    EXPECT_EQ(arena.spawn([] { return fib(10); }).get(), 55);
    EXPECT_THROW(arena.spawn([] { throw std::runtime_error("no"); }).get(), std::runtime_error);
    EXPECT_EQ(*arena.spawn([] { return std::make_unique<int>(4); }).get(), 4);
}

// Many threads call at once, so that most calls find the arena full; and other arenas take part of the workers.
TEST_P(arena_on, keeps_its_limit) {
    for (const unsigned limit : {1U, 2U, 3U}) {
        teff::arena arena(with_threads(limit)), other(with_threads(4));
        gauge inside(limit);
        roll calls(6 * 50), tasks(6 * 50);
        on_threads(6, [&](unsigned caller) {
            for (std::size_t i = 0; i < 50; ++i) {
                const std::size_t which = caller * 50 + i;
                arena.enqueue([&, which] { inside.pass([&] { tasks.call(which); }); });
                other.enqueue([] { fib(5); });
                const long sum = arena.execute([&, which] {
                    long found = 0;
                    inside.pass([&] {
                        calls.call(which);
                        teff::task_group group;
                        for (int k = 0; k < 4; ++k)
                            group.run([&] { inside.pass([] { fib(6); }); });
                        group.wait();
                        found = fib(8);
                    });
                    return found;
                });
                EXPECT_EQ(sum, 21);
            }
        });
        arena.wait();
        EXPECT_FALSE(inside.was_exceeded());
        calls.expect_called_once();
        tasks.expect_called_once();
    }
}

TEST_P(arena_on, throws_to_a_caller_that_found_it_full) {
    teff::arena arena(with_threads(1));
    std::atomic<int> caught{0};
    on_threads(5, [&](unsigned) {
        for (int i = 0; i < 100; ++i) {
            try {
                arena.execute([] { throw std::runtime_error("no"); });
            } catch (const std::runtime_error&) {
                caught.fetch_add(1);
            }
        }
    });
    EXPECT_EQ(caught.load(), 500);
}

// Every worker is kept busy elsewhere, so the call has to get the slot of the guest that leaves.
TEST_P(arena_on, passes_its_only_place_on) {
    teff::arena arena(with_threads(1));
    const unsigned workers = teff::pool::instance().worker_count();
    // Before the arena whose tasks use them: its destructor waits for these.
    std::atomic<unsigned> blocked{0};
    std::atomic<bool> may_end{false}, is_inside{false}, may_leave{false};
    teff::arena busy({.threads = static_cast<long>(workers) + 1});
    for (unsigned i = 0; i < workers; ++i)
        busy.enqueue([&] {
            blocked.fetch_add(1);
            yield_until([&] { return may_end.load(); });
        });
    yield_until([&] { return blocked.load() == workers; });
    std::thread first([&] {
        arena.execute([&] {
            is_inside = true;
            yield_until([&] { return may_leave.load(); });
        });
    });
    yield_until([&] { return is_inside.load(); });
    std::vector<std::jthread> waiting;
    std::atomic<int> done{0};
    for (int i = 0; i < 3; ++i)
        waiting.emplace_back([&] { arena.execute([&] { done.fetch_add(1); }); });
    may_leave = true;
    first.join();
    waiting.clear();
    EXPECT_EQ(done.load(), 3);
    may_end = true;
}

// A thread that waits in the arena's only slot may not stay there because of tasks that came when its wait had ended.
TEST_P(arena_on, leaves_its_only_place_after_a_wait) {
    constexpr std::size_t rounds = 2'000;
    teff::arena arena(with_threads(1));
    roll plain(rounds), grouped(rounds);
    std::jthread maker([&] {
        for (std::size_t i = 0; i < rounds; ++i)
            arena.enqueue([&, i] { plain.call(i); });
    });
    std::jthread waiter([&] {
        for (std::size_t i = 0; i < rounds; ++i)
            arena.wait();
    });
    teff::task_group group;
    std::jthread other_maker([&] {
        for (std::size_t i = 0; i < rounds; ++i)
            arena.enqueue(group, [&, i] { grouped.call(i); });
    });
    for (std::size_t i = 0; i < rounds / 10; ++i)
        arena.execute([&] { group.wait(); });
    maker.join();
    other_maker.join();
    arena.wait();
    group.wait();
    plain.expect_called_once();
    grouped.expect_called_once();
}

// Calls of arenas inside each other, as many as chance will have it, on arenas of few threads. Each goes to an arena
// further in than the one that it comes from.
class nest_of_arenas {
public:
    explicit nest_of_arenas(const teff::options& call) {
        for (const long threads : {1L, 1L, 2L, 1L, 3L}) {
            teff::options its = call;
            its.threads = threads;
            arenas_.push_back(std::make_unique<teff::arena>(its));
        }
    }

    void visit(std::size_t level, int depth, unsigned seed) {
        called_.fetch_add(1);
        if (depth == 0 || level == arenas_.size())
            return;
        std::minstd_rand chance(seed);
        const std::size_t next = level + chance() % (arenas_.size() - level);
        teff::arena& into = *arenas_[next];
        const auto inside = [this, next, depth, seed](unsigned which) {
            expected_.fetch_add(1);
            return [=, this] { visit(next + 1, depth - 1, seed * 7 + which); };
        };
        teff::task_group group;
        switch (chance() % 6) {
        case 0:
            return into.execute(inside(1));
        case 1:
            return into.spawn(inside(1)).get();
        case 2:
            return into.enqueue(inside(1));
        case 3:
            into.execute([&] {
                group.run(inside(1));
                group.run(inside(2));
                group.wait();
            });
            return;
        default:
            into.enqueue(group, inside(1));
            into.enqueue(group, inside(2));
            if (chance() % 2 == 0)
                into.execute([&] { group.wait(); });
            else
                group.wait();
        }
    }
    // Tasks of an arena may have enqueued some further in, but none further out.
    void expect_all_called() {
        for (const auto& each : arenas_)
            each->wait();
        EXPECT_EQ(called_.load(), expected_.load());
    }
    void expect_one() { expected_.fetch_add(1); }

private:
    std::vector<std::unique_ptr<teff::arena>> arenas_;
    std::atomic<long> called_{0}, expected_{0};
};

TEST_P(arena_on, nests_of_calls_do_not_block) {
    nest_of_arenas nest(with_threads(1));
    on_threads(4, [&](unsigned caller) {
        for (unsigned i = 0; i < 60; ++i) {
            nest.expect_one();
            nest.visit(0, 4, caller * 1'000 + i + 1);
        }
    });
    nest.expect_all_called();
}

// The only thread of `outer` waits in `inner` for tasks that call `outer`. Other threads run some of these tasks.
TEST_P(arena_on, runs_calls_while_its_thread_waits_further_in) {
    teff::arena outer(with_threads(1)), inner(with_threads(3));
    std::atomic<int> called{0};
    on_threads(2, [&](unsigned) {
        for (unsigned i = 0; i < 20; ++i)
            outer.execute([&] {
                inner.execute([&] {
                    teff::task_group group;
                    for (unsigned k = 0; k < 4; ++k)
                        group.run([&] { outer.execute([&] { called.fetch_add(1); }); });
                    group.wait();
                });
            });
    });
    EXPECT_EQ(called.load(), 160);
}

// A task of the outer arena that its thread waits for inside of the inner one.
TEST_P(arena_on, runs_tasks_while_its_thread_waits_further_in) {
    teff::arena outer(with_threads(1)), inner(with_threads(1));
    int called = 0;
    outer.execute([&] {
        teff::task_group group;
        group.run([&] { ++called; });
        outer.enqueue(group, [&] { ++called; });
        inner.execute([&] { group.wait(); });
        EXPECT_EQ(called, 2);
    });
}

class arena_that_shares : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, arena_that_shares, testing::ValuesIn(rows_that_share()), row_names());

// One thread of the arena waits further in, until the other one has seen a task run that it keeps to itself.
TEST_P(arena_that_shares, takes_tasks_of_a_busy_thread_further_in) {
    teff::arena outer(with_threads(2)), inner(with_threads(1));
    std::atomic<bool> is_inside{false}, has_run{false};
    teff::fiber_latch seen(1);
    on_threads(2, [&](unsigned which) {
        outer.execute([&] {
            if (which == 0) {
                inner.execute([&] {
                    is_inside.store(true);
                    seen.wait();
                });
                return;
            }
            yield_until([&] { return is_inside.load(); });
            teff::task_group group;
            group.run([&] { has_run.store(true); });
            yield_until([&] { return has_run.load(); });
            seen.count_down();
            group.wait();
        });
    });
    EXPECT_TRUE(has_run.load());
}

TEST_P(arena_on, runs_in_place_inside_itself) {
    teff::arena arena(with_threads(1)), other(with_threads(1));
    const auto self = std::this_thread::get_id();
    const bool is_same = arena.execute([&] {
        return arena.execute([&] {
            // Through another arena and back: the thread has its place already.
            return other.execute([&] {
                return arena.execute([&] {
                    teff::task_group group;
                    long sum = 0;
                    group.run([&] { sum = fib(10); });
                    group.wait();
                    return sum == 55 && std::this_thread::get_id() == self;
                });
            });
        });
    });
    EXPECT_TRUE(is_same);
}

// Each of two arenas of one thread waits for the other one.
TEST_P(arena_on, waits_for_another_one_that_waits_for_it) {
    teff::arena first(with_threads(1)), second(with_threads(1));
    std::atomic<int> calls{0};
    for (int round = 0; round < 50; ++round) {
        teff::task_group group;
        std::latch both(2);
        first.enqueue(group, [&] {
            both.arrive_and_wait();
            second.execute([&] { calls.fetch_add(1); });
        });
        second.execute([&] {
            both.arrive_and_wait();
            first.execute([&] { calls.fetch_add(1); });
        });
        group.wait();
    }
    EXPECT_EQ(calls.load(), 100);
}

TEST_P(arena_on, has_forks_groups_loops_and_fibers) {
    for (const long threads : {1L, 3L}) {
        teff::arena arena(with_threads(threads));
        arena.execute([] {
            EXPECT_EQ(fib(14), 377);
            std::vector<int> values(1000);
            teff::parallel_for(0, 1000, [&](int i) { values[static_cast<std::size_t>(i)] = i; });
            EXPECT_EQ(values[999], 999);
            std::atomic<int> ended{0};
            {
                teff::fiber some([&] { ended.fetch_add(1); });
                some.join();
            }
            teff::fiber([&ended] { ended.fetch_add(1); }).join();
            EXPECT_EQ(ended.load(), 2);
        });
    }
}

// Tasks that a call leaves behind are run by the others, at the latest when the arena ends.
TEST_P(arena_on, keeps_what_a_call_leaves) {
    for (const long threads : {1L, 2L, 4L}) {
        roll tasks(200);
        teff::task_group group;
        std::atomic<int> fibers{0};
        {
            teff::arena arena(with_threads(threads));
            arena.execute([&] {
                for (std::size_t i = 0; i < 200; ++i)
                    group.run([&tasks, i] { tasks.call(i); });
                for (int i = 0; i < 20; ++i)
                    teff::fiber([&] {
                        teff::this_fiber::yield();
                        fibers.fetch_add(1);
                    }).detach();
            });
        }
        group.wait();
        tasks.expect_called_once();
        EXPECT_EQ(fibers.load(), 20);
    }
}

TEST_P(arena_on, drops_tasks_after_a_stop_request) {
    std::stop_source stop;
    teff::options call = with_threads(2);
    call.stop = stop.get_token();
    teff::arena arena(call);
    EXPECT_EQ(arena.execute([] { return 1; }), 1);
    stop.request_stop();
    std::atomic<int> called{0};
    EXPECT_THROW(arena.execute([&] { called.fetch_add(1); }), teff::stopped);
    arena.enqueue([&] { called.fetch_add(1); });
    teff::task_group group;
    arena.enqueue(group, [&] { called.fetch_add(1); });
    EXPECT_EQ(group.wait(), teff::task_group_status::canceled);
    EXPECT_THROW(arena.spawn([] { return 1; }).get(), teff::stopped);
    arena.wait();
    EXPECT_EQ(called.load(), 0);
}

TEST_P(arena_on, are_many) {
    std::vector<std::unique_ptr<teff::arena>> arenas;
    for (int i = 0; i < 20; ++i)
        arenas.push_back(std::make_unique<teff::arena>(with_threads(2)));
    std::atomic<int> called{0};
    teff::task_group group;
    for (int i = 0; i < 400; ++i)
        arenas[static_cast<std::size_t>(i) % 20]->enqueue(group, [&] { called.fetch_add(1); });
    group.wait();
    EXPECT_EQ(called.load(), 400);
}

// All workers are kept busy, and then one of them is let go: it serves the arenas in the order of their priorities,
// whatever the order in which they were made.
TEST_P(arena_on, is_served_by_its_priority) {
    using enum teff::arena_priority;
    // Before the arenas whose tasks use them.
    std::atomic<unsigned> blocked{0}, may_end{0};
    std::vector<int> order;  // of one worker, which is the only one that is free
    teff::arena middle(with_threads(1)), last(with_threads(1), {.priority = low}),
        first(with_threads(1), {.priority = high});
    const unsigned workers = teff::pool::instance().worker_count();
    teff::arena busy({.threads = static_cast<long>(workers) + 1});
    for (unsigned i = 0; i < workers; ++i)
        busy.enqueue([&] {
            const unsigned mine = blocked.fetch_add(1);
            yield_until([&] { return may_end.load() > mine; });
        });
    yield_until([&] { return blocked.load() == workers; });
    for (int i = 0; i < 3; ++i) {
        last.enqueue([&] { order.push_back(3); });
        middle.enqueue([&] { order.push_back(2); });
        first.enqueue([&] { order.push_back(1); });
    }
    may_end = 1;
    // The calling thread is not to help.
    for (teff::arena* const each : {&first, &middle, &last}) {
        std::atomic<bool> has_ended{false};
        each->enqueue([&] { has_ended = true; });
        yield_until([&] { return has_ended.load(); });
    }
    EXPECT_EQ(order, (std::vector{1, 1, 1, 2, 2, 2, 3, 3, 3}));
    may_end = workers;
}

}  // namespace
