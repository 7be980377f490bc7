// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of the option table, and how they are found by name.
#include <teff/options/option_table.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

TEST(option_table, every_row_is_found_by_id_name_flag_and_variable) {
    ASSERT_EQ(teff::option_table().size(), teff::option_count);
    for (const teff::option_row& each : teff::option_table()) {
        EXPECT_EQ(&teff::row(each.id), &each);
        EXPECT_EQ(teff::find_option(each.name), &each);
        EXPECT_EQ(teff::find_variable(each.variable), &each);
        std::string flag = each.name;
        for (char& character : flag)
            character = character == '_' ? '-' : character;
        EXPECT_EQ(teff::find_option(flag), &each);
    }
}

TEST(option_table, names_and_variables_are_unique) {
    std::set<std::string> names;
    for (const teff::option_row& each : teff::option_table()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_TRUE(names.insert(each.variable).second) << each.variable;
    }
}

TEST(option_table, sentences_are_there_and_have_no_full_stop) {
    for (const teff::option_row& each : teff::option_table()) {
        const std::string sentence = each.sentence;
        ASSERT_FALSE(sentence.empty()) << each.name;
        EXPECT_NE(sentence.back(), '.') << each.name;
    }
}

TEST(option_table, unknown_names_are_not_found) {
    for (const char* name : {"", "thread", "threads ", "Threads", "TEFF_THREADS", "--threads"}) {
        EXPECT_EQ(teff::find_option(name), nullptr) << name;
        EXPECT_EQ(teff::find_variable(name), nullptr) << name;
    }
}

const char* suggested_for(std::string_view unknown) {
    const teff::option_row* const meant = teff::nearest_option(unknown);
    return meant == nullptr ? "nothing" : meant->name;
}

TEST(option_table, suggests_what_was_probably_meant) {
    constexpr const char* unknown_and_meant[][2] = {
        {"TEFF_NUM_THREAD", "threads"}, {"TEFF_THREADS", "threads"}, {"TEFF_SHEDULER", "scheduler"},
        {"max-queue", "max_queued"},    {"TEFF_SPIN", "nothing"},    {"TEFF_SPINUS", "spin_us"},
    };
    for (const auto& [unknown, meant] : unknown_and_meant)
        EXPECT_STREQ(suggested_for(unknown), meant) << unknown;
}

TEST(option_table, suggests_nothing_for_names_that_are_far_from_all) {
    EXPECT_STREQ(suggested_for("TEFF_"), "nothing");
    EXPECT_STREQ(suggested_for("TEFF_COMPLETELY_DIFFERENT"), "nothing");
    EXPECT_STREQ(suggested_for("TEFF_" + std::string(5000, 'A')), "nothing");
}

}  // namespace
