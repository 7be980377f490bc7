// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suspended tasks on every scheduler: they go on when their handle is called, before, during or after the suspension,
// and their workers do other work meanwhile, with one thread, too.
#include <tests/conformance/each_choice.hpp>

#include <teff/arena.hpp>
#include <teff/base/backoff.hpp>
#include <teff/fiber.hpp>
#include <teff/fork_join.hpp>
#include <teff/suspend.hpp>
#include <teff/task_group.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace conformance;
using teff::resume_handle;

class suspend_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, suspend_on, testing::ValuesIn(all_rows()), row_names());

// A thread of which the library knows nothing. It calls the handles that it is given.
class foreign_thread {
public:
    ~foreign_thread() {
        {
            const std::scoped_lock locked(mutex_);
            ends_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    void call(resume_handle&& handle) {
        {
            const std::scoped_lock locked(mutex_);
            handles_.push_back(std::move(handle));
        }
        changed_.notify_one();
    }

private:
    void work() {
        std::unique_lock locked(mutex_);
        for (;;) {
            changed_.wait(locked, [this] { return ends_ || !handles_.empty(); });
            if (handles_.empty())
                return;
            resume_handle next = std::move(handles_.front());
            handles_.pop_front();
            locked.unlock();
            next.resume();
            locked.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<resume_handle> handles_;
    bool ends_ = false;
    std::thread thread_{[this] { work(); }};
};

TEST_P(suspend_on, goes_on_when_another_thread_says_so) {
    foreign_thread other;
    for_some_thread_counts([&] {
        std::atomic<int> ended{0};
        teff::task_group group;
        for (int i = 0; i < 200; ++i)
            group.run([&] {
                teff::suspend([&](resume_handle handle) { other.call(std::move(handle)); });
                ended.fetch_add(1);
            });
        group.wait();
        EXPECT_EQ(ended.load(), 200);
    });
}

TEST_P(suspend_on, takes_a_call_before_the_suspension) {
    for_some_thread_counts([] {
        for (int i = 0; i < 50; ++i) {
            bool has_called = false;
            teff::suspend([&](resume_handle handle) {
                handle.resume();
                EXPECT_FALSE(handle.valid());
                has_called = true;
            });
            EXPECT_TRUE(has_called);
            teff::fiber([] { teff::suspend([](resume_handle handle) { handle.resume(); }); }).join();
        }
    });
}

TEST_P(suspend_on, leaves_fibers) {
    foreign_thread other;
    for_some_thread_counts([&] {
        std::vector<teff::fiber> fibers;
        std::atomic<int> ended{0};
        for (int i = 0; i < 100; ++i)
            fibers.emplace_back([&] {
                for (int k = 0; k < 3; ++k)
                    teff::suspend([&](resume_handle handle) { other.call(std::move(handle)); });
                ended.fetch_add(1);
            });
        for (teff::fiber& each : fibers)
            each.join();
        EXPECT_EQ(ended.load(), 300 / 3);
    });
}

// All tasks are suspended at once, and the last one resumes the others: with one thread each of them has to let the
// next one begin, and to go on although that one is suspended, too.
TEST_P(suspend_on, goes_on_below_other_suspended_tasks) {
    for (const long threads : {1L, 2L}) {
        teff::arena arena(with_threads(threads));
        constexpr std::size_t count = 50;
        std::mutex mutex;
        std::vector<resume_handle> handles;
        std::vector<std::size_t> order;
        teff::task_group group;
        for (std::size_t i = 0; i < count; ++i)
            arena.enqueue(group, [&, i] {
                teff::suspend([&](resume_handle handle) {
                    const std::scoped_lock locked(mutex);
                    handles.push_back(std::move(handle));
                    if (handles.size() == count)
                        for (resume_handle& each : handles)
                            each.resume();
                });
                const std::scoped_lock locked(mutex);
                order.push_back(i);
            });
        group.wait();
        EXPECT_EQ(order.size(), count);
    }
}

// Two tasks hand each other the turn, as coroutines would. With one thread, whichever runs on top of the other has to
// be left.
TEST_P(suspend_on, lets_two_tasks_take_turns) {
    for (const long threads : {1L, 2L}) {
        teff::arena arena(with_threads(threads));
        std::mutex mutex;
        resume_handle waiting;
        int turns = 0;
        const auto take_turns = [&] {
            for (int i = 0; i < 100; ++i)
                teff::suspend([&](resume_handle own) {
                    const std::scoped_lock locked(mutex);
                    ++turns;
                    resume_handle other = std::exchange(waiting, std::move(own));
                    if (other.valid())
                        other.resume();
                });
        };
        teff::task_group group;
        arena.enqueue(group, take_turns);
        arena.enqueue(group, take_turns);
        // The last one waits for nothing any more.
        for (bool is_over = false; !is_over; teff::yield_thread()) {
            const std::scoped_lock locked(mutex);
            is_over = turns == 200;
        }
        waiting.resume();
        group.wait();
    }
}

long sum_of_tree(int depth, foreign_thread& other) {
    if (depth == 0)
        return 1;
    auto [left, right] = teff::fork_join(
        [&, depth] {
            teff::suspend([&](resume_handle handle) { other.call(std::move(handle)); });
            return sum_of_tree(depth - 1, other);
        },
        [&, depth] { return sum_of_tree(depth - 1, other); });
    return left + right;
}

TEST_P(suspend_on, lets_forks_wait_meanwhile) {
    foreign_thread other;
    for_some_thread_counts([&] { EXPECT_EQ(sum_of_tree(6, other), 64); });
}

TEST_P(suspend_on, throws_if_its_handle_is_dropped) {
    for_some_thread_counts([] {
        const auto drop = [] { teff::suspend([](resume_handle) {}); };
        EXPECT_THROW(drop(), teff::resume_dropped);
        teff::fiber some(drop);
        EXPECT_THROW(some.join(), teff::resume_dropped);
        // Dropped by another thread, while the task waits.
        std::thread dropper;
        EXPECT_THROW(teff::suspend([&](resume_handle handle) {
            dropper = std::thread([dropped = std::move(handle)] {});
        }),
                     teff::resume_dropped);
        dropper.join();
    });
}

TEST_P(suspend_on, throws_what_the_callback_throws) {
    for_some_thread_counts([] {
        EXPECT_THROW(teff::suspend([](resume_handle) { throw std::runtime_error("no"); }), std::runtime_error);
        foreign_thread other;
        EXPECT_THROW(teff::suspend([&](resume_handle handle) {
            other.call(std::move(handle));
            throw std::runtime_error("no");
        }),
                     std::runtime_error);
    });
}

TEST(suspend, works_on_a_thread_without_a_team) {
    foreign_thread other;
    std::thread([&] {
        for (int i = 0; i < 100; ++i)
            teff::suspend([&](resume_handle handle) { other.call(std::move(handle)); });
    }).join();
}

TEST(suspend, handles_resume_once) {
    resume_handle none;
    EXPECT_FALSE(none.valid());
    EXPECT_THROW(none.resume(), std::logic_error);
    teff::suspend([&](resume_handle handle) {
        none = std::move(handle);
        EXPECT_FALSE(handle.valid());
        EXPECT_TRUE(none.valid());
        none.resume();
        EXPECT_THROW(none.resume(), std::logic_error);
    });
}

}  // namespace
