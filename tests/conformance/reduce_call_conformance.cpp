// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a reduction: nested, from many threads, stopped early, with bounded memory, and with invalid options; on
// every scheduler where that matters.
#include <tests/conformance/each_choice.hpp>

#include <teff/pool/pool.hpp>
#include <teff/reduce.hpp>
#include <teff/team/team_options.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class reduce_call : public each_choice {};
INSTANTIATE_TEST_SUITE_P(, reduce_call, testing::ValuesIn(all_rows()), row_names());
class reduce_call_sharing : public each_choice {};
INSTANTIATE_TEST_SUITE_P(, reduce_call_sharing, testing::ValuesIn(rows_that_share()), row_names());

constexpr long fan = 20;

// A tree of `fan` tasks. Above depth 0, each of them runs such a tree itself.
long nested_tree(const teff::options& call, const teff::options& inner, int depth) {
    const task_body tree = tree_of(fan);
    const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
        return tree(enq, number) + (depth == 0 ? 0 : nested_tree(inner, call, depth - 1));
    };
    return reduce(call, body);
}

TEST_P(reduce_call, inside_tasks_down_to_a_depth_of_three) {
    constexpr int depth = 3;
    constexpr long expected = fan + fan * fan + fan * fan * fan + fan * fan * fan * fan;
    for (const long threads : {1L, 2L, 5L, 16L}) {
        SCOPED_TRACE(threads);
        EXPECT_TRUE(works(with_threads(threads)));
        const unsigned workers = teff::pool::instance().worker_count();
        EXPECT_EQ(nested_tree(with_threads(threads), with_threads(threads), depth), expected);
        EXPECT_EQ(teff::pool::instance().worker_count(), workers) << "nested calls started threads";
    }
}

TEST_P(reduce_call, inside_tasks_of_another_scheduler) {
    for (const named_row& other : all_rows()) {
        SCOPED_TRACE(other.name);
        const teff::options inner{.threads = 3, .scheduler = other.scheduler, .reclaimer = other.reclaimer};
        EXPECT_EQ(nested_tree(with_threads(3), inner, 1), fan + fan * fan);
    }
}

TEST_P(reduce_call, an_exception_passes_through_nested_calls) {
    const task_body throws = [](const enqueue&, std::uint32_t) -> long { throw failure("inner"); };
    const task_body outer = [&](const enqueue& enq, std::uint32_t number) -> long {
        if (number < 50)
            enq(number + 1);
        return number == 30 ? reduce(with_threads(2), throws) : 1;
    };
    EXPECT_THROW(reduce(with_threads(3), outer), failure);
    EXPECT_TRUE(works(with_threads(3)));
}

TEST_P(reduce_call, from_eight_threads_at_once) {
    constexpr int rounds = 20;
    std::vector<std::thread> callers;
    for (std::uint32_t caller = 0; caller < 8; ++caller)
        callers.emplace_back([this, caller] {
            for (int round = 0; round < rounds; ++round) {
                const std::uint32_t size = 100 * caller + 1;
                EXPECT_EQ(reduce(with_threads(1 + caller % 5), tree_of(size)), static_cast<long>(size));
            }
        });
    for (std::thread& each : callers)
        each.join();
}

// The pool has many more workers than the call allows.
TEST_P(reduce_call, no_more_tasks_run_at_once_than_threads_were_asked_for) {
    teff::pool::instance().ensure_workers(15);
    for (const long threads : {1L, 2L, 5L}) {
        SCOPED_TRACE(threads);
        std::atomic<long> running{0}, most{0};
        std::mutex guard;
        std::set<std::thread::id> ids;
        const task_body tree = tree_of(500);
        const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
            // Must precede the count: a task that is enqueued may run inside this one.
            tree(enq, number);
            const long now = ++running;
            long before = most.load();
            while (before < now && !most.compare_exchange_weak(before, now)) {
            }
            {
                const std::scoped_lock lock(guard);
                ids.insert(std::this_thread::get_id());
            }
            ::sched_yield();
            --running;
            return 1;
        };
        EXPECT_EQ(reduce(with_threads(threads), body), 500);
        EXPECT_LE(most.load(), threads);
        if (threads == 1) {
            EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
        }
        EXPECT_LE(ids.size(), 1 + teff::pool::instance().worker_count());
    }
}

// Tasks that wait for each other: none can finish while one of them stays queued although a thread is idle.
class rendezvous {
public:
    explicit rendezvous(long size) : size_(size) {}
    bool join() {
        ++here_;
        while (here_ < size_)
            ::sched_yield();
        return true;
    }

private:
    const long size_;
    std::atomic<long> here_{0};
};

TEST_P(reduce_call_sharing, every_thread_gets_one_of_as_many_long_tasks) {
    for (const std::uint32_t threads : {2U, 5U, 8U}) {
        rendezvous all(threads);
        const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
            if (number != 0)
                return all.join();
            for (std::uint32_t next = 1; next <= threads; ++next)
                enq(next);
            return 0;
        };
        EXPECT_EQ(reduce(with_threads(threads), body), threads);
    }
}

