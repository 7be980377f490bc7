// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that uses the interface exactly as Blaze-Tasks, Fig. 7, does: adaptive quadrature by a function object.
// Its call operator is a member template, which is defined outside its class and takes a pool and a task. The task is
// an aggregate; one half of an interval is enqueued, and the other half is the continuation.
//
// Also the second form, with the memory manager as a template argument, and calls with a narrowed choice.
#include <teff/reduce.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <string>

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
    EXPECT_NEAR(execute_tasks<gc_reclaimer>(2, body, all), 2, 1e-6);
#endif
}

TEST(paper_interface, takes_no_impossible_number_of_threads) {
    integral body(sine, eps);
    const interval all{0, std::numbers::pi, 0};
    EXPECT_THROW(execute_tasks(0, body, all), std::invalid_argument);
    EXPECT_THROW(execute_tasks(static_cast<std::size_t>(-1), body, all), std::invalid_argument);
}

TEST(paper_interface, a_call_may_name_fewer_schedulers) {
    integral body(sine, eps);
    const interval all{0, std::numbers::pi, 0};
    using only_blaze = scheduler_list<blaze>;
    const options good{.threads = 2, .scheduler = "blaze", .reclaimer = "arena"};
    EXPECT_NEAR((reduce_tasks<only_blaze>(good, body, all)), 2, 1e-6);
    try {
        reduce_tasks<only_blaze>({.threads = 2, .scheduler = "demand"}, body, all);
        ADD_FAILURE() << "a scheduler that is not compiled in was found";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("demand"), std::string::npos) << error.what();
    }
}

}  // namespace
