// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// steal_request, step by step on one thread, which plays the member and its thieves in turn, and the adaptive_polling
// of a thief that waits; the interleavings are in tests/model/steal_request_scenarios.cpp.
#include <teff/scheduler/steal_request.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using teff::steal_request;
constexpr unsigned owner_slot = 9;

TEST(steal_request, is_answered_round_by_round) {
    steal_request requests;
    EXPECT_EQ(requests.asking_thief(owner_slot), steal_request::nobody);
    for (unsigned thief = 0; thief < 5; ++thief) {
        const steal_request::round asked = requests.ask(thief);
        ASSERT_NE(asked, steal_request::not_asked);
        EXPECT_EQ(requests.asking_thief(owner_slot), thief);
        EXPECT_FALSE(requests.is_over(asked));
        requests.next_round();
        EXPECT_EQ(requests.asking_thief(owner_slot), steal_request::nobody);
        EXPECT_TRUE(requests.is_over(asked));
    }
}

TEST(steal_request, is_not_asked_while_another_one_asks) {
    steal_request requests;
    const steal_request::round first = requests.ask(1);
    EXPECT_EQ(requests.ask(2), steal_request::not_asked);
    requests.ask_again(2, first);
    EXPECT_EQ(requests.asking_thief(owner_slot), 1U);
    requests.next_round();
    EXPECT_NE(requests.ask(2), steal_request::not_asked);
    EXPECT_EQ(requests.asking_thief(owner_slot), 2U);
}

TEST(steal_request, means_nothing_in_another_round) {
    steal_request requests;
    const steal_request::round outdated = requests.ask(1);
    requests.next_round();
    const steal_request::round present = requests.ask(2);
    EXPECT_TRUE(requests.is_over(outdated));
    requests.ask_again(1, outdated);
    EXPECT_EQ(requests.asking_thief(owner_slot), 2U) << "a newer request is not overwritten on purpose";
    EXPECT_FALSE(requests.is_over(present));
}

TEST(steal_request, a_closed_member_declines_and_is_not_asked) {
    steal_request requests;
    const steal_request::round asked = requests.ask(1);
    requests.close(owner_slot);
    EXPECT_TRUE(requests.is_over(asked));
    EXPECT_EQ(requests.asking_thief(owner_slot), steal_request::nobody);
    EXPECT_EQ(requests.ask(2), steal_request::not_asked);
    // A member that searches closes again and again.
    requests.close(owner_slot);
    requests.close(owner_slot);
    EXPECT_EQ(requests.ask(2), steal_request::not_asked);
    requests.next_round();
    EXPECT_EQ(requests.asking_thief(owner_slot), steal_request::nobody);
    EXPECT_NE(requests.ask(2), steal_request::not_asked);
    EXPECT_EQ(requests.asking_thief(owner_slot), 2U);
}

TEST(steal_request, an_open_member_without_requests_closes_too) {
    steal_request requests;
    requests.close(owner_slot);
    EXPECT_EQ(requests.ask(1), steal_request::not_asked);
}

TEST(steal_request, rounds_begin_again_after_the_last) {
    constexpr steal_request::round last = (steal_request::round{1} << 40) - 1;
    for (const steal_request::round first : {last - 1, last, steal_request::round{0}}) {
        SCOPED_TRACE(first);
        steal_request requests(first);
        for (unsigned thief = 0; thief < 4; ++thief) {
            const steal_request::round asked = requests.ask(thief);
            ASSERT_NE(asked, steal_request::not_asked);
            EXPECT_EQ(requests.asking_thief(owner_slot), thief);
            EXPECT_EQ(requests.ask(8), steal_request::not_asked);
            requests.close(owner_slot);
            EXPECT_TRUE(requests.is_over(asked));
            EXPECT_EQ(requests.ask(8), steal_request::not_asked);
            requests.next_round();
        }
    }
}

TEST(steal_request, knows_thieves_of_any_number) {
    for (const unsigned thief : {0U, 1U, 4095U, (1U << 24) - 2}) {
        steal_request requests;
        requests.ask(thief);
        EXPECT_EQ(requests.asking_thief(owner_slot), thief);
    }
}

TEST(adaptive_polling, doubles_after_failures_and_shrinks_after_successes) {
    teff::adaptive_polling tries;
    tries.begin(4, 30);
    EXPECT_EQ(tries.looks(), 4U);
    tries.succeeded();
    EXPECT_EQ(tries.looks(), 4U);
    for (const unsigned expected : {8U, 16U, 30U, 30U}) {
        tries.failed();
        EXPECT_EQ(tries.looks(), expected);
    }
    // The next member of the slot begins with the number that the last one reached.
    tries.begin(4, 30);
    for (const unsigned expected : {26U, 22U, 18U, 14U, 10U, 6U, 4U, 4U}) {
        tries.succeeded();
        EXPECT_EQ(tries.looks(), expected);
    }
}

TEST(adaptive_polling, stays_within_bounds_that_are_the_same_or_large) {
    teff::adaptive_polling tries;
    tries.begin(5, 5);
    tries.failed();
    EXPECT_EQ(tries.looks(), 5U);
    tries.succeeded();
    EXPECT_EQ(tries.looks(), 5U);
    tries.begin(3'000'000'000, 4'000'000'000);
    tries.failed();
    EXPECT_EQ(tries.looks(), 4'000'000'000);
}

}  // namespace
