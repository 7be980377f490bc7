// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of the threads on every scheduler: its functions do what the C++ functions do, and what these throw
// comes as a status.
#include <tests/reduction_samples.hpp>

#include <teff/c/threads.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

class c_threads_on : public teff::testing::each_scheduler {
protected:
    // Calls f() in teams of some sizes, with this scheduler.
    template <class F>
    void for_some_thread_counts(F&& f) const {
        for (const long threads : {1L, 2L, 5L})
            EXPECT_EQ(teff_execute(threads, GetParam(), [](void* argument) { (*static_cast<F*>(argument))(); }, &f),
                      TEFF_OK);
    }
};

INSTANTIATE_TEST_SUITE_P(, c_threads_on, teff::testing::every_scheduler_name(), teff::testing::scheduler_case_name);

// A lambda as function and argument.
template <class F>
void call(void* argument) {
    (*static_cast<F*>(argument))();
}

TEST_P(c_threads_on, handles) {
    for_some_thread_counts([] {
        constexpr std::size_t count = 50;
        std::vector<int> called(count);
        std::vector<teff_fiber*> fibers(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto add = [](void* argument) {
                EXPECT_TRUE(teff_on_fiber());
                teff_yield();
                ++*static_cast<int*>(argument);
            };
            ASSERT_EQ(teff_fiber_start(&fibers[i], add, &called[i]), TEFF_OK);
        }
        for (teff_fiber* each : fibers)
            EXPECT_EQ(teff_fiber_join(each), TEFF_OK);
        EXPECT_EQ(called, std::vector<int>(count, 1));
    });
}

// On the second shepherd, and round all of them; with one worker each, as the variable may say.
TEST_P(c_threads_on, bound_fibers) {
    for_some_thread_counts([] {
        static unsigned last = 0;  // outlives the detached fiber
        unsigned count = 0, workers = 0;
        ASSERT_EQ(teff_count_shepherds(&count), TEFF_OK);
        ASSERT_GE(count, 1U);
        EXPECT_EQ(teff_count_workers(count - 1, &workers), TEFF_OK);
        EXPECT_GE(workers, 1U);
        EXPECT_EQ(teff_count_workers(count, &workers), TEFF_BAD_ARGUMENT);
        EXPECT_LT(teff_shepherd(), count);
        EXPECT_EQ(teff_bound_to(), TEFF_NO_SHEPHERD);
        EXPECT_EQ(teff_migrate_to(0), TEFF_NO_FIBER);
        last = count - 1;
        const auto visit = [](void* argument) {
            const unsigned own = *static_cast<unsigned*>(argument);
            EXPECT_EQ(teff_shepherd(), own);
            teff_yield();
            EXPECT_EQ(teff_shepherd(), own);
            EXPECT_EQ(teff_bound_to(), own);
            for (unsigned to = 0; to <= own; ++to) {
                EXPECT_EQ(teff_migrate_to(to), TEFF_OK);
                EXPECT_EQ(teff_shepherd(), to);
            }
            EXPECT_EQ(teff_migrate_to(own + 1), TEFF_BAD_ARGUMENT);
            teff_unbind();
            EXPECT_EQ(teff_bound_to(), TEFF_NO_SHEPHERD);
        };
        teff_fiber* fiber = nullptr;
        EXPECT_EQ(teff_fiber_start_on(count, &fiber, visit, &last), TEFF_BAD_ARGUMENT);
        ASSERT_EQ(teff_fiber_start_on(last, &fiber, visit, &last), TEFF_OK);
        EXPECT_EQ(teff_fiber_join(fiber), TEFF_OK);
        EXPECT_EQ(teff_begin_on(last, visit, &last), TEFF_OK);
        EXPECT_EQ(teff_begin_on(count, visit, &last), TEFF_BAD_ARGUMENT);
    });
}

TEST_P(c_threads_on, detached_fibers_end_before_their_team) {
    std::atomic<int> called{0};
    for_some_thread_counts([&called] {
        teff_fiber* fiber = nullptr;
        const auto add = [](void* argument) {
            teff_yield();
            static_cast<std::atomic<int>*>(argument)->fetch_add(1);
        };
        ASSERT_EQ(teff_fiber_start(&fiber, add, &called), TEFF_OK);
        teff_fiber_detach(fiber);
    });
    EXPECT_EQ(called.load(), 3);
}

