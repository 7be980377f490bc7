// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of every kind set by flag and API: which are accepted, which are refused and with which message, and which
// origin takes precedence.
#include <teff/options/options.hpp>

#include <teff/machine/process_limits.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <string>

namespace {

using teff::configuration;
using teff::option;
using teff::origin;

// Sets the option and returns the error; "" if there was none. Stores the warnings in `warned`.
std::string set(configuration& settings, option which, std::string_view value, origin from,
                std::string* warned = nullptr) {
    char error[teff::option_message_size] = "untouched";
    ::testing::internal::CaptureStderr();
    const bool done = settings.set(which, value, from, error, sizeof error);
    const std::string text = ::testing::internal::GetCapturedStderr();
    if (warned != nullptr)
        *warned = text;
    else
        EXPECT_EQ(text, "");
    EXPECT_EQ(done, error[0] == '\0');
    return error;
}

std::string display(const configuration& settings, option which) {
    char storage[32];
    return std::string(settings.display(which, storage));
}

TEST(options, start_at_the_built_in_defaults) {
    const configuration settings;
    for (const teff::option_row& each : teff::option_table()) {
        EXPECT_EQ(settings.where(each.id), origin::built_in);
        EXPECT_EQ(display(settings, each.id), each.usual.text);
    }
    EXPECT_EQ(settings.integer("threads"), 0);
    EXPECT_EQ(settings.integer("max_queued"), 0);
    EXPECT_EQ(settings.integer("block_size"), 128);
    EXPECT_EQ(settings.integer("blaze_attempts_same_core"), 6);
    EXPECT_EQ(settings.text("scheduler"), "demand");
    EXPECT_EQ(settings.text("reclaimer"), "epoch");
    EXPECT_EQ(settings.text("bind"), "none");
    EXPECT_EQ(settings.text("topology"), "machine");
}

TEST(options, every_default_and_every_limit_can_be_written_out) {
    for (const teff::option_row& each : teff::option_table()) {
        configuration settings;
        EXPECT_EQ(set(settings, each.id, each.usual.text, origin::flag), "");
        EXPECT_EQ(settings.where(each.id), origin::flag);
        EXPECT_EQ(display(settings, each.id), each.usual.text);
        if (each.type != teff::option_type::integer)
            continue;
        for (std::size_t index = 0; index < each.choices.size(); ++index) {
            const char* const name = each.choices[index].name;
            EXPECT_EQ(set(settings, each.id, name, origin::flag), "");
            EXPECT_EQ(settings.integer(each.id), -1 - static_cast<long>(index));
            EXPECT_EQ(settings.text(each.id), name);
            EXPECT_EQ(display(settings, each.id), name);
        }
        for (const long limit : {each.minimum, each.maximum}) {
            EXPECT_EQ(set(settings, each.id, std::to_string(limit), origin::flag), "") << each.name;
            EXPECT_EQ(settings.integer(each.id), limit);
        }
        EXPECT_NE(set(settings, each.id, std::to_string(each.minimum - 1), origin::flag), "") << each.name;
    }
}

TEST(options, blanks_around_a_value_do_not_count) {
    configuration settings;
    EXPECT_EQ(set(settings, "threads", " \t7\n", origin::api), "");
    EXPECT_EQ(settings.integer("threads"), 7);
    EXPECT_EQ(set(settings, "scheduler", " blaze ", origin::api), "");
    EXPECT_EQ(settings.text("scheduler"), "blaze");
}

TEST(options, malformed_thread_counts_are_errors_that_change_nothing) {
    for (const char* value : {"0", "-1", "", " ", "x", "1x", "1 2", "+2", "2.0", "0x4", "1e1", "9223372036854775808",
                              "99999999999999999999", "-9223372036854775809", "Auto", "automatic"})
        for (const origin from : {origin::flag, origin::api}) {
            configuration settings;
            EXPECT_NE(set(settings, "threads", value, from), "") << '"' << value << '"';
            EXPECT_EQ(settings.where("threads"), origin::built_in);
            EXPECT_EQ(settings.integer("threads"), 0);
        }
}

TEST(options, an_error_names_option_value_and_what_is_allowed) {
    configuration settings;
    EXPECT_EQ(set(settings, "threads", "-3", origin::api),
              "option threads: '-3' is not a whole number from 1 to 4096 or auto");
    EXPECT_EQ(set(settings, "max_queued", "many", origin::flag),
              "--max-queued: 'many' is not a whole number from 0 to 1000000000000");
    EXPECT_EQ(set(settings, "shepherds", "per_socket", origin::flag),
              "--shepherds: 'per_socket' is not a whole number from 1 to 4096 or auto or per_worker or per_numa");
    EXPECT_EQ(set(settings, "bind", "corse", origin::flag),
              "--bind: 'corse' is not one of none, cores (did you mean cores?)");
    EXPECT_EQ(set(settings, "bind", "everything", origin::variable),
              "TEFF_BIND: 'everything' is not one of none, cores");
    EXPECT_EQ(set(settings, "topology", "sockets:0", origin::flag),
              "--topology: 'sockets:0' is not machine or of the form \"sockets:2 cores:4 threads:2\"");
}

TEST(options, a_number_above_the_largest_is_cut_down_with_one_warning) {
    for (const char* value : {"4097", "5000000000", "9223372036854775807"}) {
        configuration settings;
        std::string warned;
        EXPECT_EQ(set(settings, "threads", value, origin::flag, &warned), "");
        EXPECT_EQ(settings.integer("threads"), 4096);
        EXPECT_EQ(warned, "teff: --threads: '" + std::string(value) +
                              "' is above the largest value; 4096 is used instead\n");
    }
    configuration settings;
    EXPECT_EQ(set(settings, "threads", "4096", origin::flag), "");
    EXPECT_EQ(settings.integer("threads"), 4096);
}

TEST(options, numbers_are_set_by_the_same_rule) {
    configuration settings;
    char error[teff::option_message_size];
    EXPECT_TRUE(settings.set("threads", 8, origin::api, error, sizeof error));
    EXPECT_EQ(settings.integer("threads"), 8);
    for (const long value : {0L, -1L, LONG_MIN})
        EXPECT_FALSE(settings.set("threads", value, origin::api, error, sizeof error)) << value;
    EXPECT_STREQ(error, "option threads: '-9223372036854775808' is not a whole number from 1 to 4096 or auto");
    EXPECT_EQ(settings.integer("threads"), 8);
}

TEST(options, an_error_is_cut_off_at_the_end_of_the_buffer) {
    configuration settings;
    char error[8];
    EXPECT_FALSE(settings.set("threads", "x", origin::api, error, sizeof error));
    EXPECT_STREQ(error, "option ");
    EXPECT_FALSE(settings.set("threads", "x", origin::api, nullptr, 0));
    EXPECT_TRUE(settings.set("threads", "3", origin::api, nullptr, 0));
}

TEST(options, every_message_fits_its_size) {
    const std::string endless(100'000, '\n');
    for (const teff::option_row& each : teff::option_table()) {
        configuration settings;
        const std::string error = set(settings, each.id, endless + "x" + endless + "y", origin::variable);
        EXPECT_LT(error.size(), 300U) << each.name;
        const std::string unusable = set(settings, each.id, std::string(100'000, 'z'), origin::variable);
        EXPECT_NE(unusable.find(each.variable), std::string::npos);
        EXPECT_LT(unusable.size(), teff::option_message_size - 1);
    }
}

TEST(options, a_higher_origin_wins_whatever_the_order) {
    configuration settings;
    EXPECT_EQ(set(settings, "threads", "2", origin::variable), "");
    EXPECT_EQ(set(settings, "threads", "3", origin::flag), "");
    EXPECT_EQ(settings.integer("threads"), 3);
    EXPECT_EQ(set(settings, "threads", "4", origin::api), "");
    EXPECT_EQ(settings.integer("threads"), 4);
    EXPECT_EQ(set(settings, "threads", "5", origin::flag), "");
    EXPECT_EQ(set(settings, "threads", "6", origin::variable), "");
    EXPECT_EQ(settings.integer("threads"), 4);
    EXPECT_EQ(settings.where("threads"), origin::api);
    EXPECT_EQ(set(settings, "threads", "7", origin::api), "");
    EXPECT_EQ(settings.integer("threads"), 7);
    EXPECT_NE(set(settings, "threads", "x", origin::variable), "");
}

TEST(options, a_lower_origin_does_not_replace_a_text) {
    configuration settings;
    EXPECT_EQ(set(settings, "topology", "cores:4", origin::flag), "");
    EXPECT_EQ(set(settings, "topology", "sockets:8 cores:4", origin::variable), "");
    EXPECT_EQ(settings.text("topology"), "cores:4");
    EXPECT_EQ(set(settings, "topology", "machine", origin::flag), "");
    EXPECT_EQ(settings.text("topology"), "machine");
}

TEST(options, texts_do_not_share_their_place) {
    configuration settings;
    EXPECT_EQ(set(settings, "topology", "cores:4", origin::flag), "");
    EXPECT_EQ(set(settings, "trace", "/tmp/a.json", origin::variable), "");
    EXPECT_EQ(settings.text("topology"), "cores:4");
    EXPECT_EQ(settings.text("trace"), "/tmp/a.json");
    EXPECT_EQ(set(settings, "trace", "on", origin::flag),
              "--trace: 'on' is not off or of the form \"trace.json\"");
    const std::string longest = std::string(teff::max_option_text - 5, 'a') + ".json";
    EXPECT_NE(set(settings, "trace", "a" + longest, origin::flag), "");
    EXPECT_EQ(set(settings, "trace", longest, origin::flag), "");
    EXPECT_EQ(settings.text("trace").size(), teff::max_option_text);
}

TEST(options, a_copy_is_independent) {
    configuration original;
    EXPECT_EQ(set(original, "topology", "cores:4", origin::flag), "");
    configuration copy = original;
    EXPECT_EQ(set(copy, "topology", "cores:8", origin::flag), "");
    EXPECT_EQ(original.text("topology"), "cores:4");
    EXPECT_EQ(copy.text("topology"), "cores:8");
}

TEST(options, thread_count_resolves_auto) {
    configuration settings;
    EXPECT_EQ(teff::thread_count(settings), teff::default_thread_count());
    EXPECT_EQ(set(settings, "threads", "auto", origin::flag), "");
    EXPECT_EQ(teff::thread_count(settings), teff::default_thread_count());
    EXPECT_EQ(set(settings, "threads", "300", origin::flag), "");
    EXPECT_EQ(teff::thread_count(settings), 300U);
}

TEST(options, origins_have_names) {
    EXPECT_STREQ(teff::name_of(origin::built_in), "default");
    EXPECT_STREQ(teff::name_of(origin::variable), "variable");
    EXPECT_STREQ(teff::name_of(origin::flag), "flag");
    EXPECT_STREQ(teff::name_of(origin::api), "api");
}

}  // namespace
