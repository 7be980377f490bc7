// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environments with good, bad, unknown and repeated variables: the resulting values, and all output on stderr.
#include <teff/options/options.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using teff::configuration;
using teff::option;
using teff::origin;

struct result {
    configuration settings;
    std::string warned;
};

result read(std::vector<const char*> environment) {
    environment.push_back(nullptr);
    result outcome;
    ::testing::internal::CaptureStderr();
    teff::read_environment(outcome.settings, environment.data());
    outcome.warned = ::testing::internal::GetCapturedStderr();
    return outcome;
}

TEST(option_environment, without_variables_everything_stays_at_its_default) {
    const result outcome = read({});
    EXPECT_EQ(outcome.warned, "");
    for (const teff::option_row& each : teff::option_table())
        EXPECT_EQ(outcome.settings.where(each.id), origin::built_in);
}

TEST(option_environment, good_values_are_taken_silently) {
    const result outcome = read({"PATH=/bin", "TEFF_NUM_THREADS=3", "TEFF_SCHEDULER=blaze", "TEFF_MAX_QUEUED=1000",
                                 "TEFF_TOPOLOGY=sockets:8 cores:4 threads:2", "TEFF_SPIN_US= 0 "});
    EXPECT_EQ(outcome.warned, "");
    EXPECT_EQ(outcome.settings.integer("threads"), 3);
    EXPECT_EQ(outcome.settings.text("scheduler"), "blaze");
    EXPECT_EQ(outcome.settings.integer("max_queued"), 1000);
    EXPECT_EQ(outcome.settings.text("topology"), "sockets:8 cores:4 threads:2");
    EXPECT_EQ(outcome.settings.integer("spin_us"), 0);
    EXPECT_EQ(outcome.settings.where("spin_us"), origin::variable);
    EXPECT_EQ(outcome.settings.where("bind"), origin::built_in);
}

TEST(option_environment, every_malformed_value_gives_one_warning_and_the_default) {
    for (const char* value :
         {"0", "-1", "", "  ", "many", "4 threads", "99999999999999999999", "-99999999999999999999"}) {
        const std::string entry = std::string("TEFF_NUM_THREADS=") + value;
        const result outcome = read({entry.c_str()});
        const std::string shown = std::string(value) == "  " ? "" : value;
        EXPECT_EQ(outcome.warned, "teff: TEFF_NUM_THREADS: '" + shown +
                                      "' is not a whole number from 1 to 4096 or auto; auto is used instead\n");
        EXPECT_EQ(outcome.settings.where("threads"), origin::built_in);
    }
}

TEST(option_environment, malformed_values_of_every_option_leave_its_default) {
    for (const teff::option_row& each : teff::option_table()) {
        const std::string entry = std::string(each.variable) + "=?";
        const result outcome = read({entry.c_str()});
        EXPECT_EQ(outcome.settings.where(each.id), origin::built_in);
        EXPECT_EQ(outcome.warned.find(std::string("teff: ") + each.variable + ": '?' is not "), 0U) << outcome.warned;
        const std::string ending = std::string("; ") + each.usual.text + " is used instead\n";
        EXPECT_TRUE(outcome.warned.ends_with(ending)) << outcome.warned;
    }
}

TEST(option_environment, more_than_4096_threads_become_4096_with_a_warning) {
    const result outcome = read({"TEFF_NUM_THREADS=4097"});
    EXPECT_EQ(outcome.settings.integer("threads"), 4096);
    EXPECT_EQ(outcome.settings.where("threads"), origin::variable);
    EXPECT_EQ(outcome.warned,
              "teff: TEFF_NUM_THREADS: '4097' is above the largest value; 4096 is used instead\n");
}

TEST(option_environment, unknown_names_are_warned_of_with_the_nearest_known_one) {
    EXPECT_EQ(read({"TEFF_NUM_THREAD=2"}).warned,
              "teff: the variable 'TEFF_NUM_THREAD' is not known and has no effect; did you mean TEFF_NUM_THREADS?\n");
    EXPECT_EQ(read({"TEFF_COMPLETELY_DIFFERENT=1"}).warned,
              "teff: the variable 'TEFF_COMPLETELY_DIFFERENT' is not known and has no effect\n");
    EXPECT_EQ(read({"TEFF_=1"}).warned, "teff: the variable 'TEFF_' is not known and has no effect\n");
}

TEST(option_environment, other_names_are_none_of_our_business) {
    for (const char* entry :
         {"TEFFY=1", "teff_num_threads=1", "XTEFF_NUM_THREADS=1", "=TEFF_X=1", "TEFF_NUM_THREADS", "", "="})
        EXPECT_EQ(read({entry}).warned, "") << entry;
}

TEST(option_environment, leaves_the_variables_of_the_benchmarks_alone) {
    EXPECT_EQ(read({"TEFF_BENCH_LIBIOMP5=/opt/intel/lib"}).warned, "");
}

TEST(option_environment, of_a_repeated_name_the_first_counts) {
    const result outcome = read({"TEFF_NUM_THREADS=2", "TEFF_NUM_THREADS=3"});
    EXPECT_EQ(outcome.settings.integer("threads"), 2);
    EXPECT_EQ(read({"TEFF_NUM_THREADS=x", "TEFF_NUM_THREADS=3"}).settings.where("threads"), origin::built_in);
}

TEST(option_environment, does_not_replace_a_flag) {
    result outcome;
    ASSERT_TRUE(outcome.settings.set("threads", "5", origin::flag, nullptr, 0));
    const char* const environment[] = {"TEFF_NUM_THREADS=2", nullptr};
    teff::read_environment(outcome.settings, environment);
    EXPECT_EQ(outcome.settings.integer("threads"), 5);
}

TEST(option_environment, the_process_has_one_configuration) {
    EXPECT_EQ(&teff::process_configuration(), &teff::process_configuration());
}

}  // namespace