// The tasks need each other.
TEST_P(c_threads_on, lists_of_tasks) {
    for_some_thread_counts([] {
        struct pair_of_tasks {
            teff_sync_var there, back;
            std::uint64_t got = 0;
        } pair;
        teff_sync_var_init(&pair.there);
        teff_sync_var_init(&pair.back);
        teff_task_list* list = nullptr;
        ASSERT_EQ(teff_task_list_create(&list), TEFF_OK);
        EXPECT_EQ(teff_task_list_run(list), TEFF_OK);
        const auto first = [](void* argument) {
            auto& mine = *static_cast<pair_of_tasks*>(argument);
            teff_sync_var_write_ef(&mine.there, 1);
            mine.got = teff_sync_var_read_fe(&mine.back);
        };
        const auto second = [](void* argument) {
            auto& mine = *static_cast<pair_of_tasks*>(argument);
            teff_sync_var_write_ef(&mine.back, teff_sync_var_read_fe(&mine.there) + 1);
        };
        EXPECT_EQ(teff_task_list_add(list, first, &pair), TEFF_OK);
        EXPECT_EQ(teff_task_list_add(list, second, &pair), TEFF_OK);
        for (int times = 0; times < 3; ++times) {
            pair.got = 0;
            EXPECT_EQ(teff_task_list_run(list), TEFF_OK);
            EXPECT_EQ(pair.got, 2U);
        }
        teff_task_list_destroy(list);
        teff_sync_var_destroy(&pair.back);
        teff_sync_var_destroy(&pair.there);
    });
}

TEST_P(c_threads_on, constructs) {
    for_some_thread_counts([] {
        std::atomic<int> called{0};
        auto leaf = [&called] {
            teff_yield();
            called.fetch_add(1);
        };
        auto branch = [&leaf] {
            EXPECT_FALSE(teff_is_serial());
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(teff_begin(call<decltype(leaf)>, &leaf), TEFF_OK);
        };
        auto body = [&branch] {
            for (int i = 0; i < 5; ++i)
                EXPECT_EQ(teff_begin(call<decltype(branch)>, &branch), TEFF_OK);
        };
        EXPECT_EQ(teff_sync(call<decltype(body)>, &body), TEFF_OK);
        EXPECT_EQ(called.load(), 15);

        std::vector<std::int64_t> order;
        const auto add = [](std::int64_t index, void* argument) {
            static_cast<std::vector<std::int64_t>*>(argument)->push_back(index);
        };
        auto in_order = [&] {
            EXPECT_TRUE(teff_is_serial());
            EXPECT_EQ(teff_coforall(-2, 3, add, &order), TEFF_OK);
        };
        EXPECT_EQ(teff_serial(call<decltype(in_order)>, &in_order), TEFF_OK);
        EXPECT_EQ(order, (std::vector<std::int64_t>{-2, -1, 0, 1, 2}));
        auto in_the_middle = [&] {
            teff_set_serial(true);
            EXPECT_EQ(teff_coforall(3, 5, add, &order), TEFF_OK);
            teff_set_serial(false);
            EXPECT_FALSE(teff_is_serial());
        };
        EXPECT_EQ(teff_sync(call<decltype(in_the_middle)>, &in_the_middle), TEFF_OK);
        EXPECT_EQ(order.size(), 7U);
    });
}

