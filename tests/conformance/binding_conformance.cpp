// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers that are bound to a shepherd, on every scheduler with several groupings of the workers: each piece of a bound
// fiber, from one wait to the next, runs for its shepherd; no more of them at the same time than it has workers; and
// none is left over, whatever its shepherd's workers do.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

class binding_on : public each_choice {
protected:
    // With each number of threads and each grouping.
    template <class F>
    void for_some_teams(F&& f) const {
        for (const long threads : {1L, 2L, 5L})
            for (const char* const shepherds : {"auto", "per_worker", "per_numa", "1", "2", "3"}) {
                SCOPED_TRACE(std::to_string(threads) + " threads, shepherds " + shepherds);
                teff::options call = with_threads(threads);
                call.shepherds = shepherds;
                teff::execute(call, f);
            }
    }
};

INSTANTIATE_TEST_SUITE_P(, binding_on, testing::ValuesIn(all_rows()), row_names());

// What bound fibers report of their pieces.
class watch {
public:
    watch() : count_(teff::shepherd_count()), running_(count_) {
        for (unsigned i = 0; i < count_; ++i)
            workers_.push_back(static_cast<int>(teff::workers_of_shepherd(i)));
    }
    unsigned count() const { return count_; }
    // A piece of a fiber that is bound to this shepherd.
    void piece(unsigned shepherd) {
        if (teff::this_fiber::shepherd() != shepherd || teff::this_fiber::bound_to() != shepherd)
            misplaced.fetch_add(1);
        if (running_[shepherd].fetch_add(1) >= workers_[shepherd])
            too_many.fetch_add(1);
        // Longer than a few instructions, so that another piece would be noticed.
        for (int i = 0; i < 20; ++i)
            [[maybe_unused]] const int seen = running_[shepherd].load();
        running_[shepherd].fetch_sub(1);
        pieces.fetch_add(1);
    }
    void expect_pieces(long expected) const {
        EXPECT_EQ(pieces.load(), expected);
        EXPECT_EQ(misplaced.load(), 0);
        EXPECT_EQ(too_many.load(), 0);
    }

    std::atomic<long> pieces{0}, misplaced{0}, too_many{0};

private:
    const unsigned count_;
    std::vector<int> workers_;
    std::vector<std::atomic<int>> running_;
};

TEST_P(binding_on, a_fiber_starts_on_its_shepherd_and_stays) {
    for_some_teams([] {
        watch seen;
        constexpr unsigned each = 20, yields = 5;
        std::vector<teff::fiber> fibers;
        for (unsigned i = 0; i < each * seen.count(); ++i)
            fibers.emplace_back(teff::on_shepherd{i % seen.count()}, [&seen, mine = i % seen.count()] {
                seen.piece(mine);
                for (unsigned k = 0; k < yields; ++k) {
                    teff::this_fiber::yield();
                    seen.piece(mine);
                }
            });
        for (teff::fiber& fiber : fibers)
            fiber.join();
        seen.expect_pieces(long{each} * seen.count() * (yields + 1));
    });
}

TEST_P(binding_on, a_fiber_goes_on_on_its_shepherd_after_a_wait) {
    for_some_teams([] {
        watch seen;
        const unsigned count = seen.count();
        constexpr unsigned rounds = 10;
        // A ring of fibers that pass a token, each on another shepherd.
        std::vector<teff::sync_var<long>> tokens(count);
        std::vector<teff::fiber> fibers;
        for (unsigned i = 0; i < count; ++i)
            fibers.emplace_back(teff::on_shepherd{i}, [&, i] {
                for (unsigned round = 0; round < rounds; ++round) {
                    const long token = tokens[i].read_fe();
                    seen.piece(i);
                    if (round + 1 < rounds || i + 1 < count)
                        tokens[(i + 1) % count].write_ef(token + 1);
                }
            });
        tokens[0].write_ef(0);
        for (teff::fiber& fiber : fibers)
            fiber.join();
        seen.expect_pieces(long{rounds} * count);
    });
}

