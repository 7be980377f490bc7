// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots, the first failure, and the caller's part in the life of a team.
#include <teff/team/team.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <sched.h>
#include <stdexcept>
#include <string>

namespace {

// A team whose caller waits until `wanted` workers have joined. Each worker stays until then.
class test_team final : public teff::team {
public:
    test_team(unsigned slots, unsigned wanted) : team(slots, 50, false), wanted_(wanted) {}

    bool has_visible_work() const noexcept override { return came_.load() < wanted_; }
    void request() noexcept override {}
    void orphan() noexcept override {}
    std::size_t queued_estimate() const noexcept override { return 0; }
    unsigned cancellations() const noexcept { return cancellations_.load(); }
    unsigned came() const noexcept { return came_.load(); }
    unsigned slots_seen() const noexcept { return slots_seen_.load(); }

private:
    void work(unsigned slot, unsigned) noexcept override {
        slots_seen_.fetch_or(1U << slot);
        if (slot != caller_slot)
            came_.fetch_add(1);
        else
            teff::pool::instance().idle().notify_all();
        while (came_.load() < wanted_)
            ::sched_yield();
    }
    void cancel() noexcept override { cancellations_.fetch_add(1); }

    const unsigned wanted_;
    std::atomic<unsigned> came_{0}, cancellations_{0}, slots_seen_{0};
};

std::exception_ptr error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

TEST(team, gives_out_low_slots_first_and_never_the_callers) {
    test_team team(4, 0);
    EXPECT_TRUE(team.has_room());
    EXPECT_EQ(team.take_slot(), 1U);
    EXPECT_EQ(team.take_slot(), 2U);
    EXPECT_EQ(team.held_workers(), 2U);
    EXPECT_FALSE(team.give_slot(1).was_last);
    EXPECT_EQ(team.take_slot(), 1U);
    EXPECT_EQ(team.take_slot(), 3U);
    EXPECT_FALSE(team.has_room());
    EXPECT_EQ(team.take_slot(), teff::work_source::no_slot);
    EXPECT_EQ(team.held_workers(), 3U);
    EXPECT_FALSE(team.give_slot(3).was_last);
    EXPECT_FALSE(team.give_slot(1).was_last);
    EXPECT_TRUE(team.give_slot(2).was_last);
    EXPECT_EQ(team.held_workers(), 0U);
}

TEST(team, of_one_has_no_room) {
    test_team team(1, 0);
    EXPECT_FALSE(team.has_room());
    EXPECT_EQ(team.take_slot(), teff::work_source::no_slot);
}

TEST(team, keeps_the_first_failure_and_cancels_itself) {
    test_team team(2, 0);
    team.rethrow_failure();
    team.fail(error("first"));
    team.fail(error("second"));
    EXPECT_GE(team.cancellations(), 1U);
    try {
        team.rethrow_failure();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& caught) {
        EXPECT_STREQ(caught.what(), "first");
    }
    team.rethrow_failure();
}

TEST(team, workers_come_while_its_caller_works) {
    teff::pool::instance().ensure_workers(3);
    for (const unsigned wanted : {0U, 1U, 3U}) {
        test_team team(4, wanted);
        team.run_as_caller();
        EXPECT_GE(team.came(), wanted);
        EXPECT_EQ(team.held_workers(), 0U);
        EXPECT_EQ(team.slots_seen() & 1U, 1U);
    }
}

TEST(team, is_the_innermost_while_its_caller_works) {
    class inspecting final : public teff::team {
    public:
        inspecting() : team(1, 0, false) {}
        bool has_visible_work() const noexcept override { return false; }
        void request() noexcept override {}
        void orphan() noexcept override {}
        std::size_t queued_estimate() const noexcept override { return 0; }
        bool was_inside = false;

    private:
        void work(unsigned, unsigned) noexcept override {
            const teff::membership* const inner = teff::this_thread().innermost;
            was_inside = inner != nullptr && inner->source == this;
        }
        void cancel() noexcept override {}
    };
    inspecting team;
    team.run_as_caller();
    EXPECT_TRUE(team.was_inside);
    EXPECT_EQ(teff::this_thread().innermost, nullptr);
}

}  // namespace
