// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health loses no person, gives the same result for every order of villages, and knows which villages are below
// another.
#include <bench/health/health.hpp>

#include <bench/harness/serial.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::health {
namespace {

TEST(health, people_come_out_as_they_went_in) {
    person persons[3] = {};
    people some;
    EXPECT_EQ(some.take(), nullptr);
    for (person& one : persons) some.add(&one);
    EXPECT_EQ(some.count(), 3U);
    for (person& one : persons) EXPECT_EQ(some.take(), &one);
    EXPECT_EQ(some.take(), nullptr);
    some.add(&persons[1]);
    EXPECT_EQ(some.take(), &persons[1]);
}

TEST(health, the_villages_form_a_tree) {
    const country made(3, 0);
    EXPECT_EQ(made.villages(), 21U);
    EXPECT_EQ(made.first_below(0), 1U);
    EXPECT_EQ(made.first_below(4), 17U);
    EXPECT_EQ(made.first_below(5), 21U);
    EXPECT_EQ(made.population(), 21 * inhabitants);
}

TEST(health, nobody_is_lost) {
    country made(4, 300);
    made.live_all<serial_forks>();
    const totals happened = made.happened();
    EXPECT_EQ(made.population(), made.villages() * inhabitants);
    EXPECT_GT(happened.treated, 100U);
    EXPECT_GT(happened.sent_up, 100U);
    EXPECT_GT(happened.steps_waited, 0U);
    EXPECT_GT(happened.fell_ill, happened.treated);
}

TEST(health, the_result_does_not_depend_on_the_order) {
    for (const char* size : {"1x10", "2x100", "4x200", "3x0"}) {
        country made = generated(of_size(size));
        made.live_all<serial_forks>();
        const outcome result = checked(made, 0);
        EXPECT_TRUE(result.verified) << size << ": " << result.answer << ", expected " << result.expected;
        EXPECT_EQ(result.tasks, made.villages() * made.steps());
    }
}

TEST(health, a_step_that_is_missing_is_noticed) {
    country made = generated(of_size("3x100"));
    made.live_all<serial_forks>();
    EXPECT_TRUE(checked(made, 0).verified);
    made.live(7);
    made.live(7);
    made.live(7);
    EXPECT_FALSE(checked(made, 0).verified);
    EXPECT_FALSE(checked(generated(of_size("3x100")), 0).verified);
}

TEST(health, sizes_out_of_range_are_refused) {
    EXPECT_EQ(generated(of_size("health:2x7")).steps(), 7U);
    for (const char* size : {"0x5", "5", "13x5"}) EXPECT_THROW(generated(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::health