TEST_P(c_threads_on, words_are_full_or_empty) {
    for_some_thread_counts([] {
        std::uint64_t word = 0;
        EXPECT_EQ(teff_empty(&word), TEFF_OK);
        bool is_full = true;
        EXPECT_EQ(teff_is_full(&word, &is_full), TEFF_OK);
        EXPECT_FALSE(is_full);
        auto writer = [&word] {
            for (std::uint64_t i = 1; i <= 100; ++i)
                EXPECT_EQ(teff_write_ef(&word, i), TEFF_OK);
        };
        std::uint64_t sum = 0;
        auto reader = [&] {
            EXPECT_EQ(teff_begin(call<decltype(writer)>, &writer), TEFF_OK);
            for (int i = 0; i < 100; ++i) {
                std::uint64_t value = 0;
                EXPECT_EQ(teff_read_fe(&word, &value), TEFF_OK);
                sum += value;
            }
        };
        EXPECT_EQ(teff_sync(call<decltype(reader)>, &reader), TEFF_OK);
        EXPECT_EQ(sum, 5050U);
        EXPECT_EQ(teff_write_xf(&word, 7), TEFF_OK);
        EXPECT_EQ(teff_write_ff(&word, 8), TEFF_OK);
        EXPECT_EQ(teff_read_ff(&word, nullptr), TEFF_OK);
        EXPECT_EQ(word, 8U);
        EXPECT_EQ(teff_empty(&word), TEFF_OK);
        EXPECT_EQ(teff_fill(&word), TEFF_OK);
    });
}

// A value of a sync variable of another type.
TEST_P(c_threads_on, mutexes_and_conditions) {
    for_some_thread_counts([] {
        struct {
            teff_mutex mutex;
            teff_condition changed;
            int turn = 0;
        } shared;
        teff_mutex_init(&shared.mutex);
        teff_condition_init(&shared.changed);
        struct player {
            decltype(shared)* with;
            int parity;
        } players[2] = {{&shared, 0}, {&shared, 1}};
        const auto play = [](std::int64_t index, void* argument) {
            player& mine = static_cast<player*>(argument)[index];
            for (int step = mine.parity; step < 100; step += 2) {
                teff_mutex_lock(&mine.with->mutex);
                EXPECT_FALSE(teff_mutex_try_lock(&mine.with->mutex));
                while (mine.with->turn != step)
                    teff_condition_wait(&mine.with->changed, &mine.with->mutex);
                ++mine.with->turn;
                if (step % 3 == 0)
                    teff_condition_notify_all(&mine.with->changed);
                else
                    teff_condition_notify_one(&mine.with->changed);
                teff_mutex_unlock(&mine.with->mutex);
            }
        };
        EXPECT_EQ(teff_coforall(0, 2, play, players), TEFF_OK);
        EXPECT_EQ(shared.turn, 100);
        EXPECT_TRUE(teff_mutex_try_lock(&shared.mutex));
        teff_mutex_unlock(&shared.mutex);
        teff_condition_destroy(&shared.changed);
        teff_mutex_destroy(&shared.mutex);
    });
}

TEST_P(c_threads_on, channels) {
    for_some_thread_counts([] {
        teff_channel* channel = nullptr;
        ASSERT_EQ(teff_channel_create(&channel, 3), TEFF_OK);
        int values[50] = {};
        std::thread sender([&] {
            for (int& each : values)
                EXPECT_EQ(teff_channel_send(channel, &each), TEFF_OK);
            teff_channel_close(channel);
        });
        const auto receive_all = [](std::int64_t, void* argument) {
            void* value = nullptr;
            while (teff_channel_receive(static_cast<teff_channel*>(argument), &value) == TEFF_OK)
                ++*static_cast<int*>(value);
        };
        EXPECT_EQ(teff_coforall(0, 4, receive_all, channel), TEFF_OK);
        sender.join();
        for (const int each : values)
            EXPECT_EQ(each, 1);
        EXPECT_EQ(teff_channel_send(channel, nullptr), TEFF_CLOSED);
        teff_channel_destroy(channel);
    });
}

TEST_P(c_threads_on, fibers_have_numbers) {
    for_some_thread_counts([] {
        EXPECT_EQ(teff_fiber_id(), 0U);
        std::uint64_t ids[30] = {};
        const auto note = [](std::int64_t index, void* argument) {
            teff_fiber_set_name("numbered");
            auto* const mine = static_cast<std::uint64_t*>(argument) + index;
            *mine = teff_fiber_id();
            teff_yield();
            EXPECT_EQ(teff_fiber_id(), *mine);
        };
        EXPECT_EQ(teff_coforall(0, 30, note, ids), TEFF_OK);
        const std::set<std::uint64_t> different(std::begin(ids), std::end(ids));
        EXPECT_EQ(different.size(), std::size(ids));
        EXPECT_FALSE(different.contains(0));
    });
}

