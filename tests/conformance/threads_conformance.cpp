// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers on every scheduler: each is called once, join() returns after it and throws its exception, a fiber that waits
// keeps no worker, and all other kinds of work may be used on fibers and may wait for them.
#include <tests/conformance/each_choice.hpp>

#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>
#include <teff/reducer.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

class threads_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, threads_on, testing::ValuesIn(all_rows()), row_names());

TEST_P(threads_on, calls_each_fiber_once) {
    for_some_thread_counts([] {
        constexpr std::size_t count = 2'000;
        std::vector<std::atomic<int>> called(count);
        std::vector<teff::fiber> fibers;
        for (std::size_t i = 0; i < count; ++i)
            fibers.emplace_back([&called, i] { called[i].fetch_add(1); });
        for (teff::fiber& each : fibers)
            each.join();
        for (const std::atomic<int>& each : called)
            ASSERT_EQ(each.load(), 1);
    });
}

// join() orders the fiber's plain writes before what follows it.
long sum_of_tree(int depth) {
    if (depth == 0)
        return 1;
    long left = 0;
    teff::fiber other([&left, depth] { left = sum_of_tree(depth - 1); });
    const long right = sum_of_tree(depth - 1);
    other.join();
    return left + right;
}

TEST_P(threads_on, fibers_join_fibers) {
    for_some_thread_counts([] { EXPECT_EQ(sum_of_tree(10), 1024); });
}

// All but the last wait at the same time, on few threads.
TEST_P(threads_on, a_waiting_fiber_keeps_no_worker) {
    for_some_thread_counts([] {
        constexpr std::size_t length = 500;
        std::atomic<bool> go{false};
        std::vector<std::size_t> order;
        std::vector<teff::fiber> fibers(length);
        fibers[0] = teff::fiber([&] {
            while (!go.load())
                teff::this_fiber::yield();
            order.push_back(0);
        });
        for (std::size_t i = 1; i < length; ++i)
            fibers[i] = teff::fiber([&order, &before = fibers[i - 1], i] {
                before.join();
                order.push_back(i);
            });
        go.store(true);
        fibers.back().join();
        std::vector<std::size_t> expected(length);
        std::iota(expected.begin(), expected.end(), std::size_t{0});
        EXPECT_EQ(order, expected);
    });
}

// Each fiber lets the other one make its next step.
TEST_P(threads_on, yield_lets_another_fiber_run) {
    for_some_thread_counts([] {
        constexpr int steps = 300;
        std::atomic<int> turn{0};
        const auto take_turns = [&turn](int parity) {
            for (int step = parity; step < steps; step += 2) {
                while (turn.load() != step)
                    teff::this_fiber::yield();
                turn.store(step + 1);
            }
        };
        teff::fiber even([&] { take_turns(0); });
        teff::fiber odd([&] { take_turns(1); });
        even.join();
        odd.join();
        EXPECT_EQ(turn.load(), steps);
    });
}

// A fiber that yields runs again when all others have run.
TEST_P(threads_on, yield_goes_to_the_end) {
    for (const std::size_t count : {std::size_t{2}, std::size_t{5}, std::size_t{30}}) {
        teff::execute(with_threads(1), [count] {
            constexpr std::size_t rounds = 20;
            std::size_t started = 0;
            std::vector<std::size_t> ran(count);
            std::size_t most_ahead = 0;
            std::vector<teff::fiber> fibers;
            for (std::size_t i = 0; i < count; ++i)
                fibers.emplace_back([&, i] {
                    ++started;
                    while (started < count)
                        teff::this_fiber::yield();
                    for (std::size_t round = 0; round < rounds; ++round) {
                        ++ran[i];
                        most_ahead = std::max(most_ahead, ran[i] - *std::min_element(ran.begin(), ran.end()));
                        teff::this_fiber::yield();
                    }
                });
            for (teff::fiber& each : fibers)
                each.join();
            EXPECT_LE(most_ahead, 2U);
        });
    }
}

