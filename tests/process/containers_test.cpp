// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of the public types in containers of the standard library, which make, move, exchange and destroy them; and
// what a move of one says, or waits for, that something uses.
#include <tests/child_process.hpp>

#include <teff/teff.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <csignal>
#include <cstddef>
#include <deque>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using teff::testing::child_outcome;
using teff::testing::expect_quiet;
using teff::testing::run_in_child;

// Of each kind: the type, arguments of a constructor, how an object comes to a state that belongs to a number, and
// whether it has that state, in any order and once each.
struct an_object {
    using type = teff::object<std::unique_ptr<int>>;
    static auto arguments(int) { return std::tuple<>(); }
    // The task may not have ended when the object is moved.
    static void give(type& to, int number) {
        teff::spawn([number](std::unique_ptr<int>& value) { value = std::make_unique<int>(number); }, teff::out(to));
    }
    static bool has(type& in, int number) { return *in.value() == number; }
};
struct a_group {
    using type = teff::task_group;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) {
        to.run([number] { throw number; });
    }
    static bool has(type& in, int number) {
        try {
            in.wait();
        } catch (int found) {
            return found == number;
        }
        return false;
    }
};
struct a_handle {
    using type = teff::handle<int>;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) {
        to = teff::spawn([number] { return number; });
    }
    static bool has(type& in, int number) { return in.get() == number; }
};
struct a_reducer {
    using type = teff::reducer<std::string>;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) { *to += std::to_string(number); }
    static bool has(type& in, int number) { return in.get() == std::to_string(number); }
};
struct an_ordered_reducer {
    using type = teff::ordered_reducer<std::string>;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) { *to += std::to_string(number); }
    static bool has(type& in, int number) {
        const std::string before = std::to_string(number);
        if (in.get() != before)
            return false;
        // What other threads add is still combined by the reducer's operator.
        std::string expected = before;
        teff::parallel_for(0, 100, [&](int i) { *in += std::to_string(i); });
        for (int i = 0; i != 100; ++i)
            expected += std::to_string(i);
        const bool is_right = in.get() == expected;
        in.reset();
        *in += before;
        return is_right;
    }
};
struct an_arena {
    using type = teff::arena;
    static auto arguments(int number) { return std::tuple(teff::options{.threads = number + 1}); }
    static void give(type& to, int) {
        to.enqueue([] { ++tasks_run; });
    }
    static bool has(type& in, int number) {
        in.wait();
        return in.execute([&] { return in.threads() == static_cast<unsigned>(number + 1); });
    }
    static inline std::atomic<int> tasks_run{0};
};
struct a_sync_var {
    using type = teff::sync_var<int>;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) { to.write_ef(number); }
    static bool has(type& in, int number) { return in.is_full() && in.read_ff() == number; }
};
struct a_single_var {
    using type = teff::single_var<int>;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) { to.write_ef(number); }
    static bool has(type& in, int number) {
        try {
            in.write_ef(-1);
        } catch (const std::logic_error&) {
            return in.read_ff() == number;
        }
        return false;
    }
};
struct a_channel {
    using type = teff::channel<std::unique_ptr<int>>;
    static auto arguments(int number) { return std::tuple(static_cast<std::size_t>(number + 3)); }
    // So that the oldest value is not the first of the buffer.
    static void give(type& to, int number) {
        for (int i = 0; i != 3; ++i)
            to.send(std::make_unique<int>(number));
        to.receive();
    }
    static bool has(type& in, int number) {
        for (int i = 0; i != 2; ++i) {
            const std::optional<std::unique_ptr<int>> first = in.receive();
            if (!first || **first != number)
                return false;
            in.send(std::make_unique<int>(number));
        }
        return in.size() == 2 && in.check_invariants() == nullptr;
    }
};
struct a_fiber_local {
    using type = teff::fiber_local<int>;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) { *to = number; }
    static bool has(type& in, int number) { return *in == number; }
};
struct a_fiber {
    using type = teff::fiber;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) {
        to = teff::fiber([number] { throw number; });
    }
    static bool has(type& in, int number) {
        try {
            in.join();
        } catch (int found) {
            return found == number;
        }
        return false;
    }
};
struct a_latch {
    using type = teff::fiber_latch;
    static auto arguments(int number) { return std::tuple(static_cast<std::size_t>(number + 2)); }
    static void give(type& to, int) { to.count_down(); }
    static bool has(type& in, int number) {
        in.count_down(static_cast<std::size_t>(number));
        const bool opens_too_early = in.try_wait();
        in.count_down();
        return !opens_too_early && in.try_wait();
    }
};
struct a_barrier {
    using type = teff::fiber_barrier;
    static auto arguments(int number) { return std::tuple(static_cast<std::size_t>(number + 1)); }
    static void give(type&, int) {}
    static bool has(type& in, int number) {
        std::atomic<int> arrived{0};
        teff::coforall(0, number + 1, [&](int) {
            ++arrived;
            in.arrive_and_wait();
            EXPECT_EQ(arrived, number + 1);
        });
        return true;
    }
};
struct a_mutex {
    using type = teff::fiber_mutex;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int) { const std::lock_guard held(to); }
    static bool has(type& in, int) { return std::unique_lock(in, std::try_to_lock).owns_lock(); }
};
struct a_condition_variable {
    using type = teff::fiber_condition_variable;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type&, int) {}
    static bool has(type& in, int) {
        teff::fiber_mutex mutex;
        bool is_met = false;
        teff::fiber waits([&] {
            std::unique_lock held(mutex);
            in.wait(held, [&] { return is_met; });
        });
        {
            const std::lock_guard held(mutex);
            is_met = true;
        }
        in.notify_all();
        waits.join();
        return true;
    }
};
struct a_coroutine {
    using type = teff::task<int>;
    static type counted(int number) { co_return number; }
    static auto arguments(int number) { return std::tuple(counted(number)); }
    static void give(type&, int) {}
    static bool has(type& in, int number) { return in.valid() && teff::sync_wait(std::move(in)) == number; }
};
struct a_resume_handle {
    using type = teff::resume_handle;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type&, int) {}
    static bool has(type& in, int) {
        teff::suspend([&](teff::resume_handle made) {
            in = std::move(made);
            in.resume();
        });
        return !in.valid();
    }
};
struct a_filter {
    using type = teff::filter<int, int>;
    static auto arguments(int) { return std::tuple<>(); }
    static void give(type& to, int number) {
        to = teff::make_filter<int, int>(teff::filter_mode::parallel, [number](int i) { return i + number; });
    }
    static bool has(type& in, int number) {
        int sum = 0;
        teff::parallel_pipeline(1,
                                teff::make_filter<void, int>(teff::filter_mode::serial_in_order,
                                                             [n = 2](teff::flow_control& flow) mutable {
                                                                 if (n-- == 0)
                                                                     flow.stop();
                                                                 return 10;
                                                             }) &
                                    in &
                                    teff::make_filter<int, void>(teff::filter_mode::serial_in_order,
                                                                 [&sum](int i) { sum += i; }));
        return sum == 2 * (10 + number);
    }
};
struct a_range {
    using type = teff::blocked_range<int>;
    static auto arguments(int number) { return std::tuple(0, number); }
    static void give(type&, int) {}
    static bool has(type& in, int number) { return in.end() == number; }
};