TEST_P(binding_on, a_fiber_migrates_round_all_shepherds) {
    for_some_teams([] {
        watch seen;
        const unsigned count = seen.count();
        constexpr unsigned fibers = 30;
        std::vector<teff::fiber> started;
        for (unsigned i = 0; i < fibers; ++i)
            started.emplace_back([&, i] {
                EXPECT_EQ(teff::this_fiber::bound_to(), teff::no_shepherd);
                for (unsigned step = 0; step <= count; ++step) {
                    const unsigned to = (i + step) % count;
                    teff::this_fiber::migrate_to(to);
                    seen.piece(to);
                    teff::this_fiber::yield();
                    seen.piece(to);
                }
                teff::this_fiber::unbind();
                EXPECT_EQ(teff::this_fiber::bound_to(), teff::no_shepherd);
                teff::this_fiber::yield();
                EXPECT_LT(teff::this_fiber::shepherd(), count);
            });
        for (teff::fiber& fiber : started)
            fiber.join();
        seen.expect_pieces(2L * fibers * (count + 1));
    });
}

TEST_P(binding_on, a_foreign_thread_wakes_bound_fibers) {
    for_some_teams([] {
        watch seen;
        const unsigned count = seen.count();
        constexpr unsigned rounds = 20;
        std::vector<teff::sync_var<int>> asked(count), answered(count);
        std::vector<teff::fiber> fibers;
        for (unsigned i = 0; i < count; ++i)
            fibers.emplace_back(teff::on_shepherd{i}, [&, i] {
                for (unsigned round = 0; round < rounds; ++round) {
                    const int value = asked[i].read_fe();
                    seen.piece(i);
                    answered[i].write_ef(value + 1);
                }
            });
        // It is in no team, and waits asleep.
        std::thread foreign([&] {
            for (unsigned round = 0; round < rounds; ++round)
                for (unsigned i = 0; i < count; ++i) {
                    asked[i].write_ef(1);
                    EXPECT_EQ(answered[i].read_fe(), 2);
                }
        });
        for (teff::fiber& fiber : fibers)
            fiber.join();
        foreign.join();
        seen.expect_pieces(long{rounds} * count);
    });
}

// The workers have gone to sleep before each round.
TEST_P(binding_on, workers_that_sleep_come_for_bound_fibers) {
    for (const char* const shepherds : {"per_worker", "2"}) {
        teff::options call = with_threads(4);
        call.shepherds = shepherds;
        teff::execute(call, [] {
            watch seen;
            for (unsigned round = 0; round < 2 * seen.count(); ++round) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                const unsigned to = round % seen.count();
                std::vector<teff::fiber> fibers;
                for (int i = 0; i < 10; ++i)
                    fibers.emplace_back(teff::on_shepherd{to}, [&seen, to] {
                        seen.piece(to);
                        teff::this_fiber::yield();
                        seen.piece(to);
                    });
                for (teff::fiber& fiber : fibers)
                    fiber.join();
            }
            seen.expect_pieces(2L * seen.count() * 10 * 2);
        });
    }
}

// The thread that made the team waits outside of the library: the workers stand in for it.
TEST_P(binding_on, the_caller_s_shepherd_has_fibers_while_the_caller_is_away) {
    for (const long threads : {2L, 4L}) {
        teff::options call = with_threads(threads);
        call.shepherds = "per_worker";
        teff::execute(call, [] {
            watch seen;
            teff::fiber([] {}).join();
            teff::fiber(teff::on_shepherd{0}, [] {}).join();
            std::atomic<int> ended{0};
            std::vector<teff::fiber> fibers;
            for (int i = 0; i < 10; ++i)
                fibers.emplace_back(teff::on_shepherd{0}, [&] {
                    seen.piece(0);
                    ended.fetch_add(1);
                });
            while (ended.load() != 10)
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            for (teff::fiber& fiber : fibers)
                fiber.join();
            seen.expect_pieces(10);
        });
    }
}

// All threads of the team wait in tasks, which they cannot leave, for fibers on other shepherds.
TEST_P(binding_on, waiting_tasks_run_fibers_of_shepherds_without_a_worker) {
    for_some_teams([] {
        watch seen;
        const unsigned count = seen.count();
        constexpr unsigned tasks = 16;
        teff::task_group group;
        for (unsigned i = 0; i < tasks; ++i)
            group.run([&, i] {
                for (unsigned k = 0; k < count; ++k)
                    teff::fiber(teff::on_shepherd{(i + k) % count}, [&seen, to = (i + k) % count] {
                        seen.piece(to);
                        teff::this_fiber::yield();
                        seen.piece(to);
                    }).join();
            });
        group.wait();
        seen.expect_pieces(2L * tasks * count);
    });
}

