// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Full/empty operations on words of memory, on every scheduler: each value that is written is read as often as the
// operations say, and waiting operations get their turn in order.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class full_empty_word_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, full_empty_word_on, testing::ValuesIn(all_rows()), row_names());

// A ring: each fiber passes what it gets to the next word.
TEST_P(full_empty_word_on, values_go_around) {
    for_some_thread_counts([] {
        constexpr std::size_t length = 50, rounds = 20;
        std::vector<std::size_t> words(length);
        for (std::size_t& each : words)
            teff::empty(each);
        teff::sync([&] {
            for (std::size_t i = 0; i < length; ++i)
                teff::begin([&, i] {
                    for (std::size_t round = 0; round < rounds; ++round)
                        teff::write_ef(words[(i + 1) % length], teff::read_fe(words[i]) + 1);
                });
            teff::write_ef(words[0], std::size_t{0});
        });
        EXPECT_EQ(teff::read_ff(words[0]), length * rounds);
        for (std::size_t i = 1; i < length; ++i) {
            EXPECT_FALSE(teff::is_full(words[i]));
            teff::fill(words[i]);
        }
    });
}

TEST_P(full_empty_word_on, gives_each_value_to_one_reader) {
    for_some_thread_counts([] {
        constexpr std::size_t sides = 20, each = 60;
        std::size_t slot = 0;
        teff::empty(slot);
        std::vector<std::atomic<int>> taken(sides * each);
        std::thread outside([&] {
            for (std::size_t i = 0; i < each; ++i)
                taken[teff::read_fe(slot)].fetch_add(1);
        });
        teff::cobegin(
            [&] {
                teff::coforall(std::size_t{1}, sides, [&](std::size_t) {
                    for (std::size_t i = 0; i < each; ++i)
                        taken[teff::read_fe(slot)].fetch_add(1);
                });
            },
            [&] {
                teff::coforall(std::size_t{0}, sides, [&](std::size_t side) {
                    for (std::size_t i = 0; i < each; ++i)
                        teff::write_ef(slot, side * each + i);
                });
            });
        outside.join();
        EXPECT_FALSE(teff::is_full(slot));
        teff::fill(slot);
        for (const std::atomic<int>& count : taken)
            ASSERT_EQ(count.load(), 1);
    });
}

// With one thread the fibers reach the word one after the other.
TEST_P(full_empty_word_on, serves_in_the_order_of_arrival) {
    teff::execute(with_threads(1), [] {
        constexpr std::size_t count = 30;
        std::size_t slot = 0;
        teff::empty(slot);
        std::vector<std::size_t> arrived;
        std::vector<std::size_t> got(count);
        std::vector<teff::fiber> fibers;
        for (std::size_t i = 0; i < count; ++i)
            fibers.emplace_back([&, i] {
                arrived.push_back(i);
                got[i] = teff::read_fe(slot);
            });
        while (arrived.size() < count)
            teff::this_fiber::yield();
        for (std::size_t i = 0; i < count; ++i)
            teff::write_ef(slot, i);
        for (teff::fiber& each : fibers)
            each.join();
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(got[arrived[i]], i);
        teff::fill(slot);
    });
}

}  // namespace