template <class Kind>
class in_containers : public testing::Test {
protected:
    template <class Emplace>
    static void make(int number, Emplace&& emplace) {
        std::apply(
            [&](auto&&... arguments) { Kind::give(emplace(std::forward<decltype(arguments)>(arguments)...), number); },
            Kind::arguments(number));
    }
    // On two threads, so that tasks may be queued.
    template <class F>
    static void on_two_threads(F&& f) {
        const child_outcome ended = run_in_child([&] { teff::execute({.threads = 2, .scheduler = "demand"}, f); });
        expect_quiet(ended);
    }
    static constexpr int count = 20;
};

using kinds =
    testing::Types<an_object, a_group, a_handle, a_reducer, an_ordered_reducer, an_arena, a_sync_var, a_single_var,
                   a_channel, a_fiber_local, a_fiber, a_latch, a_barrier, a_mutex, a_condition_variable, a_coroutine,
                   a_resume_handle, a_filter, a_range>;
TYPED_TEST_SUITE(in_containers, kinds);

TYPED_TEST(in_containers, a_vector_grows_shrinks_and_is_reversed) {
    using held = typename TypeParam::type;
    static_assert(std::movable<held>);
    this->on_two_threads([this] {
        std::vector<held> all;
        for (int i = 0; i != this->count; ++i)
            this->make(i, [&](auto&&... with) -> held& {
                return all.emplace_back(std::forward<decltype(with)>(with)...);
            });
        all.erase(all.begin());
        std::reverse(all.begin(), all.end());
        std::swap(all.front(), all.back());
        ASSERT_EQ(all.size(), static_cast<std::size_t>(this->count - 1));
        EXPECT_TRUE(TypeParam::has(all.front(), 1));
        EXPECT_TRUE(TypeParam::has(all.back(), this->count - 1));
        for (int i = 2; i != this->count - 1; ++i)
            EXPECT_TRUE(TypeParam::has(all[static_cast<std::size_t>(this->count - 1 - i)], i)) << i;
    });
}

