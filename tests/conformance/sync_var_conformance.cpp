// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Full/empty variables on every scheduler: each value that is written is read as often as the operations say, waiting
// operations get their turn in order, and threads of the program may take part.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class sync_var_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, sync_var_on, testing::ValuesIn(all_rows()), row_names());

void join_all(std::vector<teff::fiber>& fibers) {
    for (teff::fiber& each : fibers)
        each.join();
}

TEST_P(sync_var_on, hands_over_back_and_forth) {
    for_some_thread_counts([] {
        constexpr int rounds = 500;
        teff::sync_var<int> there;
        teff::sync_var<int> back;
        teff::fiber echo([&] {
            for (int round = 0; round < rounds; ++round)
                back.write_ef(there.read_fe() + 1);
        });
        for (int round = 0; round < rounds; ++round) {
            there.write_ef(round);
            ASSERT_EQ(back.read_fe(), round + 1);
        }
        echo.join();
    });
}

// Each value is taken by one reader.
TEST_P(sync_var_on, gives_each_value_to_one_reader) {
    for_some_thread_counts([] {
        constexpr std::size_t sides = 20, each = 100;
        teff::sync_var<std::size_t> slot;
        std::vector<std::atomic<int>> taken(sides * each);
        std::vector<teff::fiber> fibers;
        for (std::size_t side = 0; side < sides; ++side) {
            fibers.emplace_back([&] {
                for (std::size_t i = 0; i < each; ++i)
                    taken[slot.read_fe()].fetch_add(1);
            });
            fibers.emplace_back([&slot, side] {
                for (std::size_t i = 0; i < each; ++i)
                    slot.write_ef(side * each + i);
            });
        }
        join_all(fibers);
        EXPECT_FALSE(slot.is_full());
        for (const std::atomic<int>& count : taken)
            ASSERT_EQ(count.load(), 1);
    });
}

// With one thread the fibers reach the variable one after the other.
TEST_P(sync_var_on, serves_in_the_order_of_arrival) {
    teff::execute(with_threads(1), [] {
        constexpr int count = 50;
        teff::sync_var<int> slot;
        std::vector<int> arrived;
        std::vector<int> served;
        std::vector<teff::fiber> fibers;
        for (int i = 0; i < count; ++i) {
            fibers.emplace_back([&, i] {
                arrived.push_back(i);
                slot.read_fe();
                served.push_back(i);
            });
        }
        while (arrived.size() < count)
            teff::this_fiber::yield();
        for (int i = 0; i < count; ++i) {
            slot.write_ef(i);
            while (served.size() <= static_cast<std::size_t>(i))
                teff::this_fiber::yield();
        }
        EXPECT_EQ(served, arrived);
        join_all(fibers);
    });
}

TEST_P(sync_var_on, lets_all_read_that_leave_it_full) {
    for_some_thread_counts([] {
        constexpr int readers = 50;
        teff::sync_var<int> value;
        std::atomic<int> sum{0};
        std::vector<teff::fiber> fibers;
        for (int i = 0; i < readers; ++i)
            fibers.emplace_back([&] { sum.fetch_add(value.read_ff()); });
        value.write_ef(3);
        join_all(fibers);
        EXPECT_EQ(sum.load(), 3 * readers);
        EXPECT_TRUE(value.is_full());
    });
}

TEST_P(sync_var_on, is_a_lock) {
    for_some_thread_counts([] {
        constexpr int fibers_of = 20, each = 100;
        teff::sync_var<bool> lock(true);
        int count = 0;
        std::vector<teff::fiber> fibers;
        for (int i = 0; i < fibers_of; ++i)
            fibers.emplace_back([&] {
                for (int times = 0; times < each; ++times) {
                    lock.read_fe();
                    const int seen = count;
                    if (times % 10 == 0)
                        teff::this_fiber::yield();
                    count = seen + 1;
                    lock.write_ef(true);
                }
            });
        join_all(fibers);
        EXPECT_EQ(count, fibers_of * each);
    });
}

// The operations come from a thread without a team and from a fiber.
TEST_P(sync_var_on, connects_threads_and_fibers) {
    for_some_thread_counts([] {
        constexpr int rounds = 200;
        teff::sync_var<int> requests;
        teff::sync_var<int> answers;
        std::atomic<int> right{0};
        teff::fiber server([&] {
            for (int round = 0; round < rounds; ++round)
                answers.write_ef(2 * requests.read_fe());
        });
        std::thread client([&] {
            for (int round = 0; round < rounds; ++round) {
                requests.write_ef(round);
                right.fetch_add(answers.read_fe() == 2 * round ? 1 : 0);
            }
        });
        server.join();
        client.join();
        EXPECT_EQ(right.load(), rounds);
    });
}

TEST_P(sync_var_on, a_woken_reader_may_destroy_it) {
    for_some_thread_counts([] {
        for (int round = 0; round < 100; ++round) {
            auto* const value = new teff::sync_var<int>;
            teff::fiber writer([value] { value->write_ef(1); });
            EXPECT_EQ(value->read_fe(), 1);
            delete value;
            writer.join();
        }
    });
}

}  // namespace
