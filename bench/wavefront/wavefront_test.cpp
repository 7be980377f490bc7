// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wavefront finds the best score for any size of the blocks, and detects a wrong score and a task that did not run.
#include <bench/wavefront/wavefront.hpp>

#include <bench/dataflow/skipping_face.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::wavefront {
namespace {

block only_block(const workload& given) {
    block found = given.zeros(0, 0);
    score(given, 0, 0, given.zeros(0, 0), given.zeros(0, 0), found);
    return found;
}

TEST(wavefront, finds_the_best_score) {
    // Blocks of a single score, that end with the sequence, that do not, and that are larger than it.
    for (const char* size : {"1x1", "5x1", "60x12", "61x12", "7x100"}) {
        const outcome result = measured<serial_face>(of_size(size));
        EXPECT_TRUE(result.verified) << size << ": " << result.answer << ", but " << result.expected;
        EXPECT_GT(value_of(result, "mcells"), 0);
    }
    EXPECT_EQ(measured<serial_face>(of_size("61x12")).tasks, 36U);
}

TEST(wavefront, scores_are_those_of_the_definition) {
    workload given(of_size("4x4"));
    given.first = "ACGT";
    given.second = "ACTT";
    // A match adds 2, a mismatch takes 1 and a gap 2:
    //      A  C  T  T
    //   A  2  0  0  0
    //   C  0  4  2  0
    //   G  0  2  3  1
    //   T  0  0  4  5
    const block found = only_block(given);
    EXPECT_EQ(found.bottom, (std::vector<std::int32_t>{0, 0, 0, 4, 5}));
    EXPECT_EQ(found.right, (std::vector<std::int32_t>{0, 0, 1, 5}));
    EXPECT_EQ(found.best, 5);
}

TEST(wavefront, a_task_that_did_not_run_is_noticed) {
    expect_each_skipped_task_is_noticed(of_size("61x12"), measured<serial_face>, measured<skipping_face>);
}

TEST(wavefront, a_wrong_score_is_noticed) {
    const workload given(of_size("30x30"));
    block found = only_block(given);
    EXPECT_TRUE(checked(given, {&found}, 1).verified);
    for (std::int32_t* const score : {&found.best, &found.bottom[17], &found.right[17]}) {
        ++*score;
        EXPECT_FALSE(checked(given, {&found}, 1).verified);
        --*score;
    }
}

TEST(wavefront, sizes_out_of_range_are_refused) {
    EXPECT_EQ(workload(of_size("wavefront:60x12")).blocks(), 5U);
    for (const char* size : {"0x5", "5", "5x0", "2000000x5"})
        EXPECT_THROW(workload(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::wavefront