TYPED_TEST(in_containers, a_deque_has_it_at_both_ends) {
    using held = typename TypeParam::type;
    this->on_two_threads([this] {
        std::deque<held> all;
        for (int i = 0; i != this->count; ++i)
            this->make(i, [&](auto&&... with) -> held& {
                return i % 2 == 0 ? all.emplace_back(std::forward<decltype(with)>(with)...)
                                  : all.emplace_front(std::forward<decltype(with)>(with)...);
            });
        const int middle = this->count / 2;
        for (int i = 0; i != this->count; ++i) {
            const int place = i % 2 == 0 ? middle + i / 2 : middle - 1 - i / 2;
            EXPECT_TRUE(TypeParam::has(all[static_cast<std::size_t>(place)], i)) << i;
        }
    });
}

TYPED_TEST(in_containers, an_optional_is_given_moved_and_emptied) {
    using held = typename TypeParam::type;
    this->on_two_threads([this] {
        std::optional<held> first;
        this->make(3, [&](auto&&... with) -> held& {
            return first.emplace(std::forward<decltype(with)>(with)...);
        });
        std::optional<held> second = std::move(first);
        first.reset();
        EXPECT_TRUE(TypeParam::has(*second, 3));
    });
}

TYPED_TEST(in_containers, a_map_has_it_by_a_key) {
    using held = typename TypeParam::type;
    this->on_two_threads([this] {
        std::map<int, held> all;
        for (int i = 0; i != this->count; ++i)
            this->make(i, [&](auto&&... with) -> held& {
                return all.try_emplace(this->count - i, std::forward<decltype(with)>(with)...).first->second;
            });
        auto moved = all.extract(this->count);
        moved.key() = 0;
        all.insert(std::move(moved));
        EXPECT_TRUE(TypeParam::has(all.at(0), 0));
        for (int i = 1; i != this->count; ++i)
            EXPECT_TRUE(TypeParam::has(all.at(this->count - i), i)) << i;
        if constexpr (std::is_default_constructible_v<held>) {
            const held& made = all[-1];
            EXPECT_EQ(&made, &all.at(-1));
        }
    });
}

// What the table in docs/features.md says besides.
template <class... T>
constexpr bool are_copied = (std::copyable<T> && ...);
static_assert(are_copied<teff::filter<void, void>, teff::blocked_range<int>, teff::blocked_range2d<int>,
                         teff::blocked_range3d<int>, teff::executor, teff::options, teff::arena_options,
                         teff::worker_counters, teff::label_text, teff::split, teff::simple_partitioner,
                         teff::auto_partitioner, teff::static_partitioner, teff::affinity_partitioner>);
template <class... T>
constexpr bool are_moved_only = ((std::movable<T> && !std::is_copy_constructible_v<T>) && ...);
static_assert(are_moved_only<teff::handle<int>, teff::fiber, teff::resume_handle, teff::task<int>, teff::object<int>,
                             teff::task_group, teff::arena, teff::reducer<int>, teff::ordered_reducer<int>,
                             teff::fiber_local<int>, teff::sync_var<int>, teff::single_var<int>, teff::channel<int>,
                             teff::fiber_mutex, teff::fiber_condition_variable, teff::fiber_latch,
                             teff::fiber_barrier>);
static_assert(!std::is_copy_constructible_v<teff::label> && !std::is_copy_constructible_v<teff::object<std::mutex>> &&
              !std::is_move_constructible_v<teff::feeder<int>>);

