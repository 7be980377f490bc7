// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels with many fibers and some threads that send and receive: each value that was sent is received once, and what
// its sender did before is seen. The channels are closed when all has been sent, so all receivers return.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t capacities[] = {0, 1, 50};
constexpr std::size_t channels = std::size(capacities), fibers_each = 20;
constexpr std::size_t senders = channels * (fibers_each + 1);

class channel_run {
public:
    explicit channel_run(std::uint64_t values_each)
        : each_(values_each), delivered_(senders * values_each),
          sent_(static_cast<std::size_t>(senders * values_each)) {}

    void run() {
        teff::coforall(std::size_t{0}, channels, [this](std::size_t which) {
            teff::channel<std::uint64_t> channel(capacities[which]);
            const std::uint64_t first = which * (fibers_each + 1) * each_;
            std::thread receiving([&] { receive_all(channel); });
            std::thread sending([&] { send_some(channel, first + fibers_each * each_); });
            std::vector<teff::fiber> receivers;
            for (std::size_t i = 0; i < fibers_each; ++i)
                receivers.emplace_back([&] { receive_all(channel); });
            teff::coforall(std::size_t{0}, fibers_each, [&](std::size_t i) { send_some(channel, first + i * each_); });
            sending.join();
            channel.close();
            for (teff::fiber& fiber : receivers)
                fiber.join();
            receiving.join();
            EXPECT_EQ(channel.check_invariants(), nullptr);
        });
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the joins.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
    }

private:
    void send_some(teff::channel<std::uint64_t>& channel, std::uint64_t first) {
        for (std::uint64_t identity = first; identity < first + each_; ++identity) {
            sent_[static_cast<std::size_t>(identity)] = ~identity;
            // relaxed: read after the joins.
            mistakes_.fetch_add(channel.send(identity) ? 0 : 1, std::memory_order_relaxed);
            if (identity % 7 == 0)
                teff::this_fiber::yield();
        }
    }
    void receive_all(teff::channel<std::uint64_t>& channel) {
        while (const std::optional<std::uint64_t> identity = channel.receive()) {
            const bool is_right =
                delivered_.deliver(*identity) && sent_[static_cast<std::size_t>(*identity)] == ~*identity;
            // relaxed: read after the joins.
            mistakes_.fetch_add(is_right ? 0 : 1, std::memory_order_relaxed);
        }
    }

    const std::uint64_t each_;
    stress::identities delivered_;
    std::vector<std::uint64_t> sent_;  // ordinary memory
    teff::atomic<unsigned> mistakes_{0};
};

// An operation that waits takes a hundred times as long as one on a queue.
std::uint64_t values_each() { return stress::operations() / 100 / senders; }

TEST(channel_stress, one_thread_and_threads_outside) {
    teff::execute({.threads = 1}, [] { channel_run(values_each() / 4).run(); });
}
TEST(channel_stress, several_threads_by_default) {
    teff::execute({.threads = 4}, [] { channel_run(values_each()).run(); });
}
TEST(channel_stress, several_threads_that_deal_tasks_out) {
    teff::execute({.threads = 4, .scheduler = "nemesis"}, [] { channel_run(values_each()).run(); });
}

}  // namespace
