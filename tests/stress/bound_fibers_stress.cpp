// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many fibers that migrate between shepherds and pass identities on there: each identity arrives once, in the cell of
// its shepherd, which is ordinary memory that only fibers on this shepherd's single worker change.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

constexpr unsigned fibers = 64;

class run_of_migrations {
public:
    explicit run_of_migrations(std::uint64_t steps_each)
        : each_(std::max<std::uint64_t>(steps_each, 10)), delivered_(fibers * each_), count_(teff::shepherd_count()),
          arrived_(count_), bells_(count_) {}

    void run() {
        // A thread outside wakes a fiber of each shepherd again and again.
        std::vector<teff::fiber> listeners;
        for (unsigned i = 0; i < count_; ++i)
            listeners.emplace_back(teff::on_shepherd{i}, [this, i] { listen(i); });
        std::thread outside([this] {
            for (std::uint64_t ring = 0; ring < each_ / 10; ++ring)
                for (auto& bell : bells_)
                    bell.write_ef(1);
            for (auto& bell : bells_)
                bell.write_ef(0);
        });
        teff::coforall(0U, fibers, [this](unsigned fiber) { migrate(fiber); });
        for (teff::fiber& each : listeners)
            each.join();
        outside.join();
        std::uint64_t sum = 0;
        for (const cell& each : arrived_)
            sum += each.fibers;
        EXPECT_EQ(sum, fibers * each_);
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the joins.
        EXPECT_EQ(mistakes_.load(std::memory_order_relaxed), 0U);
    }

private:
    struct cell {
        std::uint64_t fibers = 0, bells = 0;
        bool is_in_use = false;
    };

    void expect(bool is_right) noexcept {
        // relaxed: read after the joins.
        mistakes_.fetch_add(is_right ? 0 : 1, std::memory_order_relaxed);
    }
    void count_at(unsigned shepherd, std::uint64_t cell::*what) {
        cell& here = arrived_[shepherd];
        expect(teff::this_fiber::shepherd() == shepherd && !here.is_in_use);
        here.is_in_use = true;
        ++(here.*what);
        here.is_in_use = false;
    }
    void migrate(unsigned fiber) {
        std::uint64_t random = fiber + 1;
        for (std::uint64_t step = 0; step < each_; ++step) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            const auto to = static_cast<unsigned>((random >> 33) % count_);
            teff::this_fiber::migrate_to(to);
            count_at(to, &cell::fibers);
            expect(delivered_.deliver(fiber * each_ + step));
            if (random >> 60 < 4) {
                teff::this_fiber::unbind();
                teff::this_fiber::yield();
            }
        }
    }
    void listen(unsigned shepherd) {
        while (bells_[shepherd].read_fe() != 0)
            count_at(shepherd, &cell::bells);
        expect(arrived_[shepherd].bells == each_ / 10);
    }

    const std::uint64_t each_;
    stress::identities delivered_;
    const unsigned count_;
    std::vector<cell> arrived_;
    std::vector<teff::sync_var<int>> bells_;
    teff::atomic<unsigned> mistakes_{0};
};

// A migration takes a hundred times as long as an operation on a queue.
std::uint64_t steps_each() { return stress::operations() / 200 / fibers; }

TEST(bound_fibers_stress, one_thread) {
    teff::execute({.threads = 1}, [] { run_of_migrations(steps_each() / 2).run(); });
}
TEST(bound_fibers_stress, several_threads_by_default) {
    teff::execute({.threads = 4, .shepherds = "per_worker"}, [] { run_of_migrations(steps_each()).run(); });
}
TEST(bound_fibers_stress, several_threads_that_deal_tasks_out) {
    teff::execute({.threads = 4, .scheduler = "nemesis"}, [] { run_of_migrations(steps_each()).run(); });
}
TEST(bound_fibers_stress, several_threads_that_steal) {
    teff::execute({.threads = 4, .scheduler = "sherwood", .shepherds = "per_worker"},
                  [] { run_of_migrations(steps_each()).run(); });
}

}  // namespace
