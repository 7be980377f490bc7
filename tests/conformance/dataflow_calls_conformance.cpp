// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow as a user writes it: each promise of dataflow.hpp. (Random programs: dataflow_conformance.cpp.)
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/reducer.hpp>
#include <teff/task_group.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

// Calls f with one thread, where every task runs at once, and with three.
template <class F>
void with_one_thread_and_three(F&& f) {
    for (const long threads : {1L, 3L})
        teff::execute({.threads = threads}, f);
}

TEST(dataflow, tasks_see_what_earlier_ones_wrote) {
    with_one_thread_and_three([] {
        teff::object<int> a(1), b(2), sum;
        teff::spawn([](const int& x, const int& y, int& to) { to = x + y; }, teff::in(a), teff::in(b), teff::out(sum));
        teff::spawn([](int& x, int factor) { x *= factor; }, teff::inout(sum), 10);
        teff::sync();
        EXPECT_EQ(sum.value(), 30);
    });
}

TEST(dataflow, a_long_chain_runs_in_order) {
    with_one_thread_and_three([] {
        teff::object<long> last(-1);
        long wrong = 0;
        for (long i = 0; i != 100'000; ++i)
            teff::spawn([i, &wrong](long& x) {
                wrong += x != i - 1;
                x = i;
            }, teff::inout(last));
        teff::sync();
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(last.value(), 99'999);
    });
}

TEST(dataflow, plain_arguments_become_the_tasks) {
    with_one_thread_and_three([] {
        teff::object<std::string> text;
        for (int i = 0; i != 100; ++i) {
            auto word = std::make_unique<std::string>("x");
            teff::spawn([](std::string& to, std::unique_ptr<std::string> from) { to += *from; }, teff::inout(text),
                        std::move(word));
        }
        teff::sync();
        EXPECT_EQ(text.value(), std::string(100, 'x'));
    });
}

TEST(dataflow, value_waits_for_the_tasks) {
    with_one_thread_and_three([] {
        teff::object<int> count(0);
        for (int i = 0; i != 1000; ++i)
            teff::spawn([](int& x) { ++x; }, teff::inout(count));
        EXPECT_EQ(count.value(), 1000);
        teff::sync();
    });
}

TEST(dataflow, an_object_waits_for_its_tasks_at_its_end) {
    with_one_thread_and_three([] {
        std::atomic<int> called{0};
        for (int i = 0; i != 100; ++i) {
            teff::object<int> one(0);
            for (int k = 0; k != 10; ++k)
                teff::spawn([&](int&) { ++called; }, teff::inout(one));
        }
        EXPECT_EQ(called, 1000);
        teff::sync();
    });
}

TEST(dataflow, reductions_are_exact) {
    struct larger {
        static long identity() { return -1; }
        long operator()(long a, long b) const { return a < b ? b : a; }
    };
    with_one_thread_and_three([] {
        teff::object<long> sum(5), most(-1), seen;
        for (int round = 0; round != 20; ++round) {
            for (long i = 0; i != 200; ++i) {
                teff::spawn([i](long& x) { x += i; }, teff::reduction(sum));
                teff::spawn([i](long& x) { x = x < i ? i : x; }, teff::reduction<larger>(most));
            }
            teff::spawn([](const long& from, long& to) { to = from; }, teff::in(sum), teff::out(seen));
        }
        teff::sync();
        EXPECT_EQ(sum.value(), 5 + 20 * 199 * 100);
        EXPECT_EQ(seen.value(), sum.value());
        EXPECT_EQ(most.value(), 199);
    });
}

TEST(dataflow, large_values_are_reduced) {
    struct add {
        static std::vector<long> identity() { return {}; }
        void operator()(std::vector<long>& into, const std::vector<long>& from) const {
            into.resize(std::max(into.size(), from.size()));
            for (std::size_t i = 0; i != from.size(); ++i)
                into[i] += from[i];
        }
    };
    with_one_thread_and_three([&] {
        teff::object<std::vector<long>> counts;
        for (std::size_t i = 0; i != 1000; ++i) {
            teff::spawn([i](std::vector<long>& x) {
                x.resize(10);
                ++x[i % 10];
            }, teff::reduction<add>(counts));
        }
        EXPECT_EQ(counts.value(), std::vector<long>(10, 100));
    });
}

TEST(dataflow, commutative_tasks_exclude_each_other_in_any_order_of_arguments) {
    with_one_thread_and_three([] {
        teff::object<int> a(0), b(0), c(0);
        std::atomic<int> inside[3]{};
        std::atomic<int> wrong{0};
        const auto use = [&](int first, int second) {
            return [&, first, second](int& x, int& y) {
                wrong += inside[first].fetch_add(1) + inside[second].fetch_add(1);
                ++x;
                ++y;
                inside[first].fetch_sub(1);
                inside[second].fetch_sub(1);
            };
        };
        for (int i = 0; i != 2000; ++i) {
            teff::spawn(use(0, 1), teff::commutative(a), teff::commutative(b));
            teff::spawn(use(1, 2), teff::commutative(b), teff::commutative(c));
            teff::spawn(use(2, 0), teff::commutative(c), teff::commutative(a));
        }
        teff::sync();
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(a.value() + b.value() + c.value(), 12'000);
    });
}

// How many values are alive.
struct counted {
    static inline std::atomic<int> alive{0};
    counted() { ++alive; }
    counted(const counted& other) : number(other.number) { ++alive; }
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }
    int number = 0;
};

TEST(dataflow, renamed_values_are_destroyed) {
    with_one_thread_and_three([] {
        {
            teff::object<counted> value;
            std::atomic<int> wrong{0};
            for (int i = 0; i != 5000; ++i) {
                teff::spawn([i](counted& x) { x.number = i; }, teff::out(value));
                for (int k = 0; k != 3; ++k)
                    teff::spawn([i, &wrong](const counted& x) { wrong += x.number != i; }, teff::in(value));
            }
            teff::sync();
            EXPECT_EQ(wrong, 0);
            EXPECT_EQ(value.value().number, 4999);
        }
        EXPECT_EQ(counted::alive, 0);
    });
}

TEST(dataflow, a_value_that_must_not_move_stays) {
    with_one_thread_and_three([] {
        teff::object<int> fixed(teff::no_renaming, 0);
        const int* const place = &fixed.value();
        std::atomic<int> wrong{0};
        for (int i = 0; i != 1000; ++i) {
            teff::spawn([&, i](int& x) {
                wrong += &x != place;
                x = i;
            }, teff::out(fixed));
            teff::spawn([&, i](const int& x) { wrong += x != i; }, teff::in(fixed));
        }
        teff::sync();
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(&fixed.value(), place);
    });
}

TEST(dataflow, tasks_are_ordered_by_addresses) {
    with_one_thread_and_three([] {
        std::vector<long> values(10, 0);
        long total = 0;
        for (long i = 0; i != 1000; ++i) {
            teff::spawn([i](long* x) { *x += i; }, teff::inout(&values[static_cast<std::size_t>(i % 10)]));
            if (i % 100 == 99)
                teff::spawn([](const long* first, const long* second, long* to) { *to += *first + *second; },
                            teff::in(&values[0]), teff::in(&values[9]), teff::commutative(&total));
        }
        teff::sync();
        long expected = 0, first = 0, last = 0;
        for (long i = 0; i != 1000; ++i) {
            first += i % 10 == 0 ? i : 0;
            last += i % 10 == 9 ? i : 0;
            expected += i % 100 == 99 ? first + last : 0;
        }
        EXPECT_EQ(total, expected);
    });
}

TEST(dataflow, a_task_spawns_tasks_with_what_it_was_given) {
    with_one_thread_and_three([] {
        teff::object<int> a(0), b(0);
        for (int i = 0; i != 200; ++i) {
            teff::spawn([&](int& x, const int&) {
                ++x;
                for (int k = 0; k != 5; ++k)
                    teff::spawn([](int& inner, const int& other) { inner += 1 + other; }, teff::inout(a), teff::in(b));
                teff::spawn([](int& inner) { inner *= 1; }, teff::inout(a));
                teff::sync();
                ++x;
                // The end of the task waits for this one.
                teff::spawn([](int& inner) { ++inner; }, teff::inout(a));
            }, teff::inout(a), teff::in(b));
        }
        teff::sync();
        EXPECT_EQ(a.value(), 200 * 8);
    });
}

TEST(dataflow, an_overwriting_child_leaves_its_value_to_the_parent) {
    with_one_thread_and_three([] {
        teff::object<int> a(0);
        for (int i = 0; i != 500; ++i) {
            teff::spawn([&a, i](int& x) {
                teff::spawn([](int& inner) { inner = -1; }, teff::out(a));
                teff::spawn([](const int&) {}, teff::in(a));
                teff::spawn([i](int& inner) { inner = i; }, teff::out(a));
                teff::sync();
                EXPECT_EQ(x, i);
            }, teff::out(a));
        }
        EXPECT_EQ(a.value(), 499);
        teff::sync();
    });
}

template <class Exception, class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (const Exception& error) {
        return error.what();
    }
    return {};
}

TEST(dataflow, two_accesses_to_one_object_are_refused) {
    teff::object<int> a(0);
    const std::string message = message_of<std::invalid_argument>(
        [&] { teff::spawn([](int&, const int&) {}, teff::inout(a), teff::in(a)); });
    EXPECT_NE(message.find("the same object"), std::string::npos);
    int x = 0;
    EXPECT_THROW(teff::spawn([](int*, int*) {}, teff::out(&x), teff::inout(&x)), std::invalid_argument);
    teff::spawn([](int& value) { ++value; }, teff::inout(a));
    teff::sync();
    EXPECT_EQ(a.value(), 1);
}

TEST(dataflow, a_child_gets_no_more_access_than_its_parent) {
    with_one_thread_and_three([] {
        teff::object<int> a(0), b(0);
        teff::spawn([&](const int&) { teff::spawn([](int&) {}, teff::inout(a)); }, teff::in(a));
        EXPECT_NE(message_of<std::logic_error>([] { teff::sync(); }).find("as `in`"), std::string::npos);
        teff::spawn([&](int&) { teff::spawn([](const int&) {}, teff::in(a)); }, teff::reduction(a));
        EXPECT_NE(message_of<std::logic_error>([] { teff::sync(); }).find("as `reduction`"), std::string::npos);
        teff::spawn([&](const int&) { teff::spawn([](const int&) {}, teff::in(b)); }, teff::in(a));
        EXPECT_NE(message_of<std::logic_error>([] { teff::sync(); }).find("not given"), std::string::npos);
        // An object of its own may be used in any way.
        teff::spawn([&](const int&) {
            teff::object<int> own(0);
            teff::spawn([](int& x) { ++x; }, teff::inout(own));
        }, teff::in(a));
        teff::sync();
    });
}

TEST(dataflow, tasks_that_depend_on_a_failed_one_are_not_called) {
    with_one_thread_and_three([] {
        for (int failing = 0; failing != 10; ++failing) {
            teff::object<int> a(0), b(0), result(0);
            std::atomic<int> called{0}, others{0};
            for (int i = 0; i != 10; ++i) {
                teff::spawn([&, i](int&) {
                    if (i == failing)
                        throw std::runtime_error("task " + std::to_string(i));
                    ++called;
                }, teff::inout(a));
                teff::spawn([&](int&) { ++others; }, teff::inout(b));
            }
            teff::spawn([](const int&, int& to) { to = 1; }, teff::in(a), teff::out(result));
            EXPECT_EQ(message_of<std::runtime_error>([] { teff::sync(); }), "task " + std::to_string(failing));
            teff::sync();
            EXPECT_EQ(called, failing);
            EXPECT_EQ(others, 10);
            // After sync() everything can be used again.
            teff::spawn([](int& x) { x = 7; }, teff::inout(a));
            teff::sync();
            EXPECT_EQ(a.value(), 7);
        }
    });
}

TEST(dataflow, an_overwritten_value_does_not_depend_on_a_failed_task) {
    with_one_thread_and_three([] {
        for (const bool may_rename : {true, false}) {
            std::unique_ptr<teff::object<int>> a(may_rename ? new teff::object<int>(0)
                                                            : new teff::object<int>(teff::no_renaming, 0));
            teff::spawn([](int&) { throw std::runtime_error("a task"); }, teff::inout(*a));
            teff::spawn([](int& x) { x = 1; }, teff::out(*a));
            teff::spawn([](int& x) { ++x; }, teff::inout(*a));
            EXPECT_THROW(teff::sync(), std::runtime_error);
            EXPECT_EQ(a->value(), 2);
        }
    });
}

TEST(dataflow, a_stop_request_drops_tasks) {
    for (const long threads : {1L, 3L}) {
        std::stop_source source;
        std::atomic<int> called{0};
        EXPECT_THROW(teff::execute({.threads = threads, .stop = source.get_token()}, [&] {
            teff::object<int> a(0);
            for (int i = 0; i != 1000; ++i) {
                teff::spawn([&](int&) {
                    if (++called == 10)
                        source.request_stop();
                }, teff::inout(a));
            }
            teff::sync();
        }), teff::stopped);
        EXPECT_GE(called, 10);
        EXPECT_LT(called, 1000);
    }
}

TEST(dataflow, forked_functions_and_group_tasks_have_graphs_of_their_own) {
    with_one_thread_and_three([] {
        std::atomic<long> sum{0};
        const auto work = [&] {
            teff::object<long> own(0);
            for (int i = 0; i != 10; ++i)
                teff::spawn([](long& x) { ++x; }, teff::inout(own));
            teff::sync();
            sum += own.value();
        };
        teff::object<int> outer(0);
        for (int i = 0; i != 50; ++i) {
            teff::spawn([&](int&) { teff::fork_join(work, work); }, teff::inout(outer));
            teff::task_group group;
            group.run(work);
            group.run(work);
            group.wait();
        }
        teff::sync();
        EXPECT_EQ(sum, 50 * 4 * 10);
    });
}

TEST(dataflow, a_task_of_a_group_that_forgets_sync_is_waited_for) {
    with_one_thread_and_three([] {
        std::atomic<int> called{0};
        teff::task_group group;
        for (int i = 0; i != 100; ++i)
            group.run([&] { teff::spawn([&](int) { ++called; }, 0); });
        group.wait();
        teff::sync();
        EXPECT_EQ(called, 100);
    });
}

TEST(dataflow, a_thread_may_end_without_sync) {
    std::atomic<int> called{0};
    for (int i = 0; i != 20; ++i) {
        std::thread([&] {
            for (int k = 0; k != 50; ++k)
                teff::spawn([&](int) { ++called; }, 0);
        }).join();
    }
    EXPECT_EQ(called, 1000);
}

TEST(dataflow, execute_ends_after_its_tasks) {
    std::atomic<int> called{0};
    for (int i = 0; i != 50; ++i) {
        teff::execute({.threads = 3}, [&] {
            for (int k = 0; k != 20; ++k)
                teff::spawn([&](int) { ++called; }, 0);
        });
        ASSERT_EQ(called, 20 * (i + 1));
    }
}

TEST(dataflow, a_task_that_throws_waits_for_its_own_tasks) {
    with_one_thread_and_three([] {
        for (int round = 0; round != 50; ++round) {
            teff::object<int> a(0);
            std::atomic<int> called{0};
            teff::spawn([&](int&) {
                for (int i = 0; i != 40; ++i)
                    teff::spawn([&](int& x) { x = ++called; }, teff::inout(a));
                throw std::runtime_error("a task");
            }, teff::inout(a));
            EXPECT_THROW(teff::sync(), std::runtime_error);
            EXPECT_EQ(called, 40);
            EXPECT_EQ(a.value(), 40);
        }
    });
}

TEST(dataflow, a_task_may_be_refused_after_others) {
    with_one_thread_and_three([] {
        for (int round = 0; round != 50; ++round) {
            teff::object<int> a(0), b(0);
            std::atomic<int> called{0};
            teff::spawn([&](int&) {
                for (int i = 0; i != 20; ++i)
                    teff::spawn([&](int&) { ++called; }, teff::inout(a));
                teff::spawn([](int&) {}, teff::inout(b));
            }, teff::inout(a));
            EXPECT_THROW(teff::sync(), std::logic_error);
            EXPECT_EQ(called, 20);
        }
    });
}

TEST(dataflow, a_renamed_object_waits_for_readers_of_older_values) {
    with_one_thread_and_three([] {
        std::atomic<int> wrong{0};
        for (int round = 0; round != 200; ++round) {
            {
                teff::object<std::vector<int>> a(std::size_t{100}, round);
                for (int i = 0; i != 3; ++i) {
                    teff::spawn([round, &wrong](const std::vector<int>& x) {
                        for (int pass = 0; pass != 20; ++pass)
                            for (const int each : x)
                                wrong += each != round;
                    }, teff::in(a));
                    teff::spawn([round](std::vector<int>& x) { x.assign(100, round); }, teff::out(a));
                }
            }
            teff::sync();
        }
        EXPECT_EQ(wrong, 0);
    });
}

TEST(dataflow, an_object_is_reduced_in_teams_of_different_sizes) {
    teff::object<long> sum(0);
    for (const long threads : {2L, 8L, 1L, 4L}) {
        teff::execute({.threads = threads}, [&] {
            for (int i = 0; i != 1000; ++i)
                teff::spawn([](long& x) { ++x; }, teff::reduction(sum));
            teff::sync();
        });
    }
    EXPECT_EQ(sum.value(), 4000);
}

TEST(dataflow, a_failure_ends_with_its_function) {
    teff::object<int> a(0);
    for (int round = 0; round != 5; ++round) {
        teff::execute({.threads = 2}, [&] {
            teff::spawn([](int&) { throw std::runtime_error("a task"); }, teff::inout(a));
            EXPECT_THROW(teff::sync(), std::runtime_error);
        });
        teff::execute({.threads = 2}, [&] {
            teff::spawn([round](int& x) { x = round; }, teff::inout(a));
            teff::sync();
        });
        ASSERT_EQ(a.value(), round);
    }
}

TEST(dataflow, a_reader_of_a_failed_reduction_is_not_called) {
    with_one_thread_and_three([] {
        for (int round = 0; round != 50; ++round) {
            teff::object<std::vector<int>> sum;
            struct append {
                static std::vector<int> identity() { return {}; }
                void operator()(std::vector<int>& to, const std::vector<int>& from) const {
                    to.insert(to.end(), from.begin(), from.end());
                }
            };
            bool was_called = false;
            for (int i = 0; i != 10; ++i)
                teff::spawn([i](std::vector<int>& x) {
                    x.push_back(i);
                    if (i == 5)
                        throw std::runtime_error("a task");
                }, teff::reduction<append>(sum));
            teff::spawn([&](const std::vector<int>&) { was_called = true; }, teff::in(sum));
            EXPECT_THROW(teff::sync(), std::runtime_error);
            EXPECT_FALSE(was_called);
        }
    });
}

TEST(dataflow, each_task_has_a_copy_of_its_function) {
    with_one_thread_and_three([] {
        teff::object<int> a(0);
        auto counting = [n = 0](int& x) mutable { x += ++n; };
        for (int i = 0; i != 100; ++i)
            teff::spawn(counting, teff::inout(a));
        teff::sync();
        EXPECT_EQ(a.value(), 100);
    });
}

TEST(dataflow, ordered_reducers_get_what_tasks_add) {
    with_one_thread_and_three([] {
        teff::ordered_reducer<long> sum;
        teff::task_group group;
        for (int i = 0; i != 50; ++i) {
            // Without sync().
            group.run([&] {
                for (int k = 0; k != 10; ++k)
                    teff::spawn([&](int) { *sum += 1; }, 0);
            });
        }
        group.wait();
        teff::sync();
        EXPECT_EQ(sum.get(), 500);
    });
}

TEST(dataflow, an_object_in_use_is_refused_in_another_function) {
    teff::execute({.threads = 2}, [] {
        teff::object<int> a(0);
        std::atomic<bool> may_end{false};
        // Deferred, if the other thread takes it.
        for (int i = 0; i != 1000; ++i) {
            const auto here = std::this_thread::get_id();
            std::atomic<bool> was_taken{false};
            teff::spawn([&](int&) {
                if (std::this_thread::get_id() == here)
                    return;
                was_taken = true;
                while (!may_end)
                    std::this_thread::yield();
            }, teff::inout(a));
            for (int wait = 0; wait != 1000 && !was_taken; ++wait)
                std::this_thread::yield();
            if (!was_taken) {
                // The other thread may still take it.
                may_end = true;
                teff::sync();
                may_end = false;
                continue;
            }
            EXPECT_THROW(teff::execute({.threads = 1}, [&] { teff::spawn([](int&) {}, teff::inout(a)); }),
                         std::logic_error);
            EXPECT_THROW(teff::execute({.threads = 1}, [&] { a.value(); }), std::logic_error);
            may_end = true;
            teff::sync();
            return;
        }
        GTEST_SKIP() << "no other thread has taken a task";
    });
}

}  // namespace
