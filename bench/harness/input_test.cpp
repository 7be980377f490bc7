// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Input files: words, numbers and lines; an error message names the file and what is wrong with it.
#include <bench/harness/input.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(input, reads_words_numbers_and_lines) {
    const written_file file(" 12\tname\r\n0.25 rest of it\r\nlast");
    input_reader reader(file.path());
    EXPECT_EQ(reader.integer("a number", 0, 12), 12);
    EXPECT_EQ(reader.word("a name"), "name");
    EXPECT_EQ(reader.real("a share", 0, 1), 0.25);
    EXPECT_EQ(reader.line(), " rest of it");
    EXPECT_FALSE(reader.at_end());
    EXPECT_EQ(reader.line(), "last");
    EXPECT_TRUE(reader.at_end());
    EXPECT_EQ(reader.line(), "");
}

TEST(input, says_what_was_expected_and_found) {
    const written_file file("13 x");
    input_reader reader(file.path());
    try {
        reader.integer("a number up to 12", 0, 12);
        FAIL() << "13 was taken";
    } catch (const usage_error& error) {
        EXPECT_EQ(error.what(), "--input " + file.path() + ": expected a number up to 12, found 13");
    }
    EXPECT_THROW(reader.real("a share", 0, 1), usage_error);
    EXPECT_THROW(reader.word("another word"), usage_error);
}

TEST(input, a_file_that_is_not_there_is_a_users_mistake) {
    EXPECT_THROW(read_file("/nonexistent/input"), usage_error);
    EXPECT_THROW(read_file("/"), usage_error);
}

}  // namespace
}  // namespace bench