TEST(containers, have_what_needs_no_argument_by_their_number) {
    expect_quiet(run_in_child([] {
        EXPECT_EQ(std::vector<teff::object<int>>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::task_group>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::reducer<int>>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::ordered_reducer<int>>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::sync_var<int>>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::single_var<int>>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::fiber_local<int>>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::fiber_mutex>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::fiber_condition_variable>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::fiber>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::handle<int>>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::resume_handle>(3).size(), 3U);
        EXPECT_EQ((std::vector<teff::filter<int, int>>(3).size()), 3U);
        EXPECT_EQ(std::vector<teff::worker_counters>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::options>(3).size(), 3U);
        EXPECT_EQ(std::vector<teff::arena_options>(3).size(), 3U);
    }));
}

// The value of an object of these cannot be moved, and a label is a scope.
TEST(containers, that_move_nothing_have_what_cannot_be_moved) {
    expect_quiet(run_in_child([] {
        std::deque<teff::object<std::mutex>> deque;
        deque.emplace_back();
        deque.emplace_front();
        std::map<int, teff::object<std::mutex>> map;
        EXPECT_TRUE(map[1].value().try_lock());
        map[1].value().unlock();
        std::vector<teff::object<std::mutex>> vector(3);
        EXPECT_EQ(vector.size(), 3U);
        std::optional<teff::label> label;
        label.emplace(teff::label_text("a phase"));
        auto kept = std::make_unique<teff::label>(teff::label_text("a phase"));
        kept = std::make_unique<teff::label>(teff::label_text("the next phase"));
        std::map<int, teff::label> labels;
        labels.try_emplace(1, teff::label_text("the last phase"));
    }));
}

// A value that knows how many tasks are at it, and must not be moved meanwhile.
struct watched {
    watched() = default;
    watched(watched&& other) noexcept : number(other.number) { EXPECT_EQ(other.inside, 0); }
    watched& operator=(watched&&) = delete;

    int number = 0;
    std::atomic<int> inside{0};
};

// Spawns tasks that add one to the value until another thread is inside one of them, where it stays until `may_end`.
// Returns their number.
struct stay {
    std::atomic<bool> has_begun{false};
    std::atomic<bool> may_end{false};
};
int keep_busy(teff::object<watched>& value, stay& inside) {
    const std::thread::id caller = std::this_thread::get_id();
    int spawned = 0;
    for (; !inside.has_begun; ++spawned) {
        teff::spawn([caller, &inside](watched& of) {
            ++of.inside;
            if (std::this_thread::get_id() != caller && !inside.has_begun.exchange(true))
                while (!inside.may_end)
                    std::this_thread::yield();
            ++of.number;
            --of.inside;
        }, teff::inout(value));
        std::this_thread::yield();
    }
    return spawned;
}

TEST(moves, of_an_object_wait_for_the_tasks_that_use_it) {
    expect_quiet(run_in_child([] {
        teff::execute({.threads = 2}, [] {
            stay inside;
            std::vector<teff::object<watched>> values;
            values.reserve(1);
            values.emplace_back();
            const int spawned = keep_busy(values[0], inside);
            std::thread ends_it([&] {
                for (int i = 0; i != 1000; ++i)
                    std::this_thread::yield();
                inside.may_end = true;
            });
            values.emplace_back();
            EXPECT_TRUE(inside.may_end);
            ends_it.join();
            teff::spawn([](const watched& from, watched& to) { to.number += from.number; }, teff::in(values[0]),
                        teff::inout(values[1]));
            EXPECT_EQ(values[1].value().number, spawned);
        });
    }));
}

TEST(moves, of_an_object_that_tasks_of_another_function_use_throw) {
    expect_quiet(run_in_child([] {
        teff::execute({.threads = 2}, [] {
            stay inside;
            bool has_thrown = false;
            teff::object<watched> value;
            keep_busy(value, inside);
            teff::spawn([&](int) {
                try {
                    const teff::object<watched> moved(std::move(value));
                } catch (const std::logic_error& error) {
                    has_thrown = std::string(error.what()).find("tasks of another function use the object") !=
                                 std::string::npos;
                }
                inside.may_end = true;
            }, 1);
            teff::sync();
            EXPECT_TRUE(has_thrown);
        });
    }));
}

