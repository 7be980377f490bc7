// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chapel's constructs on every scheduler: what they start is called once and has ended when they return, also what was
// begun by fibers, and exceptions cross them.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

class constructs_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, constructs_on, testing::ValuesIn(all_rows()), row_names());

// The message of the runtime_error that `call` throws.
template <class F>
std::string message_of(F&& call) {
    try {
        call();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST_P(constructs_on, cobegin_calls_all_and_throws_the_first_exception) {
    for_some_thread_counts([] {
        // The first two need each other.
        teff::sync_var<int> there;
        teff::sync_var<int> back;
        int read = 0;
        std::string caught;
        try {
            teff::cobegin([&] { there.write_ef(1); read = back.read_fe(); },
                          [&] { back.write_ef(there.read_fe() + 1); },
                          [] { throw std::runtime_error("third"); },
                          [] { throw std::runtime_error("fourth"); });
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
        EXPECT_EQ(read, 2);
        EXPECT_EQ(caught, "third");
    });
}

TEST_P(constructs_on, coforall_has_a_fiber_for_each_index) {
    for_some_thread_counts([] {
        constexpr std::size_t count = 100;
        teff::fiber_barrier barrier(count);
        std::vector<int> called(count);
        teff::coforall(std::size_t{0}, count, [&](std::size_t i) {
            ++called[i];
            barrier.arrive_and_wait();
        });
        EXPECT_EQ(called, std::vector<int>(count, 1));
        int caught = -1;
        try {
            teff::coforall(0, 10, [](int i) {
                if (i % 4 == 3)
                    throw i;
            });
        } catch (const int first) {
            caught = first;
        }
        EXPECT_EQ(caught, 3);
    });
}

// Begins both halves, so that all but a few fibers are begun by others.
void begin_all(std::vector<int>& called, std::size_t first, std::size_t last) {
    if (last - first == 1) {
        teff::this_fiber::yield();
        ++called[first];
        return;
    }
    const std::size_t middle = first + (last - first) / 2;
    teff::begin([&called, first, middle] { begin_all(called, first, middle); });
    teff::begin([&called, middle, last] { begin_all(called, middle, last); });
}

TEST_P(constructs_on, a_sync_block_waits_for_what_fibers_begin) {
    for_some_thread_counts([] {
        for (const std::size_t count : {1U, 7U, 300U}) {
            std::vector<int> called(count);
            teff::sync([&] { begin_all(called, 0, count); });
            EXPECT_EQ(called, std::vector<int>(count, 1));
        }
    });
}

TEST_P(constructs_on, a_sync_block_waits_for_what_is_begun_inside_of_other_constructs) {
    for_some_thread_counts([] {
        std::vector<int> called(60);
        const auto begin_one = [&called](std::size_t i) {
            teff::begin([&called, i] {
                teff::this_fiber::yield();
                ++called[i];
            });
        };
        teff::sync([&] {
            teff::coforall(std::size_t{0}, std::size_t{20}, begin_one);
            teff::cobegin([&] { begin_one(20); }, [&] { teff::serial(false, [&] { begin_one(21); }); });
            teff::fork_join([&] { begin_one(22); }, [&] { begin_one(23); });
            teff::task_group group;
            for (std::size_t i = 24; i < 60; ++i)
                group.run([&begin_one, i] { begin_one(i); });
            group.wait();
        });
        EXPECT_EQ(called, std::vector<int>(60, 1));
    });
}

// The outer block's fiber is still waiting when the inner block ends.
TEST_P(constructs_on, a_sync_block_waits_for_its_own_only) {
    for_some_thread_counts([] {
        teff::sync_var<int> go;
        int got = 0;
        bool inner_has_ended = false;
        teff::sync([&] {
            teff::begin([&] { got = go.read_ff(); });
            teff::sync([&] { teff::begin([] { teff::this_fiber::yield(); }); });
            inner_has_ended = true;
            go.write_ef(5);
        });
        EXPECT_TRUE(inner_has_ended);
        EXPECT_EQ(got, 5);
    });
}

TEST_P(constructs_on, begun_fibers_wait_for_each_other) {
    for_some_thread_counts([] {
        constexpr std::size_t count = 100;
        teff::fiber_barrier barrier(count);
        std::size_t passed = 0;
        teff::fiber_mutex mutex;
        teff::sync([&] {
            for (std::size_t i = 0; i < count; ++i)
                teff::begin([&] {
                    barrier.arrive_and_wait();
                    const std::lock_guard lock(mutex);
                    ++passed;
                });
        });
        EXPECT_EQ(passed, count);
    });
}

TEST_P(constructs_on, exceptions_of_begun_fibers_cross_the_block) {
    for_some_thread_counts([] {
        std::atomic<int> ended{0};
        EXPECT_EQ(message_of([&] {
            teff::sync([&] {
                for (int i = 0; i < 20; ++i)
                    teff::begin([&ended, i] {
                        teff::begin([&ended, i] {
                            teff::this_fiber::yield();
                            ended.fetch_add(1);
                            if (i % 5 == 2)
                                throw std::runtime_error("begun");
                        });
                    });
            });
        }), "begun");
        EXPECT_EQ(ended.load(), 20);
        // The inner block's, which the outer block's fiber does not catch.
        EXPECT_EQ(message_of([] {
            teff::sync([] {
                teff::begin([] { teff::sync([] { teff::begin([] { throw std::runtime_error("inner"); }); }); });
            });
        }), "inner");
    });
}

TEST_P(constructs_on, an_exception_of_the_body_comes_after_the_wait) {
    for_some_thread_counts([] {
        teff::sync_var<int> go;
        std::atomic<bool> ended{false};
        EXPECT_EQ(message_of([&] {
            teff::sync([&] {
                teff::begin([&] {
                    go.read_ff();
                    ended.store(true);
                });
                go.write_ef(1);
                throw std::runtime_error("body");
            });
        }), "body");
        EXPECT_TRUE(ended.load());
    });
}

TEST_P(constructs_on, a_begun_function_is_destroyed_by_the_end_of_the_block) {
    for_some_thread_counts([] {
        auto token = std::make_shared<int>(7);
        const std::weak_ptr<int> seen = token;
        teff::sync([&] { teff::begin([token = std::move(token)] { teff::this_fiber::yield(); }); });
        EXPECT_TRUE(seen.expired());
    });
}

TEST_P(constructs_on, a_team_waits_for_fibers_begun_outside_of_blocks) {
    for (const long threads : {1L, 2L, 5L}) {
        std::atomic<int> ended{0};
        teff::execute(with_threads(threads), [&] {
            for (int i = 0; i < 50; ++i)
                teff::begin([&ended] {
                    teff::this_fiber::yield();
                    teff::begin([&ended] { ended.fetch_add(1); });
                });
        });
        EXPECT_EQ(ended.load(), 50);
    }
}

// Without fibers the functions are called in order, on one stack.
TEST_P(constructs_on, a_serial_block_starts_no_fibers) {
    for_some_thread_counts([] {
        std::vector<int> order;
        const auto add = [&order](int which) {
            return [&order, which] {
                order.push_back(which);
                teff::this_fiber::yield();
            };
        };
        teff::serial([&] {
            teff::begin(add(0));
            teff::cobegin(add(1), [&] { teff::cobegin(add(2), add(3)); }, add(4));
            teff::coforall(5, 8, [&](int i) { add(i)(); });
            teff::sync([&] {
                teff::begin(add(8));
                order.push_back(9);
            });
        });
        EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    });
}

TEST_P(constructs_on, exceptions_cross_constructs_inside_of_a_serial_block) {
    for_some_thread_counts([] {
        int called = 0;
        const auto throws = [&called](const char* what) {
            return [&called, what] {
                ++called;
                throw std::runtime_error(what);
            };
        };
        EXPECT_EQ(message_of([&] { teff::serial([&] { teff::cobegin([] {}, throws("second"), throws("third")); }); }),
                  "second");
        EXPECT_EQ(message_of([&] {
            teff::serial([&] { teff::coforall(0, 5, [&](int i) { throws(i == 0 ? "first" : "later")(); }); });
        }), "first");
        EXPECT_EQ(message_of([&] {
            teff::sync([&] {
                teff::serial([&] {
                    teff::begin(throws("begun"));
                    ++called;
                });
            });
        }), "begun");
        EXPECT_EQ(called, 2 + 5 + 2);
    });
}

// After the block, and in fibers that were made by a handle, fibers are started again.
TEST_P(constructs_on, a_serial_block_ends) {
    for_some_thread_counts([] {
        teff::sync_var<int> there;
        int got = 0;
        teff::serial([&] {
            teff::fiber other([&] { teff::cobegin([&] { got = there.read_fe(); }, [&] { there.write_ef(1); }); });
            other.join();
        });
        EXPECT_EQ(got, 1);
        teff::sync([&] {
            EXPECT_EQ(message_of([] { teff::serial([] { throw std::runtime_error("left"); }); }), "left");
            teff::begin([&] { got = there.read_fe(); });
            there.write_ef(2);
        });
        EXPECT_EQ(got, 2);
    });
}

// Threads that are in no team, and blocks inside of a team of its own.
TEST_P(constructs_on, blocks_on_threads_and_in_teams_of_their_own) {
    std::vector<int> called(40);
    std::thread outside([&] {
        teff::execute(with_threads(2), [&] {
            teff::sync([&] {
                begin_all(called, 0, 20);
                teff::execute(with_threads(2), [&] { teff::sync([&] { begin_all(called, 20, 40); }); });
                EXPECT_EQ(called[39], 1);
            });
        });
    });
    outside.join();
    EXPECT_EQ(called, std::vector<int>(40, 1));
}

}  // namespace