// A team inside of a task gets only workers that are idle, perhaps none.
TEST_P(binding_on, a_nested_team_has_all_its_shepherds) {
    for (const long threads : {1L, 2L}) {
        teff::options inner = with_threads(4);
        inner.shepherds = "per_worker";
        teff::options outer = with_threads(threads);
        outer.shepherds = "per_worker";
        teff::execute(outer, [&] {
            teff::task_group group;
            for (int i = 0; i < 4; ++i)
                group.run([&inner] {
                    teff::execute(inner, [] {
                        watch seen;
                        ASSERT_EQ(seen.count(), 4U);
                        std::vector<teff::fiber> fibers;
                        for (unsigned k = 0; k < 4; ++k)
                            fibers.emplace_back(teff::on_shepherd{k}, [&seen, k] {
                                seen.piece(k);
                                teff::this_fiber::migrate_to(3 - k);
                                seen.piece(3 - k);
                            });
                        for (teff::fiber& fiber : fibers)
                            fiber.join();
                        seen.expect_pieces(8);
                    });
                });
            group.wait();
        });
    }
}

// Fibers that yield for ever keep a bound one from running neither as unbound ones nor on its shepherd.
TEST_P(binding_on, fibers_that_yield_starve_no_bound_fiber) {
    for_some_teams([] {
        const unsigned count = teff::shepherd_count();
        std::atomic<unsigned> arrived{0};
        const auto yields_until_all_arrived = [&] {
            while (arrived.load() != count)
                teff::this_fiber::yield();
        };
        std::vector<teff::fiber> fibers;
        fibers.emplace_back(yields_until_all_arrived);
        fibers.emplace_back(yields_until_all_arrived);
        fibers.emplace_back(teff::on_shepherd{0}, yields_until_all_arrived);
        for (unsigned i = 0; i < count; ++i)
            fibers.emplace_back(teff::on_shepherd{count - 1 - i}, [&] { arrived.fetch_add(1); });
        for (teff::fiber& fiber : fibers)
            fiber.join();
        EXPECT_EQ(arrived.load(), count);
    });
}

// And neither do bound ones keep others from running.
TEST_P(binding_on, bound_fibers_that_yield_starve_no_other) {
    for_some_teams([] {
        const unsigned count = teff::shepherd_count();
        std::atomic<bool> stop{false};
        std::vector<teff::fiber> fibers;
        for (unsigned i = 0; i < 2 * count; ++i)
            fibers.emplace_back(teff::on_shepherd{i % count}, [&] {
                while (!stop.load())
                    teff::this_fiber::yield();
            });
        teff::fiber([] {}).join();
        std::atomic<int> ran{0};
        teff::sync([&] {
            for (int i = 0; i < 10; ++i)
                teff::begin([&] {
                    teff::this_fiber::yield();
                    ran.fetch_add(1);
                });
        });
        EXPECT_EQ(ran.load(), 10);
        stop.store(true);
        for (teff::fiber& fiber : fibers)
            fiber.join();
    });
}

// A fiber that joins one that has not begun calls its function. What that does to its binding is not the joiner's.
TEST_P(binding_on, a_joined_fiber_that_migrates_leaves_the_joiner_s_binding) {
    for_some_teams([] {
        const unsigned count = teff::shepherd_count();
        const unsigned last = count - 1;
        const auto migrate_twice = [last] {
            teff::this_fiber::migrate_to(last);
            EXPECT_EQ(teff::this_fiber::shepherd(), last);
            teff::fiber([] { teff::this_fiber::migrate_to(0); }).join();
            EXPECT_EQ(teff::this_fiber::bound_to(), last);
            EXPECT_EQ(teff::this_fiber::shepherd(), last);
        };
        teff::fiber([&] {
            teff::fiber(migrate_twice).join();
            EXPECT_EQ(teff::this_fiber::bound_to(), teff::no_shepherd);
        }).join();
        teff::fiber(teff::on_shepherd{0}, [&] {
            teff::fiber(migrate_twice).join();
            EXPECT_EQ(teff::this_fiber::bound_to(), 0U);
            EXPECT_EQ(teff::this_fiber::shepherd(), 0U);
            teff::fiber([] { teff::this_fiber::unbind(); }).join();
            EXPECT_EQ(teff::this_fiber::bound_to(), 0U);
        }).join();
    });
}

