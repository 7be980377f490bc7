// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields, widths and texts that are too long.
#include <teff/frontends/openmp/core/affinity/display.hpp>

#include <teff/frontends/openmp/core/teams/team.hpp>

#include <gtest/gtest.h>

#include <string>
#include <unistd.h>

namespace {

using namespace teff::openmp;

// Thread 3 of 4, in a region that thread 1 of 2 of an outermost region has opened.
struct imagined_thread {
    team outermost, outer, inner;
    place first, opener, caller;

    imagined_thread() {
        outer.level = 1;
        inner.level = 2;
        outer.opener = &first;
        inner.opener = &opener;
        first.in = &outermost;
        opener.in = &outer;
        opener.number = 1;
        opener.size = 2;
        caller.in = &inner;
        caller.number = 3;
        caller.size = 4;
        inner.league = {2, 5};
    }
};

std::string written(std::string_view format) {
    const imagined_thread thread;
    char text[2048];
    const std::size_t length = write_affinity(text, format, thread.caller);
    EXPECT_EQ(std::string(text).size(), length);
    return text;
}

TEST(openmp_affinity_format, has_fields_with_short_and_long_names) {
    EXPECT_EQ(written("%L %n %N %a"), "2 3 4 1");
    EXPECT_EQ(written("%{nesting_level}-%{thread_num}-%{num_threads}-%{ancestor_tnum}"), "2-3-4-1");
    EXPECT_EQ(written("%P=%{process_id}"), std::to_string(::getpid()) + "=" + std::to_string(::getpid()));
    EXPECT_EQ(written("%i"), std::to_string(::gettid()));
    EXPECT_EQ(written("%t of %{num_teams}, %T of them"), "2 of 5, 5 of them");
    EXPECT_EQ(written("%H"), written("%{host}"));
    EXPECT_FALSE(written("%A").empty());
}

TEST(openmp_affinity_format, keeps_other_text) {
    EXPECT_EQ(written(""), "");
    EXPECT_EQ(written("100%% of %n%%"), "100% of 3%");
    EXPECT_EQ(written("%X %{nothing} %{thread_num"), "undefined undefined 3");
    EXPECT_EQ(written("%"), "undefined");
}

TEST(openmp_affinity_format, has_widths) {
    constexpr const char* formats_and_texts[][2] = {
        {"[%4n]", "[3   ]"},  {"[%.4n]", "[   3]"},             {"[%0.4n]", "[0003]"},
        {"[%04n]", "[3   ]"}, {"[%0.12X]", "[   undefined]"}, {"[%.1{thread_num}]", "[3]"},
    };
    for (const auto& [format, text] : formats_and_texts)
        EXPECT_EQ(written(format), text) << format;
}

TEST(openmp_affinity_format, zeros_stand_behind_the_sign) {
    imagined_thread thread;
    char text[32];
    write_affinity(text, "%0.7a|%a", thread.first);
    EXPECT_STREQ(text, "-000001|-1");
}

TEST(openmp_affinity_format, counts_what_does_not_fit) {
    const imagined_thread thread;
    char text[] = "........";
    EXPECT_EQ(write_affinity(std::span(text).first(4), "abc%ndef", thread.caller), 7);
    EXPECT_STREQ(text, "abc");
    EXPECT_EQ(text[4], '.');
    EXPECT_EQ(write_affinity(std::span(text).first(1), "abc", thread.caller), 3);
    EXPECT_STREQ(text, "");
    EXPECT_EQ(write_affinity({}, "abc", thread.caller), 3);
}

}  // namespace
