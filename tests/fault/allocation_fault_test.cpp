// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets the k-th allocation of a run fail, for k = 1, 2, ... until a run needs fewer than k allocations. Each run
// either returns the right result, where a task that is refused memory runs inline, or throws std::bad_alloc. It
// never aborts or hangs, loses no memory or task, and leaves the pool usable. The same is tested with every
// allocation from the k-th on failing.
#include <tests/child_process.hpp>
#include <tests/fault/fault_runs.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/queue/bqueue.hpp>
#include <teff/queue/combining_ring.hpp>
#include <teff/queue/locked_deque.hpp>
#include <teff/reduce.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <vector>

namespace teff::testing {
namespace {

constexpr std::uint32_t width = 2000;

// One task has many children, so that queues grow.
long count_children(const options& call) {
    return reduce(call, [](const enqueue& enq, std::uint32_t children) -> long {
        for (std::uint32_t i = 0; i < children; ++i)
            enq(0);
        return 1;
    }, width);
}

constexpr std::uint32_t tree_size = 1000;
long count_tree(const options& call) { return reduce(call, tree_of(tree_size)); }

// Tasks that own memory: every task that is dropped must free it, and enqueuing may throw inside the body.
constexpr std::uint32_t depth = 6;
long count_owning_tasks(const options& call) {
    const auto body = [](auto& pool, std::unique_ptr<int> mine) -> long {
        if (*mine > 0) {
            pool.enq(std::make_unique<int>(*mine - 1));
            pool.enq(std::make_unique<int>(*mine - 1));
        }
        return 1;
    };
    return reduce_tasks(call, body, std::make_unique<int>(depth));
}

struct combination {
    const char* scheduler;
    const char* reclaimer;
    long threads;
    fault_span span;
    std::string name() const {
        return std::string(scheduler) + "_" + reclaimer + "_threads_" + std::to_string(threads) +
               (span == fault_span::one ? "_one" : "_all_after");
    }
    friend std::ostream& operator<<(std::ostream& to, const combination& each) { return to << each.name(); }
};

// The reclaimer is varied only for a scheduler that frees shared memory.
auto combinations() {
    std::vector<combination> all;
    for (const long threads : {1L, 3L})
        for (const fault_span span : {fault_span::one, fault_span::all_after}) {
            all.push_back({"demand", "epoch", threads, span});
            for (const char* const reclaimer : {"epoch", "arena", "hazard"})
                all.push_back({"blaze", reclaimer, threads, span});
            for (const char* const scheduler : {"ompi", "fifo", "sherwood", "nemesis", "distrib"})
                all.push_back({scheduler, "epoch", threads, span});
        }
    return ::testing::ValuesIn(all);
}

std::string combination_name(const ::testing::TestParamInfo<combination>& about) {
    return about.param.name();
}

class allocation_fault_each : public ::testing::TestWithParam<combination> {
protected:
    void run(const sample& tried) {
        const combination each = GetParam();
        expect_quiet(run_in_child([&] {
            const options call{.threads = each.threads, .scheduler = each.scheduler, .reclaimer = each.reclaimer};
            const fault_count result = run_with_faults(tried, call, each.span);
            EXPECT_GT(result.thrown, 0) << "without a team there is no run, so the first one must throw";
            EXPECT_GT(result.right, 0);
            EXPECT_GT(result.needed, 0);
        }));
    }
};

INSTANTIATE_TEST_SUITE_P(, allocation_fault_each, combinations(), combination_name);

TEST_P(allocation_fault_each, many_children) { run({count_children, width + 1}); }
TEST_P(allocation_fault_each, a_tree) { run({count_tree, tree_size}); }
TEST_P(allocation_fault_each, tasks_that_own_memory) { run({count_owning_tasks, tasks_of_tree(depth)}); }

class allocation_fault_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, allocation_fault_each_scheduler, every_scheduler_name(), scheduler_case_name);

// With one thread, the only allocation after the start of the first task is for a larger queue, if the scheduler's
// queue can grow.
TEST_P(allocation_fault_each_scheduler, tasks_run_inline_when_the_queue_cannot_grow) {
    expect_quiet(run_in_child([&] {
        long inside = 0;
        const auto body = [&](const enqueue& enq, std::uint32_t children) -> long {
            const bool is_first = children != 0;
            if (is_first)
                allocation_faults.arm(1, fault_span::all_after);
            for (std::uint32_t i = 0; i < children; ++i)
                enq(0);
            if (is_first) {
                inside = allocation_faults.failed;
                allocation_faults.disarm();
            }
            return 1;
        };
        // These tasks may throw when they are moved. So all schedulers but `demand` keep them in memory of their own
        // (frontends/reduce/common_item.hpp), and a task that gets none ends the reduction.
        const bool is_refused = std::string(GetParam()) != "demand";
        try {
            EXPECT_EQ(reduce(with_threads(1), body, width), width + 1L);
            EXPECT_FALSE(is_refused);
        } catch (const std::bad_alloc&) {
            EXPECT_TRUE(is_refused);
        }
        if (is_refused)
            return;
        const bool is_bounded = std::string(GetParam()).rfind("xqueue", 0) == 0;
        EXPECT_EQ(inside > 0, !is_bounded) << "a queue that grows and never asks for memory shows nothing";
    }));
}

// The very first use of the runtime in a process.
TEST_P(allocation_fault_each_scheduler, the_first_use_fails_cleanly_too) {
    for (long k = 1; k <= 12; ++k) {
        SCOPED_TRACE(k);
        expect_quiet(run_in_child([&] {
            const long live_before = allocation_faults.live;
            allocation_faults.arm(k, fault_span::all_after);
            bool right = false;
            try {
                right = counts_right(with_threads(3), depth);
            } catch (const std::bad_alloc&) {
                right = true;
            }
            allocation_faults.disarm();
            EXPECT_TRUE(right);
            EXPECT_EQ(allocation_faults.live, live_before);
            EXPECT_TRUE(counts_right(with_threads(3), depth));
        }));
    }
}

TEST(allocation_fault_bqueue, a_queue_that_cannot_be_opened_stays_closed) {
    const long live_before = allocation_faults.live;
    {
        bqueue<int> queue;
        allocation_faults.arm(1, fault_span::one);
        EXPECT_FALSE(queue.open(4, 2));
        allocation_faults.disarm();
        EXPECT_FALSE(queue.try_push(1));
        EXPECT_EQ(queue.front(), nullptr);
        queue.check_invariants();
        EXPECT_TRUE(queue.open(4, 2));
        EXPECT_TRUE(queue.try_push(1));
    }
    EXPECT_EQ(allocation_faults.live, live_before);
}

TEST(allocation_fault_descriptor_pool, a_pool_lives_with_what_memory_it_has) {
    const long live_before = allocation_faults.live;
    {
        descriptor_pool pool;
        allocation_faults.arm(1, fault_span::one);
        EXPECT_FALSE(pool.open(8, 8));
        allocation_faults.disarm();
        EXPECT_FALSE(pool.is_open());
        pool.check_invariants();
        ASSERT_TRUE(pool.open(8, 8));

        std::vector<task_descriptor*> taken;
        taken.reserve(2 * descriptor_pool::first_size);
        allocation_faults.arm(1, fault_span::all_after);
        while (task_descriptor* const each = pool.take())
            taken.push_back(each);
        EXPECT_EQ(taken.size(), descriptor_pool::first_size);
        // Each take() checks only a few pending descriptors, but one of the next calls finds the returned one.
        descriptor_pool::finish(*taken[3]);
        task_descriptor* again = nullptr;
        for (unsigned look = 0; look < descriptor_pool::first_size && again == nullptr; ++look)
            again = pool.take();
        EXPECT_EQ(again, taken[3]);
        EXPECT_EQ(pool.take(), nullptr);
        pool.put_back(*again);
        EXPECT_EQ(pool.take(), again);
        allocation_faults.disarm();
        EXPECT_NE(pool.take(), nullptr);
        pool.check_invariants();
    }
    EXPECT_EQ(allocation_faults.live, live_before);
}

// There is no memory for the first array, and later none for a larger one. The queue keeps its items, and the next
// push succeeds when there is memory again.
TEST(allocation_fault_locked_deque, a_queue_that_cannot_grow_keeps_its_items) {
    const long live_before = allocation_faults.live;
    {
        constexpr std::size_t first_capacity = 4;
        locked_deque<const int*, first_capacity> queue;
        const int items[first_capacity + 1] = {};
        allocation_faults.arm(1, fault_span::one);
        EXPECT_FALSE(queue.push(&items[0]));
        allocation_faults.disarm();
        EXPECT_FALSE(queue.may_have_items());
        EXPECT_EQ(queue.pop(), nullptr);
        EXPECT_EQ(queue.check_invariants(), nullptr);
        for (std::size_t i = 0; i < first_capacity; ++i)
            ASSERT_TRUE(queue.push(&items[i]));

        allocation_faults.arm(1, fault_span::all_after);
        EXPECT_FALSE(queue.push(&items[first_capacity]));
        EXPECT_EQ(queue.check_invariants(), nullptr);
        EXPECT_EQ(queue.pop(), &items[first_capacity - 1]);
        EXPECT_TRUE(queue.push(&items[first_capacity - 1])) << "there was room";
        allocation_faults.disarm();
        EXPECT_TRUE(queue.push(&items[first_capacity]));
        for (const int& each : items)
            EXPECT_EQ(queue.try_take_oldest().item, &each);
        EXPECT_FALSE(queue.may_have_items());
    }
    EXPECT_EQ(allocation_faults.live, live_before);
}

// A ring allocates two blocks. If either one is refused, the ring stays closed, and it can be opened later.
TEST(allocation_fault_combining_ring, a_ring_without_memory_stays_closed) {
    const long live_before = allocation_faults.live;
    {
        combining_ring<int*> queue;
        int item = 0;
        for (long k = 1; k <= 2; ++k) {
            allocation_faults.arm(k, fault_span::one);
            EXPECT_FALSE(queue.open(3));
            allocation_faults.disarm();
            EXPECT_EQ(allocation_faults.live, live_before);
            EXPECT_FALSE(queue.owner_enqueue(&item));
        }
        allocation_faults.arm(1, fault_span::one);
        EXPECT_EQ(make_combiner_node(), nullptr);
        allocation_faults.disarm();
        EXPECT_TRUE(queue.open(3));
        EXPECT_TRUE(queue.owner_enqueue(&item));
    }
    EXPECT_EQ(allocation_faults.live, live_before);
}

}  // namespace
}  // namespace teff::testing
