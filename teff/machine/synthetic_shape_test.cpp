// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Well-formed and malformed descriptions of synthetic machines.
#include <teff/machine/synthetic_shape.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using teff::parse_synthetic_shape;
using teff::synthetic_shape;

TEST(synthetic_shape, reads_its_words_in_any_order) {
    const synthetic_shape expected{8, 4, 2};
    EXPECT_EQ(parse_synthetic_shape("sockets:8 cores:4 threads:2"), expected);
    EXPECT_EQ(parse_synthetic_shape("threads:2 sockets:8 cores:4"), expected);
    EXPECT_EQ(parse_synthetic_shape("  sockets:8,cores:4 ,\tthreads:2\n"), expected);
    EXPECT_EQ(parse_synthetic_shape("numa:2 sockets:8 cores:4 threads:2"), (synthetic_shape{8, 4, 2, 2}));
}

TEST(synthetic_shape, a_word_left_out_counts_as_one) {
    EXPECT_EQ(parse_synthetic_shape("cores:6"), (synthetic_shape{1, 6, 1}));
    EXPECT_EQ(parse_synthetic_shape("sockets:1"), (synthetic_shape{1, 1, 1}));
}

TEST(synthetic_shape, reaches_exactly_the_largest_machine) {
    EXPECT_EQ(parse_synthetic_shape("sockets:4096"), (synthetic_shape{4096, 1, 1}));
    EXPECT_EQ(parse_synthetic_shape("sockets:64 cores:32 threads:2"), (synthetic_shape{64, 32, 2}));
    EXPECT_FALSE(parse_synthetic_shape("sockets:4097"));
    EXPECT_FALSE(parse_synthetic_shape("sockets:64 cores:64 threads:2"));
    EXPECT_FALSE(parse_synthetic_shape("sockets:4096 cores:4096 threads:4096"));
}

TEST(synthetic_shape, divides_the_cores_of_a_socket_among_its_numa_domains) {
    EXPECT_EQ(parse_synthetic_shape("numa:3 cores:6"), (synthetic_shape{1, 6, 1, 3}));
    EXPECT_FALSE(parse_synthetic_shape("numa:4 cores:6"));
    EXPECT_FALSE(parse_synthetic_shape("numa:2"));
}

TEST(synthetic_shape, refuses_a_text_that_is_too_long) {
    const std::string longest = "cores:2" + std::string(teff::max_synthetic_text - 7, ' ');
    EXPECT_TRUE(parse_synthetic_shape(longest));
    EXPECT_FALSE(parse_synthetic_shape(longest + " "));
}

TEST(synthetic_shape, refuses_malformed_texts) {
    for (const char* text : {"", " ", ",", "8", "sockets", "sockets:", "sockets:0", "sockets:-1", "sockets:x",
                             "sockets:1.5", "sockets 8", "sockets: 8", "sockets:8:2", "nodes:2", "Sockets:2", ":3",
                             "sockets:2 sockets:2", "sockets:2;cores:2", "cores:99999999999999999999", "machine"})
        EXPECT_FALSE(parse_synthetic_shape(text)) << '"' << text << '"';
}

}  // namespace