// Two fibers that yield to each other keep neither a thread that polls nor one that waits from going on.
TEST_P(threads_on, fibers_that_yield_starve_no_thread) {
    for_some_thread_counts([] {
        std::atomic<bool> stop{false};
        std::atomic<int> yields{0};
        const auto yields_until_stop = [&] {
            while (!stop.load()) {
                yields.fetch_add(1);
                teff::this_fiber::yield();
            }
        };
        teff::fiber first(yields_until_stop), second(yields_until_stop);
        while (yields.load() < 100)
            teff::this_fiber::yield();
        for (int times = 0; times < 10; ++times)
            teff::this_fiber::yield();
        teff::fiber other([&] {
            const int seen = yields.load();
            while (yields.load() < seen + 100)
                teff::this_fiber::yield();
        });
        other.join();
        stop.store(true);
        first.join();
        second.join();
    });
}

TEST_P(threads_on, a_thread_that_polls_with_yield_runs_fibers) {
    for_some_thread_counts([] {
        std::atomic<bool> done{false};
        teff::fiber other([&] { done.store(true); });
        // With schedulers that deal tasks out, another member may have it.
        while (!done.load())
            teff::this_fiber::yield();
        other.join();
    });
}

TEST_P(threads_on, join_throws_the_exception) {
    for_some_thread_counts([] {
        teff::fiber bad([] {
            teff::this_fiber::yield();
            throw std::runtime_error("bad");
        });
        std::string caught;
        try {
            bad.join();
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
        EXPECT_EQ(caught, "bad");
        EXPECT_FALSE(bad.joinable());
        // The destructor drops it.
        const teff::fiber dropped([] { throw std::runtime_error("dropped"); });
    });
}

TEST_P(threads_on, an_exception_that_is_handled_moves_with_the_fiber) {
    for_some_thread_counts([] {
        constexpr int count = 100;
        std::vector<teff::fiber> fibers;
        std::atomic<int> right{0};
        for (int i = 0; i < count; ++i) {
            fibers.emplace_back([&right, i] {
                try {
                    throw std::runtime_error(std::to_string(i));
                } catch (const std::exception&) {
                    for (int times = 0; times < 5; ++times)
                        teff::this_fiber::yield();
                    try {
                        throw;
                    } catch (const std::exception& again) {
                        right.fetch_add(again.what() == std::to_string(i) ? 1 : 0);
                    }
                }
            });
        }
        for (teff::fiber& each : fibers)
            each.join();
        EXPECT_EQ(right.load(), count);
    });
}

// A fiber may call the function of one that it joins at once. The function has a state of its own all the same, and may
// wait.
TEST_P(threads_on, a_fiber_joins_one_that_it_has_just_started) {
    for_some_thread_counts([] {
        std::atomic<int> right{0};
        teff::sync_var<int> value;
        teff::fiber outer([&] {
            std::fesetround(FE_UPWARD);
            try {
                throw std::runtime_error("outer");
            } catch (const std::exception&) {
                teff::fiber inner([&] {
                    right.fetch_add(std::current_exception() == nullptr ? 1 : 0);
                    std::fesetround(FE_DOWNWARD);
                    try {
                        throw std::runtime_error("inner");
                    } catch (const std::exception& error) {
                        const int taken = value.read_fe();
                        right.fetch_add(taken == 7 && std::string("inner") == error.what() ? 1 : 0);
                    }
                    throw std::logic_error("ends it");
                });
                try {
                    inner.join();
                } catch (const std::logic_error& error) {
                    right.fetch_add(std::string("ends it") == error.what() ? 1 : 0);
                }
                right.fetch_add(std::fegetround() == FE_UPWARD ? 1 : 0);
                try {
                    throw;
                } catch (const std::exception& again) {
                    right.fetch_add(std::string("outer") == again.what() ? 1 : 0);
                }
            }
        });
        value.write_ef(7);
        outer.join();
        EXPECT_EQ(right.load(), 5);
    });
}

// A fiber that waits in between is left for the fiber that joins it, and the joiner for that one.
TEST_P(threads_on, a_fiber_joins_one_that_it_has_made_ready) {
    for_some_thread_counts([] {
        constexpr int rounds = 200;
        std::atomic<int> right{0};
        teff::fiber outer([&] {
            for (int round = 0; round < rounds; ++round) {
                teff::sync_var<int> value;
                teff::sync_var<int> again;
                teff::fiber inner([&] {
                    const int first = value.read_fe();
                    // It may go on with another worker, and end there.
                    if (round % 2 == 1)
                        right.fetch_add(again.read_fe() == round ? 1 : 0);
                    else
                        right.fetch_add(1);
                    if (first == 7)
                        throw std::runtime_error("ends it");
                });
                teff::this_fiber::yield();
                value.write_ef(round % 5 == 0 ? 7 : 1);
                teff::fiber writer([&] { again.write_ef(round); });
                // Now the newest one is not the one that is joined, and then it is.
                if (round % 3 == 0)
                    writer.join();
                bool has_thrown = false;
                try {
                    inner.join();
                } catch (const std::runtime_error&) {
                    has_thrown = true;
                }
                right.fetch_add(has_thrown == (round % 5 == 0) ? 1 : 0);
            }
        });
        outer.join();
        EXPECT_EQ(right.load(), 2 * rounds);
    });
}

// In a team of one, too, no fiber that yields is forgotten, whatever waits beside it.
TEST_P(threads_on, fibers_yield_beside_others_that_wait) {
    teff::execute(with_threads(1), [] {
        constexpr int count = 20;
        std::atomic<int> ended{0};
        teff::sync_var<int> token(0);
        std::vector<teff::fiber> fibers;
        for (int i = 0; i < count; ++i)
            fibers.emplace_back([&, i] {
                for (int round = 0; round < 10; ++round) {
                    if (i % 2 == 0)
                        token.write_ef(token.read_fe() + 1);
                    teff::this_fiber::yield();
                }
                ended.fetch_add(1);
            });
        // Another thread makes fibers ready, which queue beside those that yield.
        std::thread other([&token] {
            for (int round = 0; round < 100; ++round)
                token.write_ef(token.read_fe() + 1);
        });
        for (teff::fiber& each : fibers)
            each.join();
        other.join();
        EXPECT_EQ(ended.load(), count);
        EXPECT_EQ(token.read_fe(), 10 * count / 2 + 100);
    });
}

// Out of line, since a compiler may keep the address of errno, which is the thread's, across a wait.
[[gnu::noinline]] int error_number() { return errno; }
[[gnu::noinline]] void set_error_number(int to) { errno = to; }

// Fibers that begin one after the other may get the same stack. Each finds it as if it were the first one.
TEST_P(threads_on, a_fiber_leaves_nothing_to_the_next_one) {
    for_some_thread_counts([] {
        constexpr int count = 50;
        std::atomic<int> right{0};
        teff::fiber_local<int> own(7);
        teff::coforall(0, count, [&](int i) {
            right.fetch_add(std::fegetround() == FE_TONEAREST && std::current_exception() == nullptr ? 1 : 0);
            right.fetch_add(*own == 7 && error_number() == 0 ? 1 : 0);
            *own = i;
            set_error_number(ENOENT);
            teff::this_fiber::set_name("some");
            std::fesetround(FE_UPWARD);
            if (i % 3 == 0) {
                try {
                    throw i;
                } catch (int) {
                    teff::this_fiber::yield();
                }
            }
            right.fetch_add(std::fegetround() == FE_UPWARD && *own == i && error_number() == ENOENT ? 1 : 0);
        });
        EXPECT_EQ(right.load(), 3 * count);
    });
}

// The function of a detached fiber is destroyed on the fiber, so its destructor may wait without keeping a worker.
TEST_P(threads_on, the_destructor_of_a_function_may_wait) {
    struct waits_at_its_end {
        teff::sync_var<int>* from;
        std::atomic<int>* sum;
        waits_at_its_end(teff::sync_var<int>& variable, std::atomic<int>& total) : from(&variable), sum(&total) {}
        waits_at_its_end(waits_at_its_end&& other) noexcept
            : from(std::exchange(other.from, nullptr)), sum(other.sum) {}
        ~waits_at_its_end() {
            if (from != nullptr)
                sum->fetch_add(from->read_fe());
        }
    };
    for (const long threads : {1L, 2L, 5L}) {
        constexpr int count = 20;
        std::atomic<int> sum{0};
        std::vector<teff::sync_var<int>> values(count);
        // Another thread, since a fiber that has ended before detach() is destroyed by the caller.
        std::thread writer([&values] {
            for (teff::sync_var<int>& each : values)
                each.write_ef(1);
        });
        teff::execute(with_threads(threads), [&] {
            for (teff::sync_var<int>& each : values)
                teff::fiber([held = waits_at_its_end(each, sum)] {}).detach();
        });
        writer.join();
        EXPECT_EQ(sum.load(), count);
    }
}

// A number that counts how many of its kind exist.
struct counted_number {
    static inline std::atomic<long> alive{0};
    long value = 0;

    counted_number(long given = 0) : value(given) { ++alive; }
    counted_number(const counted_number& other) : value(other.value) { ++alive; }
    ~counted_number() { --alive; }
    counted_number& operator=(const counted_number&) = default;
    counted_number operator+(const counted_number& other) const { return {value + other.value}; }
};

// The tasks that destructors spawn end with the fiber, and what they add to ordered reducers is dropped.
TEST_P(threads_on, destructors_on_fibers_spawn_and_use_reducers) {
    using number = teff::object<int>;
    struct works_at_its_end {
        number* data;
        teff::ordered_reducer<counted_number, std::plus<>>* sum;
        works_at_its_end(number& object, teff::ordered_reducer<counted_number, std::plus<>>& total)
            : data(&object), sum(&total) {}
        works_at_its_end(works_at_its_end&& other) noexcept
            : data(std::exchange(other.data, nullptr)), sum(other.sum) {}
        ~works_at_its_end() {
            if (data == nullptr)
                return;
            teff::spawn([](int& value) { ++value; }, teff::inout(*data));
            **sum = **sum + counted_number(1);
        }
    };
    constexpr std::size_t count = 10;
    for (const long threads : {1L, 3L}) {
        std::array<number, 2 * count> data;
        {
            teff::ordered_reducer<counted_number, std::plus<>> sum;
            teff::fiber_local<std::shared_ptr<works_at_its_end>> own;
            teff::execute(with_threads(threads), [&] {
                for (std::size_t i = 0; i < count; ++i) {
                    teff::fiber([held = works_at_its_end(data[i], sum)] {}).detach();
                    teff::fiber([&, i] { *own = std::make_shared<works_at_its_end>(data[count + i], sum); }).join();
                }
            });
        }
        EXPECT_EQ(counted_number::alive, 0);
        for (number& each : data)
            EXPECT_EQ(each.value(), 1);
    }
}

// A detached fiber counts until its function has been destroyed.
TEST_P(threads_on, a_detached_fiber_whose_destructor_waits_is_counted) {
    struct waits {
        std::shared_ptr<teff::sync_var<int>> from;
        explicit waits(std::shared_ptr<teff::sync_var<int>> variable) : from(std::move(variable)) {}
        waits(waits&&) = default;
        ~waits() {
            if (from != nullptr)
                from->read_fe();
        }
    };
    teff::execute(with_threads(1), [] {
        const std::size_t before = teff::count_fibers().fibers;
        const auto value = std::make_shared<teff::sync_var<int>>();
        teff::fiber([held = waits(value)] {}).detach();
        while (teff::count_fibers().blocked == 0)
            teff::this_fiber::yield();
        const teff::fiber_counts counts = teff::count_fibers();
        EXPECT_EQ(counts.fibers, before + 1);
        EXPECT_EQ(counts.blocked, 1U);
        value->write_ef(1);
    });
}

// Records of all sizes are reused.
TEST_P(threads_on, functions_of_all_sizes) {
    for_some_thread_counts([] {
        std::atomic<int> right{0};
        const auto start = [&right]<std::size_t Size, std::size_t Alignment>() {
            struct alignas(Alignment) large {
                std::array<std::byte, Size> bytes;
            };
            large made;
            made.bytes.fill(std::byte{Size % 251});
            return teff::fiber([made, &right] {
                const bool is_whole = std::ranges::count(made.bytes, std::byte{Size % 251}) == Size;
                const bool is_aligned = reinterpret_cast<std::uintptr_t>(&made) % Alignment == 0;
                right.fetch_add(is_whole && is_aligned ? 1 : 0);
            });
        };
        for (int round = 0; round < 10; ++round) {
            std::vector<teff::fiber> all;
            all.push_back(start.operator()<1, 1>());
            all.push_back(start.operator()<64, 64>());
            all.push_back(start.operator()<100, 16>());
            all.push_back(start.operator()<1000, 8>());
            all.push_back(start.operator()<200, 256>());
            for (teff::fiber& each : all)
                each.join();
        }
        EXPECT_EQ(right.load(), 50);
    });
}

TEST_P(threads_on, a_team_ends_after_its_fibers) {
    for (const long threads : {1L, 2L, 5L}) {
        std::atomic<int> ended{0};
        teff::execute(with_threads(threads), [&] {
            for (int i = 0; i < 100; ++i) {
                teff::fiber([&ended] {
                    teff::fiber([&ended] {
                        teff::this_fiber::yield();
                        ended.fetch_add(1);
                    }).detach();
                    teff::this_fiber::yield();
                    ended.fetch_add(1);
                }).detach();
            }
        });
        EXPECT_EQ(ended.load(), 200);
    }
}

TEST_P(threads_on, a_function_is_destroyed_by_the_end_of_join) {
    for_some_thread_counts([] {
        auto token = std::make_shared<int>(7);
        const std::weak_ptr<int> seen = token;
        teff::fiber other([token = std::move(token)] { EXPECT_EQ(*token, 7); });
        other.join();
        EXPECT_TRUE(seen.expired());
    });
}

// Threads of the program that are in no team, or in another one, wait for a fiber.
TEST_P(threads_on, threads_outside_the_team_join) {
    teff::execute(with_threads(3), [this] {
        std::atomic<bool> go{false};
        const auto waits = [&go] {
            while (!go.load())
                teff::this_fiber::yield();
        };
        teff::fiber first(waits), second(waits);
        std::atomic<int> joined{0};
        std::thread none([&] {
            first.join();
            joined.fetch_add(1);
        });
        std::thread other([&] {
            teff::execute(with_threads(2), [&] { second.join(); });
            joined.fetch_add(1);
        });
        go.store(true);
        while (joined.load() != 2)
            teff::this_fiber::yield();
        none.join();
        other.join();
    });
}

TEST_P(threads_on, fibers_fork) {
    for_some_thread_counts([] {
        constexpr long count = 50;
        std::vector<long> sums(count);
        std::vector<teff::fiber> fibers;
        for (long i = 0; i < count; ++i) {
            fibers.emplace_back([&made = sums[static_cast<std::size_t>(i)], i] {
                const std::function<long(long, long)> sum = [&sum](long first, long size) -> long {
                    if (size == 1) {
                        teff::this_fiber::yield();
                        return first;
                    }
                    const auto [left, right] =
                        teff::fork_join([&, first, size] { return sum(first, size / 2); },
                                        [&, first, size] { return sum(first + size / 2, size - size / 2); });
                    return left + right;
                };
                made = sum(i, 32);
            });
        }
        for (teff::fiber& each : fibers)
            each.join();
        for (long i = 0; i < count; ++i)
            EXPECT_EQ(sums[static_cast<std::size_t>(i)], 32 * i + 31 * 16);
    });
}

// Calls itself until the stack has no place for another fork.
long fork_without_end(long depth) {
    const auto [below, none] = teff::fork_join([depth] { return fork_without_end(depth + 1); }, [] { return 0L; });
    return below + none + depth;
}

TEST_P(threads_on, forks_throw_before_a_fiber_has_used_up_its_stack) {
    for_some_thread_counts([] {
        teff::fiber deep([] { fork_without_end(0); });
        std::string complaint;
        try {
            deep.join();
        } catch (const teff::stack_exhausted& error) {
            complaint = error.what();
        }
        EXPECT_NE(complaint.find("TEFF_FIBER_STACK_KIB"), std::string::npos) << complaint;
    });
}

TEST_P(threads_on, fibers_use_groups_and_reductions) {
    for_some_thread_counts([this] {
        std::vector<teff::fiber> fibers;
        std::atomic<int> right{0};
        for (int i = 0; i < 20; ++i) {
            fibers.emplace_back([this, &right] {
                std::atomic<int> called{0};
                teff::task_group group;
                for (int task = 0; task < 30; ++task)
                    group.run([&called] {
                        teff::this_fiber::yield();
                        called.fetch_add(1);
                    });
                group.wait();
                const long counted = teff::reduce_tasks(
                    with_threads(2),
                    [](auto& pool, int depth) -> long {
                        if (depth == 0)
                            return 1;
                        teff::this_fiber::yield();
                        pool.enq(depth - 1);
                        pool.enq(depth - 1);
                        return 0;
                    },
                    4);
                right.fetch_add(called.load() == 30 && counted == 16 ? 1 : 0);
            });
        }
        for (teff::fiber& each : fibers)
            each.join();
        EXPECT_EQ(right.load(), 20);
    });
}

// Tasks of a group wait on their workers' stacks.
TEST_P(threads_on, tasks_of_a_group_join_fibers) {
    for_some_thread_counts([] {
        std::atomic<int> right{0};
        teff::task_group group;
        for (int i = 0; i < 50; ++i) {
            group.run([&right, i] {
                int made = 0;
                teff::fiber other([&made, i] {
                    teff::this_fiber::yield();
                    made = i;
                });
                other.join();
                right.fetch_add(made == i ? 1 : 0);
            });
        }
        group.wait();
        EXPECT_EQ(right.load(), 50);
    });
}

TEST_P(threads_on, teams_of_their_own_on_fibers) {
    for_some_thread_counts([this] {
        std::vector<teff::fiber> fibers;
        std::atomic<int> right{0};
        for (int i = 0; i < 10; ++i)
            fibers.emplace_back([this, &right] {
                teff::execute(with_threads(2), [&right] { right.fetch_add(sum_of_tree(4) == 16 ? 1 : 0); });
            });
        for (teff::fiber& each : fibers)
            each.join();
        EXPECT_EQ(right.load(), 10);
    });
}

// A fiber's values are placed where it is joined.
TEST_P(threads_on, ordered_reducers_follow_the_joins) {
    for_some_thread_counts([] {
        teff::ordered_reducer<std::string, std::plus<>> letters;
        std::vector<teff::fiber> fibers;
        for (char each = 'a'; each <= 'z'; ++each)
            fibers.emplace_back([&letters, each] { *letters += each; });
        for (teff::fiber& each : fibers)
            each.join();
        EXPECT_EQ(letters.get(), "abcdefghijklmnopqrstuvwxyz");
    });
}

TEST_P(threads_on, handles_move) {
    for_some_thread_counts([] {
        int first_made = 0;
        int second_made = 0;
        teff::fiber first([&] { first_made = 1; });
        teff::fiber moved = std::move(first);
        EXPECT_FALSE(first.joinable());
        // Waits for the first fiber.
        moved = teff::fiber([&] { second_made = 2; });
        EXPECT_EQ(first_made, 1);
        moved.join();
        EXPECT_EQ(second_made, 2);
    });
}

}  // namespace
