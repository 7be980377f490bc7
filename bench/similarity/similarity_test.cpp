// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of similarity compute what they say, and a wrong result, a wrong order and a task that did not run are
// noticed.
#include <bench/similarity/similarity.hpp>

#include <bench/dataflow/skipping_face.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace bench::similarity {
namespace {

std::vector<neighbour_list> results_of(const workload& given) {
    std::vector<neighbour_list> results(given.queries);
    image loaded;
    regions parts;
    features wanted;
    for (std::size_t query = 0; query < given.queries; ++query) {
        load(query, loaded);
        segment(loaded, parts);
        extract(loaded, parts, wanted);
        find_nearest(given.database, wanted, results[query]);
    }
    return results;
}

TEST(similarity, finds_the_nearest) {
    for (const char* size : {"1x10", "3x11", "40x500"}) {
        const outcome result = measured<serial_face>(of_size(size));
        EXPECT_TRUE(result.verified) << size << ": " << result.answer << ", but " << result.expected;
        EXPECT_GT(value_of(result, "queries"), 0);
    }
    EXPECT_EQ(measured<serial_face>(of_size("40x500")).tasks, 200U);
}

TEST(similarity, images_differ_and_have_regions) {
    image one;
    image other;
    load(0, one);
    load(1, other);
    EXPECT_NE(one.colours, other.colours);
    regions parts;
    segment(one, parts);
    EXPECT_GT(parts.count, 4U);
    EXPECT_LT(parts.count, 200U);
}

// A black image with a white square, whose lower left corner touches another one only diagonally.
TEST(similarity, extracts_the_features_of_regions) {
    constexpr std::size_t side = 16;
    image drawn;
    const auto draw = [&drawn](std::size_t top, std::size_t left) {
        for (std::size_t row = top; row < top + side; ++row)
            std::fill_n(&drawn.colours[row * edge + left], side, std::array<std::uint8_t, 3>{255, 255, 255});
    };
    draw(8, 32);
    draw(8 + side, 32 - side);
    regions parts;
    segment(drawn, parts);
    ASSERT_EQ(parts.count, 3U);
    EXPECT_EQ(parts.of_pixel[0], 0);
    EXPECT_EQ(parts.of_pixel[8 * edge + 32], 1);
    EXPECT_EQ(parts.of_pixel[(8 + side) * edge + 31], 2);
    features found;
    extract(drawn, parts, found);
    // The size, three colours, two places of the middle, height and width; of 255. The black one is the largest.
    EXPECT_EQ(found[0], 255 * (edge * edge - 2 * side * side) / (edge * edge));
    EXPECT_EQ(found[1], 0);
    EXPECT_EQ(found[6], 255);
    const features expected_of_square = {255 / 16, 255, 255, 255, 61, 157, 63, 63};
    EXPECT_TRUE(std::equal(&found[8], &found[16], expected_of_square.begin()));
    EXPECT_EQ(found[24], 0);
}

TEST(similarity, of_equal_distances_the_first_is_nearest) {
    std::vector<features> database(neighbours + 5);
    database[3].fill(1);
    database[5].fill(2);
    neighbour_list found;
    features wanted{};
    find_nearest(database, wanted, found);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found[i], (neighbour{0, static_cast<std::uint32_t>(i)}));
    EXPECT_EQ(found[3], (neighbour{0, 4}));
    EXPECT_EQ(found[9], (neighbour{0, 11}));
    wanted.fill(2);
    find_nearest(database, wanted, found);
    EXPECT_EQ(found[0], (neighbour{0, 5}));
    EXPECT_EQ(found[1], (neighbour{dimensions, 3}));
    EXPECT_EQ(found[2], (neighbour{4 * dimensions, 0}));
}

TEST(similarity, a_task_that_did_not_run_is_noticed) {
    expect_each_skipped_task_is_noticed(of_size("6x100"), measured<serial_face>, measured<skipping_face>);
}

TEST(similarity, a_wrong_result_and_a_wrong_order_are_noticed) {
    const workload given(of_size("6x100"));
    std::vector<neighbour_list> results = results_of(given);
    EXPECT_TRUE(checked(given, results, 1).verified);
    std::swap(results[2], results[3]);
    EXPECT_FALSE(checked(given, results, 1).verified);
    std::swap(results[2], results[3]);
    ++results[5][9].place;
    EXPECT_FALSE(checked(given, results, 1).verified);
    results = results_of(given);
    results.pop_back();
    EXPECT_FALSE(checked(given, results, 1).verified);
}

TEST(similarity, sizes_out_of_range_are_refused) {
    for (const char* size : {"0x100", "5", "5x9", "5x20000000"})
        EXPECT_THROW(workload(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::similarity