// Each first task is produced only when all workers of the pool sleep again, including those woken for an earlier
// one.
TEST_P(reduce_call_sharing, first_tasks_that_come_slowly_reach_every_thread) {
    constexpr std::uint32_t threads = 5;
    teff::pool& pool = teff::pool::instance();
    rendezvous all(threads);
    const task_body body = [&](const enqueue&, std::uint32_t) -> long { return all.join(); };
    const first_task wait_until_all_sleep = [&](std::uint32_t number) {
        while (pool.idle().sleeping() != pool.worker_count())
            ::sched_yield();
        return number;
    };
    EXPECT_EQ(reduce(with_threads(threads), body, threads, wait_until_all_sleep), threads);
}

TEST_P(reduce_call, a_stop_before_the_start_runs_nothing) {
    std::stop_source source;
    source.request_stop();
    for (const long threads : {1L, 3L}) {
        teff::options call = with_threads(threads);
        call.stop = source.get_token();
        std::atomic<int> ran{0};
        const task_body body = [&](const enqueue&, std::uint32_t) -> long { return ++ran; };
        EXPECT_EQ(reduce(call, body, std::vector<std::uint32_t>(1000, 1)), 0);
        EXPECT_EQ(ran.load(), 0);
    }
}

TEST_P(reduce_call, a_stop_ends_endless_work_with_the_sum_so_far) {
    for (const long threads : {1L, 2L, 5L, 16L}) {
        std::stop_source source;
        teff::options call = with_threads(threads);
        call.stop = source.get_token();
        std::atomic<long> ran{0};
        const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
            enq(number);
            if (++ran == 1000)
                source.request_stop();
            return 1;
        };
        const long sum = reduce(call, body, {1, 2, 3, 4, 5});
        EXPECT_EQ(sum, ran.load());
        EXPECT_GE(ran.load(), 1000);
        EXPECT_TRUE(works(with_threads(threads)));
    }
}

TEST_P(reduce_call, a_stop_from_another_thread) {
    std::stop_source source;
    teff::options call = with_threads(3);
    call.stop = source.get_token();
    std::atomic<long> ran{0};
    std::thread outsider([&] {
        while (ran.load() < 100)
            ::sched_yield();
        source.request_stop();
    });
    const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
        ++ran;
        enq(number);
        return 1;
    };
    const long sum = reduce(call, body, {1, 2, 3});
    EXPECT_EQ(sum, ran.load());
    outsider.join();
}

// A single producer, so tasks have to be queued: at most max_queued in the queues of each member. A block queue
// rounds this up to whole blocks.
TEST_P(reduce_call, max_queued_bounds_the_tasks_in_memory) {
    constexpr std::uint32_t tasks = 200'000;
    constexpr long max_queued = 300, block = 128, running = 70;
    for (const long threads : {1L, 2L, 5L}) {
        SCOPED_TRACE(threads);
        teff::options call = with_threads(threads);
        call.max_queued = max_queued;
        std::atomic<long> most{0};
        const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
            if (number == 0)
                for (std::uint32_t next = 1; next < tasks; ++next)
                    enq(next);
            const long now = task::alive.load();
            long before = most.load();
            while (before < now && !most.compare_exchange_weak(before, now)) {
            }
            return 1;
        };
        EXPECT_EQ(reduce(call, body), static_cast<long>(tasks));
        EXPECT_LE(most.load(), threads * (max_queued + 2 * block + running));
    }
}

// The message of the std::invalid_argument that a call throws.
std::string complaint(const teff::options& call) {
    try {
        reduce(call, tree_of(1));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

void expect_complaint(const teff::options& call, const char* option, const char* value) {
    const std::string text = complaint(call);
    EXPECT_NE(text.find(option), std::string::npos) << text;
    EXPECT_NE(text.find(value), std::string::npos) << text;
}

TEST(reduce_options, values_that_make_no_sense_are_named) {
    expect_complaint({.threads = 0}, "threads", "0");
    expect_complaint({.threads = -1}, "threads", "-1");
    expect_complaint({.scheduler = "nonsense"}, "scheduler", "nonsense");
    expect_complaint({.scheduler = ""}, "scheduler", "");
    expect_complaint({.reclaimer = "nonsense"}, "reclaimer", "nonsense");
    expect_complaint({.max_queued = -5}, "max_queued", "-5");
    EXPECT_EQ(complaint({.threads = 2}), "");
}

TEST(reduce_options, too_many_threads_are_cut_down_with_a_warning) {
    testing::internal::CaptureStderr();
    const teff::team_options how = teff::resolve({.threads = 5000});
    const std::string warning = testing::internal::GetCapturedStderr();
    EXPECT_EQ(how.settings.slots, 4096U);
    EXPECT_NE(warning.find("threads"), std::string::npos) << warning;
    EXPECT_NE(warning.find("5000"), std::string::npos) << warning;
    EXPECT_NE(warning.find("4096"), std::string::npos) << warning;
}

}  // namespace
