// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of event_log.hpp: what is kept, what is dropped, and which slices are open.
#include <teff/observe/event_log.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace teff {
namespace {

traced_event event_at(std::int64_t time) { return {time, time + 1, nullptr, slice_kind::task}; }

std::vector<std::int64_t> begins_of(event_log& log, unsigned record) {
    std::vector<std::int64_t> begins;
    const scoped_lock lock(log.guard());
    log.for_each_event(record, [&](const traced_event& each) { begins.push_back(each.begin); });
    return begins;
}

class event_logs : public testing::Test {
protected:
    // A log is large, and never freed in the runtime; its chunks stay.
    const std::unique_ptr<event_log> log_ = std::make_unique<event_log>();
    event_budget budget_;

    // The log of another thread that adds `events` after this one has added one.
    std::unique_ptr<event_log> filled_beside_one_event(std::int64_t budget, std::int64_t events) {
        auto other = std::make_unique<event_log>();
        budget_.fill(budget);
        log_->add(event_at(1), budget_, 1);
        for (std::int64_t time = 1; time <= events; ++time)
            other->add(event_at(time), budget_, 1);
        return other;
    }
};

TEST_F(event_logs, keeps_what_it_has_room_for_and_counts_the_rest) {
    constexpr std::int64_t room = 2 * event_log::chunk_size + 7;
    budget_.fill(room);
    for (std::int64_t time = 1; time <= room + 5; ++time)
        log_->add(event_at(time), budget_, 1);
    const auto begins = begins_of(*log_, 1);
    ASSERT_EQ(begins.size(), static_cast<std::size_t>(room));
    EXPECT_EQ(begins.front(), 1);
    EXPECT_EQ(begins.back(), room);
    EXPECT_EQ(log_->dropped(1), 5U);
    EXPECT_TRUE(begins_of(*log_, 2).empty());
}

TEST_F(event_logs, a_new_record_begins_empty_and_uses_the_memory_again) {
    budget_.fill(event_log::chunk_size + 100);
    for (std::int64_t time = 1; time <= event_log::chunk_size + 200; ++time)
        log_->add(event_at(time), budget_, 1);
    budget_.fill(3);
    for (std::int64_t time = 1001; time <= 1004; ++time)
        log_->add(event_at(time), budget_, 2);
    EXPECT_EQ(begins_of(*log_, 2), (std::vector<std::int64_t>{1001, 1002, 1003}));
    EXPECT_EQ(log_->dropped(2), 1U);
    EXPECT_EQ(log_->dropped(1), 0U);
}

TEST_F(event_logs, threads_share_a_budget) {
    const auto other = filled_beside_one_event(64 * 10, 640);
    // One part of 64 is kept for the first.
    EXPECT_EQ(begins_of(*other, 1).size(), 630U);
    EXPECT_EQ(other->dropped(1), 10U);
}

TEST_F(event_logs, a_thread_keeps_nothing_of_a_small_budget_from_the_others) {
    const auto other = filled_beside_one_event(5, 6);
    EXPECT_EQ(begins_of(*other, 1).size(), 4U);
    EXPECT_EQ(other->dropped(1), 2U);
}

TEST_F(event_logs, slices_close_in_reverse_and_closing_one_closes_those_inside) {
    const int a = 0, b = 0, c = 0;
    const unsigned first = log_->push(slice_kind::call, &a, 10);
    const unsigned second = log_->push(slice_kind::task, &b, 20);
    log_->push(slice_kind::label, &c, 30);
    EXPECT_TRUE(log_->is_open(second, 20));
    EXPECT_FALSE(log_->is_open(second, 10));
    EXPECT_FALSE(log_->is_open(3, 30));
    std::vector<std::int64_t> open;
    log_->for_each_open([&](const traced_event& each) { open.push_back(each.begin); });
    EXPECT_EQ(open, (std::vector<std::int64_t>{10, 20, 30}));
    const traced_event closed = log_->opened(second);
    log_->pop(second);
    EXPECT_EQ(closed.begin, 20);
    EXPECT_EQ(closed.what, &b);
    EXPECT_EQ(closed.kind, slice_kind::task);
    EXPECT_FALSE(log_->is_open(second, 20));
    EXPECT_EQ(log_->opened(first).begin, 10);
    log_->pop(first);
    open.clear();
    log_->for_each_open([&](const traced_event& each) { open.push_back(each.begin); });
    EXPECT_TRUE(open.empty());
}

TEST_F(event_logs, slices_beyond_the_deepest_are_told_by_their_begin) {
    for (unsigned depth = 0; depth < event_log::max_open; ++depth)
        EXPECT_EQ(log_->push(slice_kind::task, nullptr, 1 + depth), depth);
    const unsigned deep = log_->push(slice_kind::task, nullptr, 5000);
    EXPECT_EQ(log_->opened(deep).begin, 0);
    EXPECT_EQ(log_->opened(event_log::max_open - 1).begin, event_log::max_open);
}

// A slice that ends after it was read as an open one is among the events, and is written once.
TEST_F(event_logs, open_slices_are_those_that_are_not_among_the_events) {
    const int a = 0, b = 0;
    budget_.fill(10);
    log_->push(slice_kind::call, &a, 10);
    const unsigned label = log_->push(slice_kind::label, &b, 20);
    open_slices open;
    open.read(*log_);
    EXPECT_EQ(open.left().size(), 2U);
    log_->add({20, 30, &b, slice_kind::moving_label}, budget_, 1);
    log_->pop(label);
    log_->add({10, 31, &a, slice_kind::task}, budget_, 1);
    log_->for_each_event(1, [&](const traced_event& each) { open.remove(each); });
    ASSERT_EQ(open.left().size(), 1U);
    EXPECT_EQ(open.left()[0].kind, slice_kind::call);
}

// A reader sees each event whole, and of open slices only such as there were: what belongs to the begin. A slice that
// was opened before is open or among the events.
TEST_F(event_logs, a_reader_beside_the_thread_sees_whole_events) {
    constexpr std::int64_t count = 20'000;
    budget_.fill(count);
    std::atomic<std::int64_t> opened{0};
    std::atomic<bool> is_over{false};
    std::thread reader([&] {
        while (!is_over.load()) {
            const std::int64_t sought = opened.load();
            std::int64_t expected = 1;
            bool is_found = sought == 0;
            {
                const scoped_lock lock(log_->guard());
                log_->for_each_open([&](const traced_event& each) {
                    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(each.what), static_cast<std::uintptr_t>(each.begin));
                    is_found = is_found || each.begin == sought;
                });
                log_->for_each_event(1, [&](const traced_event& each) {
                    ASSERT_EQ(each.begin, expected++);
                    ASSERT_EQ(each.end, 2 * each.begin);
                    is_found = is_found || each.begin == sought;
                });
            }
            ASSERT_TRUE(is_found) << sought;
            // Otherwise the reader may take the guard again and again, before the other thread has woken up.
            while (!is_over.load() && opened.load() == sought)
                std::this_thread::yield();
        }
    });
    for (std::int64_t time = 1; time <= count; ++time) {
        const void* const what = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(time));
        const unsigned depth = log_->push(slice_kind::task, what, time);
        opened.store(time);
        traced_event ended = log_->opened(depth);
        ended.end = 2 * time;
        log_->add(ended, budget_, 1);
        log_->pop(depth);
    }
    is_over.store(true);
    reader.join();
    EXPECT_EQ(begins_of(*log_, 1).size(), static_cast<std::size_t>(count));
}

}  // namespace
}  // namespace teff