// A worker that goes on in another team does not look for bound tasks meanwhile, so another thread has to.
TEST_P(binding_on, a_worker_in_another_team_leaves_its_seat) {
    for (const bool reduces : {false, true}) {
        SCOPED_TRACE(reduces ? "a reduction" : "a team");
        teff::options call = with_threads(3);
        call.shepherds = "per_worker";
        teff::execute(call, [reduces] {
            const auto read_in_another_team = [reduces] {
                const unsigned own = teff::this_fiber::shepherd();
                // Here the worker takes its seat.
                teff::fiber(teff::on_shepherd{own}, [] {}).join();
                teff::sync_var<int> value;
                teff::fiber fills(teff::on_shepherd{own}, [&value] { value.write_ef(7); });
                // The task that waits is left to another thread for a while, so that this one sleeps in the reduction.
                std::atomic<bool> is_taken{false};
                const auto read_or_push = [&value, &is_taken](auto& pool, int task) {
                    if (task != 0) {
                        pool.enq(0);
                        for (int i = 0; i < 2000 && !is_taken.load(); ++i)
                            std::this_thread::yield();
                        return 0;
                    }
                    is_taken.store(true);
                    return value.read_ff();
                };
                const int read = reduces ? teff::reduce_tasks({.threads = 2}, read_or_push, 1)
                                         : teff::execute({.threads = 1}, [&value] { return value.read_ff(); });
                EXPECT_EQ(read, 7);
                fills.join();
            };
            for (int round = 0; round < 20; ++round) {
                teff::task_group group;
                group.run(read_in_another_team);
                group.wait();
                teff::fiber(read_in_another_team).join();
            }
        });
    }
}

// The function of a reduction cannot be left, so a wait in it runs other tasks on top of the bound fiber, which has to
// be on its shepherd after that, too.
TEST_P(binding_on, a_fiber_keeps_its_shepherd_inside_of_a_reduction) {
    for_some_teams([] {
        watch seen;
        const unsigned count = seen.count();
        std::vector<teff::fiber> fibers;
        std::atomic<long> ran{0};
        for (unsigned i = 0; i < 2 * count; ++i)
            fibers.emplace_back(teff::on_shepherd{i % count}, [&, mine = i % count] {
                teff::task_group group;
                for (int k = 0; k < 8; ++k)
                    group.run([&] { ran.fetch_add(1); });
                const long counted = teff::reduce_tasks(
                    {.threads = 1},
                    [&group](auto& pool, int depth) -> long {
                        if (depth == 0) {
                            group.wait();
                            return 1;
                        }
                        pool.enq(depth - 1);
                        return 0;
                    },
                    1);
                EXPECT_EQ(counted, 1);
                seen.piece(mine);
                teff::this_fiber::yield();
                seen.piece(mine);
            });
        for (teff::fiber& fiber : fibers)
            fiber.join();
        EXPECT_EQ(ran.load(), 16L * count);
        seen.expect_pieces(4L * count);
    });
}

TEST_P(binding_on, begun_fibers_are_bound) {
    for_some_teams([] {
        watch seen;
        teff::sync([&] {
            for (unsigned i = 0; i < seen.count(); ++i)
                teff::begin(teff::on_shepherd{i}, [&seen, i] { seen.piece(i); });
        });
        seen.expect_pieces(seen.count());
    });
}

