// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operating system threads for micro-benchmarks, and the kernels that use them: locks and queues.
#include <bench/harness/own_threads.hpp>

#include <bench/harness/testing.hpp>
#include <bench/latency/latency.hpp>
#include <bench/queue_throughput/queue_throughput.hpp>

#include <array>
#include <atomic>
#include <deque>
#include <mutex>

#include <gtest/gtest.h>

namespace bench {
namespace {

parameters of(const std::string& size, unsigned threads) {
    parameters made = of_size(size);
    made.threads = threads;
    return made;
}

TEST(own_threads, each_index_runs_once_and_all_at_the_same_time) {
    constexpr unsigned threads = 4;
    std::array<std::atomic<int>, threads> runs{};
    std::atomic<unsigned> inside{0};
    const double seconds = run_on_threads(threads, [&](unsigned index) {
        ++runs[index];
        ++inside;
        waiting pause;
        while (inside < threads) pause.wait();   // hangs unless all threads run at the same time
    });
    for (const auto& each : runs) EXPECT_EQ(each, 1);
    EXPECT_GT(seconds, 0);
}

TEST(latency, every_increment_counts) {
    const parameters asked = of("5000", 3);
    EXPECT_EQ(latency::increments_per_thread(asked), 1666U);
    std::mutex lock;
    const outcome result = latency::measure_on_threads(asked, [&lock](std::uint64_t& counter) {
        const std::scoped_lock held(lock);
        ++counter;
    });
    EXPECT_TRUE(result.verified);
    EXPECT_EQ(result.tasks, 4998U);
    EXPECT_NEAR(result.measures.front().values.front(), result.seconds * 1e9 / 1666, 1e-6);
    EXPECT_FALSE(latency::checked(asked, 1, 4997).verified);
}

TEST(queue_throughput, shares_are_equal_on_both_sides) {
    for (unsigned threads = 2; threads < 9; ++threads) {
        for (const bool in_pairs : {false, true}) {
            const queue_throughput::roles who(of("1000", threads), in_pairs);
            EXPECT_EQ(who.producers, threads / 2);
            EXPECT_EQ(who.producers * who.items_per_producer, who.consumers * who.items_per_consumer);
            EXPECT_GT(who.items_per_consumer, 0U);
        }
    }
}

class locked_queue {
public:
    bool try_push(std::uint64_t item) {
        const std::scoped_lock lock(mutex_);
        if (items_.size() == queue_throughput::capacity) return false;
        items_.push_back(item);
        return true;
    }
    bool try_pop(std::uint64_t& item) {
        const std::scoped_lock lock(mutex_);
        if (items_.empty()) return false;
        item = items_.front();
        items_.pop_front();
        return true;
    }

private:
    std::mutex mutex_;
    std::deque<std::uint64_t> items_;
};

TEST(queue_throughput, every_item_is_taken_once) {
    std::array<locked_queue, 1> one;
    std::array<locked_queue, 2> two;
    EXPECT_TRUE(queue_throughput::measure_alone(of("5001", 1), one[0]).verified);
    const outcome shared = queue_throughput::measure_shared(of("5001", 5), false, one);
    EXPECT_TRUE(shared.verified);
    EXPECT_EQ(shared.tasks, 4998U) << "a multiple of two producers and three consumers";
    EXPECT_TRUE(queue_throughput::measure_shared(of("5001", 4), true, two).verified);
    EXPECT_FALSE(queue_throughput::checked(1, 3, {3, 4}).verified);
}

}  // namespace
}  // namespace bench
