// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that uses the interface exactly as Blaze-Tasks, Fig. 7, does: adaptive quadrature by a function object.
// Its call operator is a member template, which is defined outside its class and takes a pool and a task. The task is
// an aggregate; one half of an interval is enqueued, and the other half is the continuation.
//
// Also the second form, with the memory manager as a template argument, and calls with a narrowed choice.
#include <teff/reduce.hpp>
#include <tests/usable_reclaimers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <new>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace teff;

struct interval {
    double low, step, area;
};

using function = double (*)(double);

double trapezoid(function f, double low, double width) { return width / 2 * (f(low) + f(low + width)); }

struct integral {
    function fun;
    double eps;

    integral(function f, double tolerance) : fun(f), eps(tolerance) {}

    template <class P>
    double operator()(P& pool, interval task);
};

template <class P>
double integral::operator()(P& pool, interval task) {
    double area, difference, tolerance;
    do {
        const double half = task.step / 2;
        const double left = trapezoid(fun, task.low, half);
        const double right = trapezoid(fun, task.low + half, half);
        area = left + right;
        tolerance = 3 * task.step * eps;
        difference = std::abs(task.area - area);
        if (difference >= tolerance) {
            pool.enq(interval{task.low, half, left});
            task = interval{task.low + half, half, right};
        }
    } while (difference >= tolerance);
    return area;
}

double sine(double x) { return std::sin(x); }

constexpr double eps = 1e-9;

TEST(paper_interface, the_first_form) {
    integral body(sine, eps);
    const double estimate = trapezoid(sine, 0, std::numbers::pi);
    for (const std::size_t threads : {1U, 4U, 20U})
        EXPECT_NEAR(execute_tasks(threads, body, interval{0, std::numbers::pi, estimate}), 2, 1e-6);
}

TEST(paper_interface, the_second_form) {
    integral body(sine, eps);
    const interval all{0, std::numbers::pi, 0};
    EXPECT_NEAR(execute_tasks<epoch_reclaimer>(2, body, all), 2, 1e-6);
    EXPECT_NEAR(execute_tasks<arena_reclaimer>(2, body, all), 2, 1e-6);
    EXPECT_NEAR(execute_tasks<hazard_reclaimer>(2, body, all), 2, 1e-6);
#if defined(TEFF_WITH_GC)
    if (teff::testing::can_be_used("gc")) {
        EXPECT_NEAR(execute_tasks<gc_reclaimer>(2, body, all), 2, 1e-6);
    }
#endif
}

// Keeps retired blocks in a list until flush(), as a user may write it, and counts how it is called.
class own_reclaimer {
public:
    static inline std::atomic<long> made, allocated, freed, entered, left, retired, disposed;
    static void reset() {
        for (std::atomic<long>* each : {&made, &allocated, &freed, &entered, &left, &retired, &disposed})
            *each = 0;
    }

    explicit own_reclaimer(std::size_t participants) : lists_(participants) { ++made; }

    bool valid() const noexcept { return lists_.size() != 0; }
    void* allocate(std::size_t, std::size_t bytes, std::size_t alignment) noexcept {
        ++allocated;
        return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
    }
    void deallocate(std::size_t, void* memory, std::size_t, std::size_t alignment) noexcept {
        ++freed;
        ::operator delete(memory, std::align_val_t(alignment));
    }
    void anchor(std::size_t, void*) noexcept {}
    void hold(std::size_t, void*) noexcept {}
    void observe() noexcept {}
    void enter(std::size_t) noexcept { ++entered; }
    void leave(std::size_t) noexcept { ++left; }
    template <class Block>
    Block* protect(std::size_t, const atomic<Block*>& source) noexcept {
        // acquire: sees the block initialised; partner: the release store that published it in `source`.
        return source.load(std::memory_order_acquire);
    }
    void retire(std::size_t participant, reclaimable& block) noexcept {
        ++retired;
        block.next_retired = std::exchange(lists_[participant], &block);
    }
    void flush(std::size_t participant) noexcept {
        reclaimable* each = std::exchange(lists_[participant], nullptr);
        while (each != nullptr) {
            reclaimable* const block = std::exchange(each, each->next_retired);
            ++disposed;
            block->dispose(block);
        }
    }
    std::size_t pending(std::size_t participant) const noexcept { return lists_[participant] != nullptr; }

private:
    std::vector<reclaimable*> lists_;
};

