// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers at the dock, asleep or spinning, carry out each order once. Workers that are given no order stay. The caller
// learns when all workers have carried out its order. The caller and the workers exchange data in ordinary memory.
// Orders to run wake none of the workers that a resize has left out.
#include <teff/team/dock.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace {

using order = teff::dock::order;

// How often the calling thread has slept.
long sleeps_of_this_thread() {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
}

// A caller with workers on threads of their own, which join the dock and leave it when they are ordered to.
class docked {
public:
    docked(unsigned slots, std::int64_t spin_us) : spin_us_(spin_us), dock_(slots), workers_(slots), size_(slots) {
        dock_.expect(slots - 1);
        for (unsigned slot = 1; slot < slots; ++slot)
            threads_.emplace_back([this, slot] { work(slot); });
        dock_.await_done(spin_us_);
    }
    ~docked() {
        dock_.release(static_cast<unsigned>(workers_.size()), {.what = order::leave});
        for (std::thread& each : threads_)
            each.join();
        for (unsigned slot = 1; slot < workers_.size(); ++slot)
            EXPECT_EQ(workers_[slot].leaves, 1U);
    }
    docked(const docked&) = delete;
    docked& operator=(const docked&) = delete;

    void resize(unsigned number) { resize(number, static_cast<unsigned>(workers_.size())); }
    // The workers of the slots from `size` on take no part from now on.
    void resize(unsigned number, unsigned size) {
        given_ = number;
        size_ = size;
        dock_.release(static_cast<unsigned>(workers_.size()), {.what = order::resize});
        dock_.await_done(spin_us_);
    }
    // Orders the workers of the slots below `end` to run, and waits for them.
    void run(unsigned end, unsigned number) {
        given_ = number;
        through_.store(0);
        dock_.release(end, {.what = order::run});
        while (through_.load() != end - 1)
            ::sched_yield();
    }
    // Called after run() or resize().
    unsigned last_run(unsigned slot) const { return workers_[slot].last_run; }
    unsigned last_resize(unsigned slot) const { return workers_[slot].last_resize; }
    unsigned orders(unsigned slot) const { return workers_[slot].orders; }
    // How often the worker has slept until it got its last order.
    long sleeps(unsigned slot) const { return workers_[slot].sleeps; }

private:
    struct alignas(teff::false_sharing_range) worker {
        unsigned last_run = 0, last_resize = 0, orders = 0, leaves = 0;
        long sleeps = 0;
    };

    void work(unsigned slot) {
        worker& mine = workers_[slot];
        dock_.done();
        bool takes_part = true;
        for (unsigned carried_out = 0;;) {
            const order what = dock_.wait(slot, carried_out, spin_us_, takes_part).what;
            mine.sleeps = sleeps_of_this_thread();
            if (what == order::run) {
                ++mine.orders;
                mine.last_run = given_;
                through_.fetch_add(1);
            } else if (what == order::resize) {
                ++mine.orders;
                mine.last_resize = given_;
                takes_part = slot < size_;
                dock_.done();
            } else {
                EXPECT_EQ(what, order::leave);
                ++mine.leaves;
                return;
            }
        }
    }

    const std::int64_t spin_us_;
    teff::dock dock_;
    std::vector<worker> workers_;
    std::vector<std::thread> threads_;
    // the caller writes both, between orders
    unsigned given_ = 0;
    unsigned size_;
    std::atomic<unsigned> through_{0};
};

// How long threads spin before they sleep: not at all, and for as long as a test takes.
constexpr std::int64_t spins_us[] = {0, 1'000'000};

TEST(dock, workers_come_and_leave) {
    for (const std::int64_t spin_us : spins_us) {
        for (const unsigned slots : {1U, 2U, 5U}) {
            SCOPED_TRACE(slots);
            const docked all(slots, spin_us);
        }
    }
}

TEST(dock, each_order_is_carried_out_once) {
    for (const std::int64_t spin_us : spins_us) {
        SCOPED_TRACE(spin_us);
        docked all(4, spin_us);
        for (unsigned round = 1; round <= 300; ++round) {
            all.run(4, round);
            all.resize(round);
            for (unsigned slot = 1; slot < 4; ++slot) {
                ASSERT_EQ(all.last_run(slot), round);
                ASSERT_EQ(all.last_resize(slot), round);
                ASSERT_EQ(all.orders(slot), 2 * round);
            }
        }
    }
}

TEST(dock, workers_that_are_not_released_stay) {
    for (const std::int64_t spin_us : spins_us) {
        SCOPED_TRACE(spin_us);
        docked all(4, spin_us);
        for (unsigned round = 1; round <= 100; ++round)
            all.run(2, round);
        // All workers have carried this out, so none of them is still about to carry out another order.
        all.resize(7);
        EXPECT_EQ(all.orders(1), 101U);
        for (const unsigned slot : {2U, 3U}) {
            EXPECT_EQ(all.last_run(slot), 0U);
            EXPECT_EQ(all.orders(slot), 1U);
        }
        all.run(4, 200);
        for (const unsigned slot : {1U, 2U, 3U})
            EXPECT_EQ(all.last_run(slot), 200U);
    }
}

TEST(dock, workers_that_were_left_out_sleep_on) {
    docked all(3, 0);
    constexpr unsigned rounds = 3000;
    all.resize(1, 2);
    const long before = all.sleeps(2);
    for (unsigned round = 1; round <= rounds; ++round)
        all.run(2, round);
    all.resize(2, 3);
    // Once at the dock; and a thread may sleep for other reasons, such as a page that must be read.
    EXPECT_LT(all.sleeps(2) - before, 30);
    EXPECT_EQ(all.orders(2), 2U);
    all.run(3, rounds);
    EXPECT_EQ(all.last_run(2), rounds);
}

TEST(dock, does_not_wait_for_workers_that_do_not_join) {
    teff::dock dock(3);
    dock.expect(2);
    std::thread only([&] { dock.done(); });
    dock.lower_expected(1);
    dock.await_done(0);
    only.join();
    dock.expect(1);
    dock.lower_expected(1);
    dock.await_done(0);
}

}  // namespace
