// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels on every scheduler: each value is received once, in order, by fibers and threads that wait for it, and all
// return when the channel is closed.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class channel_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, channel_on, testing::ValuesIn(all_rows()), row_names());

// Several senders, whose numbers the receivers see in the order of each sender.
TEST_P(channel_on, each_value_is_received_once_and_in_order) {
    for_some_thread_counts([] {
        constexpr std::size_t senders = 8, receivers = 5, each = 60;
        for (const std::size_t capacity : {0U, 1U, 10U}) {
            teff::channel<std::size_t> channel(capacity);
            std::vector<int> received(senders * each);
            std::vector<teff::fiber> fibers;
            bool is_ordered[receivers + 1] = {};
            const auto receive_all = [&](std::size_t receiver) {
                std::vector<std::size_t> last(senders);
                is_ordered[receiver] = true;
                while (const std::optional<std::size_t> value = channel.receive()) {
                    ++received[*value];
                    std::size_t& before = last[*value / each];
                    is_ordered[receiver] = is_ordered[receiver] && before <= *value % each + 1;
                    before = *value % each + 1;
                }
            };
            for (std::size_t receiver = 0; receiver < receivers; ++receiver)
                fibers.emplace_back([&receive_all, receiver] { receive_all(receiver); });
            std::thread outside([&] { receive_all(receivers); });
            teff::coforall(std::size_t{0}, senders, [&](std::size_t sender) {
                for (std::size_t i = 0; i < each; ++i)
                    EXPECT_TRUE(channel.send(sender * each + i));
            });
            channel.close();
            for (teff::fiber& fiber : fibers)
                fiber.join();
            outside.join();
            EXPECT_EQ(received, std::vector<int>(senders * each, 1));
            for (const bool is_right : is_ordered)
                EXPECT_TRUE(is_right);
            EXPECT_EQ(channel.check_invariants(), nullptr);
        }
    });
}

// A prime sieve: a chain of fibers, each of which sends on what it does not divide.
TEST_P(channel_on, channels_connect_a_chain_of_fibers) {
    for_some_thread_counts([] {
        std::vector<int> primes;
        teff::sync([&] {
            auto from = std::make_shared<teff::channel<int>>(1);
            teff::begin([from] {
                for (int i = 2; from->send(i); ++i) {
                }
            });
            while (primes.size() < 30) {
                const int prime = from->receive().value_or(0);
                primes.push_back(prime);
                auto to = std::make_shared<teff::channel<int>>(1);
                teff::begin([from, to, prime] {
                    while (const std::optional<int> value = from->receive()) {
                        if (*value % prime != 0 && !to->send(*value))
                            break;
                    }
                    from->close();
                });
                from = to;
            }
            from->close();
        });
        EXPECT_EQ(primes.front(), 2);
        EXPECT_EQ(primes.back(), 113);
    });
}

TEST_P(channel_on, close_releases_all_that_wait) {
    for_some_thread_counts([] {
        constexpr std::size_t fibers = 20;
        teff::channel<int> empty(1);
        teff::channel<int> full(1);
        EXPECT_TRUE(full.send(1));
        std::size_t released = 0;
        teff::fiber_mutex mutex;
        teff::fiber closes([&] {
            teff::this_fiber::yield();
            empty.close();
            full.close();
        });
        teff::coforall(std::size_t{0}, fibers, [&](std::size_t) {
            const bool received = empty.receive().has_value();
            const bool sent = full.send(2);
            const std::lock_guard lock(mutex);
            released += received || sent ? 0 : 1;
        });
        closes.join();
        EXPECT_EQ(released, fibers);
        // What was sent before can be received.
        EXPECT_EQ(full.receive(), std::optional<int>(1));
        EXPECT_EQ(full.receive(), std::nullopt);
    });
}

// With one thread the fibers come one after the other.
TEST_P(channel_on, receivers_get_their_turn_in_order) {
    teff::execute(with_threads(1), [] {
        constexpr std::size_t fibers = 30;
        teff::channel<std::size_t> channel(2);
        std::vector<std::size_t> came;
        std::vector<std::size_t> received(fibers);
        std::vector<teff::fiber> started;
        for (std::size_t i = 0; i < fibers; ++i)
            started.emplace_back([&, i] {
                came.push_back(i);
                received[i] = channel.receive().value_or(fibers);
            });
        while (came.size() < fibers)
            teff::this_fiber::yield();
        for (std::size_t i = 0; i < fibers; ++i)
            EXPECT_TRUE(channel.send(i));
        for (teff::fiber& each : started)
            each.join();
        for (std::size_t i = 0; i < fibers; ++i)
            EXPECT_EQ(received[came[i]], i);
    });
}

TEST_P(channel_on, single_variables_are_read_by_all) {
    for_some_thread_counts([] {
        teff::single_var<int> answer;
        std::size_t right = 0;
        teff::fiber_mutex mutex;
        teff::fiber writes([&] {
            teff::this_fiber::yield();
            answer.write_ef(42);
        });
        teff::coforall(0, 30, [&](int) {
            const int seen = answer.read_ff();
            const std::lock_guard lock(mutex);
            right += seen == 42 ? 1 : 0;
        });
        writes.join();
        EXPECT_EQ(right, 30U);
        EXPECT_THROW(answer.write_ef(43), std::logic_error);
    });
}

}  // namespace