static_assert(team_reclaimer<own_reclaimer> && !named_reclaimer<own_reclaimer>);
static_assert(!team_reclaimer<integral>);

// The body enqueues as many tasks as fill several blocks.
struct burst {
    template <class Pool>
    long operator()(Pool& pool, int number) const {
        for (int next = 1; number == 0 && next <= 1000; ++next)
            pool.enq(next);
        return number;
    }
};

TEST(paper_interface, the_second_form_with_a_reclaimer_of_the_users_own) {
    for (const std::size_t threads : {1U, 5U}) {
        own_reclaimer::reset();
        EXPECT_EQ(execute_tasks<own_reclaimer>(threads, burst{}, 0), 500'500);
        EXPECT_EQ(own_reclaimer::made, 1);
        EXPECT_GE(own_reclaimer::allocated, 1000 / 128);
        EXPECT_EQ(own_reclaimer::freed, own_reclaimer::allocated);
        EXPECT_GE(own_reclaimer::retired, 1000 / 128);
        EXPECT_EQ(own_reclaimer::disposed, own_reclaimer::retired);
        EXPECT_EQ(own_reclaimer::left, own_reclaimer::entered);
    }
    const options call{.threads = 2, .scheduler = "blaze"};
    EXPECT_EQ((reduce_tasks<scheduler_list<blaze_with<own_reclaimer>, demand>>(call, burst{}, 0)), 500'500);
    EXPECT_EQ(own_reclaimer::made, 2);
}

// It derives from one of the library's, and is another one all the same.
struct derived_reclaimer : epoch_reclaimer {
    derived_reclaimer(std::size_t participants, std::size_t threshold) : epoch_reclaimer(participants, threshold) {
        threshold_seen = threshold;
    }
    static inline std::size_t threshold_seen = 0;
};

TEST(paper_interface, the_second_form_with_a_reclaimer_that_derives_from_one) {
    static_assert(named_reclaimer<epoch_reclaimer> && !named_reclaimer<derived_reclaimer>);
    EXPECT_EQ(execute_tasks<derived_reclaimer>(2, burst{}, 0), 500'500);
    EXPECT_EQ(derived_reclaimer::threshold_seen, 16U);
}

// It never has memory.
struct invalid_reclaimer : arena_reclaimer {
    using arena_reclaimer::arena_reclaimer;
    static constexpr bool valid() noexcept { return false; }
};

TEST(paper_interface, a_reclaimer_without_memory_ends_the_call) {
    EXPECT_THROW(static_cast<void>(execute_tasks<invalid_reclaimer>(2, burst{}, 0)), std::bad_alloc);
}

TEST(paper_interface, takes_no_impossible_number_of_threads) {
    integral body(sine, eps);
    const interval all{0, std::numbers::pi, 0};
    EXPECT_THROW(static_cast<void>(execute_tasks(0, body, all)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(execute_tasks(static_cast<std::size_t>(-1), body, all)), std::invalid_argument);
}

TEST(paper_interface, a_call_may_name_fewer_schedulers) {
    integral body(sine, eps);
    const interval all{0, std::numbers::pi, 0};
    using only_blaze = scheduler_list<blaze>;
    const options good{.threads = 2, .scheduler = "blaze", .reclaimer = "arena"};
    EXPECT_NEAR((reduce_tasks<only_blaze>(good, body, all)), 2, 1e-6);
    try {
        static_cast<void>(reduce_tasks<only_blaze>({.threads = 2, .scheduler = "demand"}, body, all));
        ADD_FAILURE() << "a scheduler that is not compiled in was found";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("demand"), std::string::npos) << error.what();
    }
}

}  // namespace