TEST(moves, of_an_object_keep_whether_it_is_renamed) {
    expect_quiet(run_in_child([] {
        struct shown : teff::object<int> {
            using teff::object<int>::object;
            using object_base::may_rename;
        };
        shown plain(1), fixed(teff::no_renaming, 2);
        shown moved(std::move(fixed));
        EXPECT_FALSE(moved.may_rename());
        moved = std::move(plain);
        EXPECT_EQ(moved.value(), 1);
        EXPECT_FALSE(moved.may_rename());
        EXPECT_TRUE(plain.may_rename());
        plain = std::move(moved);
        EXPECT_TRUE(plain.may_rename());
        EXPECT_EQ(plain.value(), 1);
    }));
}

TEST(moves, of_a_group_take_the_stop_token_and_leave_a_new_group) {
    expect_quiet(run_in_child([] {
        std::stop_source stop;
        teff::task_group first(stop.get_token());
        first.run([] {});
        teff::task_group second(std::move(first));
        stop.request_stop();
        EXPECT_FALSE(first.is_canceling());
        EXPECT_TRUE(second.is_canceling());
        int calls = 0;
        first.run([&] { ++calls; });
        EXPECT_EQ(first.wait(), teff::task_group_status::complete);
        EXPECT_EQ(calls, 1);
        EXPECT_EQ(second.wait(), teff::task_group_status::canceled);
        second.cancel();
        first = std::move(second);
        EXPECT_TRUE(first.is_canceling());
        EXPECT_FALSE(second.is_canceling());
    }));
}

TEST(moves, of_a_group_by_its_own_task_end_the_program) {
    const child_outcome ended = run_in_child([] {
        teff::execute({.threads = 2}, [] {
            teff::task_group group;
            std::atomic<bool> is_over{false};
            const std::thread::id caller = std::this_thread::get_id();
            // The group knows its tasks that other threads run.
            while (!is_over)
                group.run([&] {
                    if (std::this_thread::get_id() != caller)
                        const teff::task_group moved(std::move(group));
                });
        });
    });
    EXPECT_EQ(WTERMSIG(ended.status), SIGABRT);
    EXPECT_EQ(ended.lines_with("teff: task_group: a task waits for the group that it belongs to"), 1U) << ended.errors;
}

TEST(moves, of_an_arena_leave_its_tasks_running) {
    expect_quiet(run_in_child([] {
        std::atomic<int> calls{0};
        std::latch may_end(1);
        teff::arena first({.threads = 2}, {.priority = teff::arena_priority::high});
        first.enqueue([&] {
            may_end.wait();
            ++calls;
        });
        teff::handle<int> result = first.spawn([&] { return 5; });
        teff::arena second(std::move(first));
        may_end.count_down();
        second.enqueue([&] { ++calls; });
        second.wait();
        EXPECT_EQ(calls, 2);
        EXPECT_EQ(result.get(), 5);
        std::latch other_may_end(1);
        first = teff::arena({.threads = 1});
        first.enqueue([&] {
            other_may_end.wait();
            ++calls;
        });
        other_may_end.count_down();
        // Waits for what was enqueued to the arena that ends.
        first = std::move(second);
        EXPECT_EQ(calls, 3);
        EXPECT_EQ(first.threads(), 2U);
    }));
}

TEST(moves, leave_references_to_what_reducers_have) {
    expect_quiet(run_in_child([] {
        teff::reducer<int> sum;
        int& mine = *sum;
        teff::reducer<int> moved(std::move(sum));
        mine = 3;
        EXPECT_EQ(moved.get(), 3);
        teff::ordered_reducer<std::string> text;
        std::string& my_text = *text;
        teff::ordered_reducer<std::string> moved_text(std::move(text));
        my_text = "a";
        EXPECT_EQ(moved_text.get(), "a");
    }));
}

// The operator is the moved one's, also where the copies of two threads are combined after the move.
TEST(moves, of_an_ordered_reducer_take_the_operator_along) {
    expect_quiet(run_in_child([] {
        struct joined {
            std::string operator()(std::string left, const std::string& right) const { return left + *between + right; }
            std::unique_ptr<std::string> between = std::make_unique<std::string>("");
        };
        teff::execute({.threads = 2}, [] {
            auto first = std::make_unique<teff::ordered_reducer<std::string, joined>>();
            **first = "0";
            teff::ordered_reducer<std::string, joined> second(std::move(*first));
            first.reset();
            std::string expected = "0";
            std::atomic<bool> is_shared{false};
            const std::thread::id caller = std::this_thread::get_id();
            for (int i = 1; !is_shared; ++i) {
                expected += std::to_string(i);
                expected += "f";
                teff::fork_join([&, i] { *second += std::to_string(i); },
                                [&] {
                                    *second += "f";
                                    is_shared = is_shared || std::this_thread::get_id() != caller;
                                });
            }
            EXPECT_EQ(second.get(), expected);
        });
    }));
}

