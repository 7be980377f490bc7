// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions inside a reduction, wherever they are thrown: exactly one exception reaches the caller, every task and
// every result is destroyed, and the pool keeps working.
//
// For each kind of step (a call of the body, a move of a task, a +=, the construction or move of a result), the
// first, the second, the third and so on fails, until the reduction ends before it reaches the failing one.
#include <tests/conformance/each_choice.hpp>

#include <teff/reduce.hpp>
#include <teff/strand/worker.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <sched.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

failure_point body_calls{"calling the body"};
failure_point additions{"adding a result"};
failure_point neutral_elements{"making a neutral element"};
failure_point result_moves{"moving a result"};

// A number that counts its instances and fails when told to.
class fragile_sum {
public:
    static inline std::atomic<long> alive{0};

    fragile_sum() {
        neutral_elements.pass();
        ++alive;
    }
    explicit fragile_sum(long value) noexcept : value_(value) { ++alive; }
    fragile_sum(fragile_sum&& other) : value_(other.value_) {
        result_moves.pass();
        ++alive;
    }
    fragile_sum& operator=(fragile_sum&& other) {
        result_moves.pass();
        value_ = other.value_;
        return *this;
    }
    ~fragile_sum() { --alive; }
    fragile_sum& operator+=(const fragile_sum& other) {
        additions.pass();
        value_ += other.value_;
        return *this;
    }
    long value() const noexcept { return value_; }

private:
    long value_ = 0;
};

// Each task of a binary tree contributes one.
struct fragile_tree {
    std::uint32_t size;

    template <class Pool>
    fragile_sum operator()(Pool& pool, task self) const {
        const std::uint32_t number = self.number();
        if (number % 2 == 0)
            body_calls.pass();
        for (std::uint32_t next = 2 * number + 1; next < 2 * number + 3 && next < size; ++next)
            pool.enq(task(next));
        if (number % 2 != 0)
            body_calls.pass();
        return fragile_sum(1);
    }
};

class reduce_failure : public each_choice {
protected:
    void TearDown() override {
        each_choice::TearDown();
        expect_no_sum_alive();
    }

    static void expect_no_sum_alive() { EXPECT_EQ(fragile_sum::alive.load(), 0) << "results were lost"; }

    // Makes the point fail at its n-th passage and runs a tree. Returns whether it failed there.
    bool fails_at(failure_point& point, long n, const teff::options& call, std::uint32_t size) {
        int caught = 0;
        point.set(n);
        try {
            const fragile_sum sum = teff::reduce_tasks(call, fragile_tree{size}, task(0));
            EXPECT_EQ(sum.value(), static_cast<long>(size));
        } catch (const failure&) {
            ++caught;
        }
        const bool reached = point.reached();
        EXPECT_EQ(caught, reached ? 1 : 0) << "passage " << n;
        task::expect_none_alive();
        expect_no_sum_alive();
        EXPECT_TRUE(works(call));
        return reached;
    }

    // On one thread every passage, on several threads a selection.
    void fail_everywhere(failure_point& point) {
        constexpr std::uint32_t size = 100;
        constexpr long too_many = 100'000;
        for (long n = 1; fails_at(point, n, with_threads(1), size) && !HasFailure(); ++n)
            ASSERT_LT(n, too_many) << "this does not end";
        for (const long threads : {2L, 5L, 16L})
            for (long n = 1; n < too_many && fails_at(point, n, with_threads(threads), size) && !HasFailure();)
                n += n / 4 + 1;
    }
};
INSTANTIATE_TEST_SUITE_P(, reduce_failure, testing::ValuesIn(all_rows()), row_names());
class reduce_failure_sharing : public each_choice {};
INSTANTIATE_TEST_SUITE_P(, reduce_failure_sharing, testing::ValuesIn(rows_that_share()), row_names());