// Bound and unbound fibers that migrate, wait for each other and start more, at random.
TEST_P(binding_on, a_random_mix) {
    for_some_teams([] {
        watch seen;
        const unsigned count = seen.count();
        constexpr unsigned fibers = 40, steps = 12;
        std::vector<teff::sync_var<int>> cells(4);
        for (auto& each : cells)
            each.write_ef(0);
        teff::sync([&] {
            for (unsigned i = 0; i < fibers; ++i)
                teff::begin([&, i] {
                    unsigned random = i * 2654435761U + 1;
                    unsigned mine = teff::no_shepherd;
                    for (unsigned step = 0; step < steps; ++step) {
                        random = random * 1664525U + 1013904223U;
                        const unsigned what = random >> 28;
                        const unsigned to = (random >> 8) % count;
                        if (what < 5) {
                            teff::this_fiber::migrate_to(to);
                            mine = to;
                        } else if (what < 7) {
                            teff::this_fiber::unbind();
                            mine = teff::no_shepherd;
                        } else if (what < 10) {
                            teff::this_fiber::yield();
                        } else if (what < 13) {
                            auto& cell = cells[random % 4];
                            const int value = cell.read_fe();
                            if (mine != teff::no_shepherd)
                                seen.piece(mine);
                            cell.write_ef(value + 1);
                        } else {
                            teff::fiber(teff::on_shepherd{to}, [&seen, to] { seen.piece(to); }).join();
                        }
                        if (mine != teff::no_shepherd)
                            seen.piece(mine);
                    }
                });
        });
        seen.expect_pieces(seen.pieces.load());
    });
}

TEST_P(binding_on, numbers_that_no_shepherd_has_are_errors) {
    for_some_teams([] {
        const unsigned count = teff::shepherd_count();
        ASSERT_GE(count, 1U);
        bool was_called = false;
        EXPECT_THROW(static_cast<void>(teff::fiber(teff::on_shepherd{count}, [&] { was_called = true; })),
                     std::out_of_range);
        EXPECT_THROW(static_cast<void>(teff::fiber(teff::on_shepherd{teff::no_shepherd}, [&] { was_called = true; })),
                     std::out_of_range);
        EXPECT_THROW(teff::workers_of_shepherd(count), std::out_of_range);
        teff::fiber([&] {
            EXPECT_THROW(teff::this_fiber::migrate_to(count), std::out_of_range);
            EXPECT_EQ(teff::this_fiber::bound_to(), teff::no_shepherd);
        }).join();
        EXPECT_FALSE(was_called);
        EXPECT_THROW(teff::this_fiber::migrate_to(0), teff::not_on_fiber);
        try {
            static_cast<void>(teff::fiber(teff::on_shepherd{count + 7}, [] {}));
        } catch (const std::out_of_range& error) {
            EXPECT_NE(std::string(error.what()).find("no shepherd " + std::to_string(count + 7)), std::string::npos);
        }
    });
}

TEST_P(binding_on, the_workers_of_all_shepherds_are_those_of_the_team) {
    for (const long threads : {1L, 2L, 5L})
        for (const char* const shepherds : {"per_worker", "1", "2", "3"}) {
            teff::options call = with_threads(threads);
            call.shepherds = shepherds;
            teff::execute(call, [threads] {
                long workers = 0;
                for (unsigned i = 0; i < teff::shepherd_count(); ++i)
                    workers += teff::workers_of_shepherd(i);
                EXPECT_EQ(workers, threads);
                EXPECT_LT(teff::this_fiber::shepherd(), teff::shepherd_count());
            });
        }
}

// Groups that the scheduler makes itself.
TEST(binding, shepherds_are_those_of_the_scheduler) {
    const auto count_with = [](const char* scheduler, std::optional<std::string_view> shepherds) {
        unsigned count = 0;
        teff::execute({.threads = 4, .scheduler = scheduler, .shepherds = shepherds},
                      [&] { count = teff::shepherd_count(); });
        return count;
    };
    EXPECT_EQ(count_with("demand", {}), 1U);
    EXPECT_EQ(count_with("fifo", {}), 4U);
    EXPECT_EQ(count_with("nemesis", {}), 4U);
    EXPECT_EQ(count_with("distrib", {}), 4U);
    EXPECT_EQ(count_with("sherwood", {}), count_with("demand", "per_numa"));
    EXPECT_EQ(count_with("demand", "3"), 3U);
    EXPECT_EQ(count_with("demand", "9"), 4U);
    EXPECT_EQ(count_with("blaze", "per_worker"), 4U);
}

}  // namespace