// More than a fiber has.
TEST_P(c_threads_on, calls_with_more_stack) {
    for_some_thread_counts([] {
        const auto fill = [](void* argument) {
            volatile char large[1 << 20];
            large[0] = 1;
            large[sizeof large - 1] = 1;
            teff_yield();
            *static_cast<int*>(argument) = large[0] + large[sizeof large - 1];
        };
        int sum = 0;
        auto call_it = [&] { EXPECT_EQ(teff_with_stack(2 << 20, fill, &sum), TEFF_OK); };
        teff_fiber* fiber = nullptr;
        ASSERT_EQ(teff_fiber_start(&fiber, call<decltype(call_it)>, &call_it), TEFF_OK);
        EXPECT_EQ(teff_fiber_join(fiber), TEFF_OK);
        EXPECT_EQ(sum, 2);
    });
}

TEST_P(c_threads_on, counts) {
    for_some_thread_counts([] {
        teff_counts counts = {};
        auto look = [&counts] { teff_count_fibers(&counts); };
        teff_fiber* fiber = nullptr;
        ASSERT_EQ(teff_fiber_start(&fiber, call<decltype(look)>, &look), TEFF_OK);
        EXPECT_EQ(teff_fiber_join(fiber), TEFF_OK);
        EXPECT_EQ(counts.fibers, 1U);
        EXPECT_EQ(counts.running, 1U);
        EXPECT_EQ(counts.ready, 0U);
        EXPECT_EQ(counts.blocked, 0U);
    });
}

TEST_P(c_threads_on, task_private_data) {
    for_some_thread_counts([] {
        teff_key* key = nullptr;
        ASSERT_EQ(teff_key_create(&key, [](void* value) { ++*static_cast<int*>(value); }), TEFF_OK);
        struct {
            teff_key* with;
            int destroyed[20] = {};
        } shared{.with = key};
        const auto use = [](std::int64_t index, void* argument) {
            auto& mine = *static_cast<decltype(shared)*>(argument);
            EXPECT_EQ(teff_key_get(mine.with), nullptr);
            EXPECT_EQ(teff_key_set(mine.with, &mine.destroyed[index]), TEFF_OK);
            teff_yield();
            EXPECT_EQ(teff_key_get(mine.with), &mine.destroyed[index]);
            EXPECT_EQ(mine.destroyed[index], 0);
        };
        EXPECT_EQ(teff_coforall(0, 20, use, &shared), TEFF_OK);
        for (const int each : shared.destroyed)
            EXPECT_EQ(each, 1);
        teff_key_destroy(key);
    });
}

TEST_P(c_threads_on, exceptions_come_as_a_status) {
    for_some_thread_counts([] {
        const auto fails = [](void*) { throw std::runtime_error("not for C"); };
        teff_fiber* fiber = nullptr;
        ASSERT_EQ(teff_fiber_start(&fiber, fails, nullptr), TEFF_OK);
        EXPECT_EQ(teff_fiber_join(fiber), TEFF_EXCEPTION);
        EXPECT_EQ(teff_sync(fails, nullptr), TEFF_EXCEPTION);
        EXPECT_EQ(teff_execute(2, nullptr, [](void*) { throw std::bad_alloc(); }, nullptr), TEFF_NO_MEMORY);
    });
}

TEST(c_threads, bad_options_and_texts) {
    const auto nothing = [](void*) {};
    EXPECT_EQ(teff_execute(-1, nullptr, nothing, nullptr), TEFF_BAD_ARGUMENT);
    EXPECT_EQ(teff_execute(1, "no such scheduler", nothing, nullptr), TEFF_BAD_ARGUMENT);
    for (const teff_status each : {TEFF_OK, TEFF_NO_MEMORY, TEFF_NO_STACK, TEFF_BAD_ARGUMENT, TEFF_THREAD_EXITS,
                                   TEFF_CLOSED, TEFF_EXCEPTION}) {
        EXPECT_EQ(std::strstr(teff_status_text(each), "no status"), nullptr);
    }
    EXPECT_FALSE(teff_on_fiber());
    EXPECT_FALSE(teff_is_serial());
    teff_sleep_ns(1000);
}

}  // namespace