TEST_P(reduce_failure, every_call_of_the_body) { fail_everywhere(body_calls); }
TEST_P(reduce_failure, every_move_of_a_task) { fail_everywhere(task::moves); }
TEST_P(reduce_failure, every_addition) { fail_everywhere(additions); }
TEST_P(reduce_failure, every_neutral_element) { fail_everywhere(neutral_elements); }
TEST_P(reduce_failure, every_move_of_a_result) { fail_everywhere(result_moves); }

// With max_queued = 1 nearly every task is refused and runs inside the task that enqueues it; so the failing tasks
// are refused ones.
TEST_P(reduce_failure, tasks_that_run_inside_the_one_that_enqueues_them) {
    for (long n = 1; n < 60; n += n / 4 + 1) {
        teff::options call = with_threads(1 + n % 3);
        call.max_queued = 1;
        fails_at(body_calls, n, call, 600);
        fails_at(task::moves, n, call, 600);
    }
}

TEST_P(reduce_failure, moving_the_first_tasks) {
    // More than the ring of `ompi` holds, so that some pushes are refused.
    constexpr std::uint32_t count = 50;
    for (const long threads : {1L, 5L})
        for (long n = 1; n < 100'000; n += n / 8 + 1) {
            std::vector<task> first;
            first.reserve(count);
            for (std::uint32_t number = 0; number < count; ++number)
                first.emplace_back(number);
            int caught = 0;
            task::moves.set(n);
            try {
                static_cast<void>(
                    teff::reduce_tasks(with_threads(threads), fragile_tree{0}, teff::from_range, std::move(first)));
            } catch (const failure&) {
                ++caught;
            }
            first.clear();
            const bool reached = task::moves.reached();
            EXPECT_EQ(caught, reached ? 1 : 0) << "move " << n;
            task::expect_none_alive();
            EXPECT_TRUE(works(with_threads(threads)));
            if (!reached)
                break;
        }
}

// Every task waits until a task has thrown on the chosen kind of thread (the caller or a worker). While tasks wait,
// they enqueue further ones.
TEST_P(reduce_failure_sharing, on_the_callers_thread_and_on_a_workers) {
    for (const long threads : {1L, 2L, 5L, 16L})
        for (const bool on_worker : {false, true}) {
            if (threads == 1 && on_worker)
                continue;
            SCOPED_TRACE(std::to_string(threads) + " threads, on a " + (on_worker ? "worker" : "caller"));
            std::atomic<bool> thrown{false};
            const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
                while (!thrown.load()) {
                    if ((teff::this_thread().worker != 0) == on_worker) {
                        thrown.store(true);
                        throw failure("the wanted thread");
                    }
                    enq(number + 1);
                    ::sched_yield();
                }
                return 1;
            };
            EXPECT_THROW(reduce(with_threads(threads), body), failure);
            task::expect_none_alive();
            EXPECT_TRUE(works(with_threads(threads)));
        }
}

TEST_P(reduce_failure, at_any_depth_and_of_any_type) {
    struct not_an_error {
        std::uint32_t number;
    };
    for (const std::uint32_t at : {0U, 1U, 77U, 999U, 1999U}) {
        const task_body tree = tree_of(2000);
        const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
            if (number == at)
                throw not_an_error{number};
            return tree(enq, number);
        };
        try {
            reduce(with_threads(3), body);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const not_an_error& caught) {
            EXPECT_EQ(caught.number, at);
        }
    }
}

TEST_P(reduce_failure, one_of_many_reaches_the_caller) {
    for (const long threads : {1L, 2L, 5L, 16L}) {
        std::atomic<int> thrown{0};
        const task_body tree = tree_of(1000);
        const task_body body = [&](const enqueue& enq, std::uint32_t number) -> long {
            tree(enq, number);
            if (number > 10) {
                ++thrown;
                throw failure("one of many");
            }
            return 1;
        };
        int caught = 0;
        try {
            reduce(with_threads(threads), body);
        } catch (const failure&) {
            ++caught;
        }
        EXPECT_EQ(caught, 1);
        EXPECT_GE(thrown.load(), 1);
        // Only the tasks that were running at the time may throw, not the hundreds that were queued.
        EXPECT_LE(thrown.load(), 200);
    }
}

}  // namespace