// Moves what a fiber uses at that moment.
template <class Use>
void expect_message(const char* type, Use&& use) {
    const child_outcome ended = run_in_child([&] { teff::execute({.threads = 1}, std::forward<Use>(use)); });
    EXPECT_TRUE(WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGABRT) << ended.status;
    const std::string line = std::string("teff: ") + type + ": one is moved while a fiber or thread uses it";
    EXPECT_EQ(ended.lines_with(line), 1U) << ended.errors;
    EXPECT_EQ(ended.lines_with("std::deque"), 1U) << ended.errors;
}
template <class T, class Use, class... Arguments>
void expect_message_of(const char* type, Use&& use, Arguments... arguments) {
    expect_message(type, [&] {
        T used(arguments...);
        teff::fiber other([&] { use(used); });
        teff::this_fiber::yield();
        T moved(std::move(used));
    });
    expect_message(type, [&] {
        T used(arguments...), assigned(arguments...);
        teff::fiber other([&] { use(used); });
        teff::this_fiber::yield();
        assigned = std::move(used);
    });
    expect_message(type, [&] {
        T used(arguments...), given(arguments...);
        teff::fiber other([&] { use(used); });
        teff::this_fiber::yield();
        used = std::move(given);
    });
}

TEST(moves, of_what_a_fiber_uses_end_the_program) {
    expect_message_of<teff::sync_var<int>>("sync_var", [](auto& of) { of.read_fe(); });
    expect_message_of<teff::sync_var<int>>("sync_var", [](auto& of) { of.write_ef(2); }, 1);
    expect_message_of<teff::single_var<int>>("sync_var", [](auto& of) { of.read_ff(); });
    expect_message_of<teff::channel<int>>("channel", [](auto& of) { of.receive(); }, std::size_t{1});
    expect_message_of<teff::channel<int>>("channel", [](auto& of) { of.send(1); }, std::size_t{0});
    expect_message_of<teff::fiber_latch>("fiber_latch", [](auto& of) { of.wait(); }, std::size_t{1});
    expect_message_of<teff::fiber_barrier>("fiber_barrier", [](auto& of) { of.arrive_and_wait(); }, std::size_t{2});
    expect_message_of<teff::fiber_mutex>("fiber_mutex", [](auto& of) {
        const std::lock_guard held(of);
        teff::sync_var<int>().read_fe();
    });
    expect_message_of<teff::fiber_condition_variable>("fiber_condition_variable", [](auto& of) {
        teff::fiber_mutex mutex;
        std::unique_lock held(mutex);
        of.wait(held);
    });
}

TEST(moves, leave_objects_that_can_be_used) {
    expect_quiet(run_in_child([] {
        teff::sync_var<int> variable(1);
        teff::sync_var<int> full(std::move(variable));
        EXPECT_FALSE(variable.is_full());
        EXPECT_EQ(variable.read_xx(), 0);
        variable.write_ef(2);
        full = std::move(variable);
        EXPECT_EQ(full.read_fe(), 2);
        teff::single_var<int> once(3);
        teff::single_var<int> taken(std::move(once));
        once.write_ef(4);
        EXPECT_EQ(once.read_ff() + taken.read_ff(), 7);
        teff::channel<int> line(2);
        line.send(1);
        line.close();
        teff::channel<int> closed(std::move(line));
        EXPECT_TRUE(closed.is_closed());
        EXPECT_FALSE(line.is_closed());
        EXPECT_EQ(closed.receive(), 1);
        EXPECT_EQ(closed.receive(), std::nullopt);
        // Its capacity is 0 now.
        teff::fiber sends([&] { EXPECT_TRUE(line.send(5)); });
        EXPECT_EQ(line.receive(), 5);
        sends.join();
        teff::fiber_latch latch(1);
        teff::fiber_latch counts(std::move(latch));
        EXPECT_TRUE(latch.try_wait());
        EXPECT_FALSE(counts.try_wait());
    }));
}

}  // namespace
