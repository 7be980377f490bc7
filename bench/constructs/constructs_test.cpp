// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// constructs subtracts the reference and counts what was executed, with constructs that only pretend.
#include <bench/constructs/constructs.hpp>

#include <bench/harness/delay.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::constructs {
namespace {

parameters on_threads(unsigned threads) {
    parameters made = of_size("3x200");
    made.threads = threads;
    return made;
}

void work(std::uint64_t count) {
    for (std::uint64_t index = 0; index < count; ++index) delay(1000);
}

TEST(constructs, the_size_is_samples_and_their_length) {
    EXPECT_EQ(sampling_of(on_threads(1)).samples, 3U);
    EXPECT_DOUBLE_EQ(sampling_of(on_threads(1)).seconds, 200e-6);
    EXPECT_THROW(sampling_of(of_size("3")), usage_error);
    EXPECT_THROW(sampling_of(of_size("0x5")), usage_error);
}

TEST(constructs, every_thread_gets_as_many_of_shared_constructs) {
    const reading found = measure(
        on_threads(3), 2,
        [](std::uint64_t count) {
            EXPECT_EQ(count % 3, 0U);
            work(count);
            return 2 * count;
        },
        work);
    EXPECT_EQ(found.construct_ns.size(), 3U);
    EXPECT_EQ(found.reference_ns.size(), 3U);
    EXPECT_GT(found.executed, 6U);
    EXPECT_TRUE(checked(found).verified);
}

TEST(constructs, a_step_too_few_is_a_wrong_answer) {
    const auto short_of_one = [](std::uint64_t count) {
        work(count);
        return count - 1;
    };
    EXPECT_FALSE(checked(measure(on_threads(1), 1, short_of_one, work)).verified);
}

TEST(constructs, the_overhead_is_the_difference_of_medians) {
    const outcome told = checked({{50, 10, 20}, {4, 3, 99}, 1, 7, 7});
    EXPECT_TRUE(told.verified);
    EXPECT_DOUBLE_EQ(value_of(told, "construct_ns"), 20);
    EXPECT_DOUBLE_EQ(value_of(told, "reference_ns"), 4);
    EXPECT_DOUBLE_EQ(value_of(told, "overhead_ns"), 16);
}

TEST(constructs, only_openmp_has_them) {
    for (const auto family : {runtime_family::serial, runtime_family::teff, runtime_family::tbb})
        EXPECT_TRUE(constructs_description.variants(family).empty());
    std::size_t with_accesses = 0;
    for (const variant_description& each : constructs_description.variants(runtime_family::openmp))
        with_accesses += each.has_accesses ? 1 : 0;
    EXPECT_EQ(with_accesses, 3U);
}

}  // namespace
}  // namespace bench::constructs
