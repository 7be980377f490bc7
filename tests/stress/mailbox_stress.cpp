// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mailbox between its owner and threads that put tasks in and take some of them back. Each task has a number, which
// the owner or the thread that took the task back delivers, exactly once. A task's memory is used for the next one as
// soon as its number was delivered, as the frames of forks are. An operation is a task.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/queue/mailbox.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

struct task {
    std::uint64_t number = 0;
    teff::atomic<bool> has_run{false};
};

// Spins for a while, then sleeps: on a machine that is busy, each yield may cost the time slice of another process.
class patience {
public:
    void pause() {
        if (spins_ < 20'000) {
            ++spins_;
            teff::cpu_relax();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
    }

private:
    unsigned spins_ = 0;
};

class mailbox_run {
public:
    mailbox_run(unsigned givers, std::uint64_t tasks_of_each)
        : givers_(givers), tasks_(tasks_of_each), delivered_(givers * tasks_of_each) {}

    void run() {
        stress::on_threads(givers_ + 1, [this](unsigned i) { i == 0 ? own() : give(i - 1); });
        EXPECT_EQ(delivered_.missing(), 0U);
        // relaxed: after the joins.
        EXPECT_EQ(doubled_.load(std::memory_order_relaxed), 0U);
    }

private:
    void deliver(std::uint64_t number) {
        // relaxed: read after the joins.
        if (!delivered_.deliver(number))
            doubled_.fetch_add(1, std::memory_order_relaxed);
    }
    void run_task(task& taken) {
        deliver(taken.number);
        // release: the giver writes the task again only after this; partner: the acquire in give().
        taken.has_run.store(true, std::memory_order_release);
    }

    // Opens the mailbox, looks some times, closes it, and begins again, until all givers are through.
    void own() {
        teff::random_generator random(1);
        patience idle;
        // relaxed: only ends the loop.
        while (through_.load(std::memory_order_relaxed) != givers_) {
            box_.open();
            task* taken = nullptr;
            for (std::uint32_t looks = random.below(64); taken == nullptr && looks > 0; --looks)
                taken = box_.take();
            if (taken == nullptr)
                taken = box_.close();
            if (taken == nullptr) {
                idle.pause();
                continue;
            }
            idle = {};
            run_task(*taken);
        }
    }
    void give(unsigned giver) {
        teff::random_generator random(2 + giver);
        task mine;
        for (std::uint64_t done = 0; done < tasks_; ++done) {
            mine.number = giver * tasks_ + done;
            // relaxed: put() publishes it.
            mine.has_run.store(false, std::memory_order_relaxed);
            for (patience wait; !box_.put(mine);)
                wait.pause();
            for (std::uint32_t pauses = random.below(32); pauses > 0; --pauses)
                teff::cpu_relax();
            if (random.below(2) == 0 && box_.retract(mine)) {
                deliver(mine.number);
                continue;
            }
            // acquire: the owner no longer uses the task; partner: the release in run_task().
            for (patience wait; !mine.has_run.load(std::memory_order_acquire);)
                wait.pause();
        }
        // relaxed: as above.
        through_.fetch_add(1, std::memory_order_relaxed);
    }

    const unsigned givers_;
    const std::uint64_t tasks_;
    stress::identities delivered_;
    teff::mailbox<task> box_;
    teff::atomic<unsigned> through_{0};
    teff::atomic<std::uint64_t> doubled_{0};
};

TEST(mailbox_stress, one_giver) { mailbox_run(1, stress::operations() / 400).run(); }

TEST(mailbox_stress, several_givers) { mailbox_run(3, stress::operations() / 4000).run(); }

}  // namespace
