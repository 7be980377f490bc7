// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables that a program gets, from those that the command has.
#include <cli/run/run_environment.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <cli/run/launch.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

using variables = std::vector<std::string>;

variables made_from(std::vector<const char*> inherited, const run_settings& settings) {
    inherited.push_back(nullptr);
    return environment_of(inherited.data(), settings);
}

run_settings plain() {
    run_settings settings;
    settings.runtime = "/opt/lib/teff/libomp.so.5";
    return settings;
}

TEST(run_environment, the_runtime_comes_first_and_nothing_is_lost) {
    EXPECT_EQ(made_from({"HOME=/root", "LD_PRELOAD=/a.so /b.so", "LD_LIBRARY_PATH=/x:/y", "LD_PRELOADED=no"}, plain()),
              (variables{"HOME=/root", "LD_PRELOADED=no", "LD_LIBRARY_PATH=/opt/lib/teff:/x:/y",
                         "LD_PRELOAD=/opt/lib/teff/libomp.so.5:/a.so /b.so"}));
    const variables alone{"LD_LIBRARY_PATH=/opt/lib/teff", "LD_PRELOAD=/opt/lib/teff/libomp.so.5"};
    EXPECT_EQ(made_from({}, plain()), alone);
    EXPECT_EQ(made_from({"LD_PRELOAD=", "LD_LIBRARY_PATH="}, plain()), alone);
    // A program started inside a program.
    EXPECT_EQ(made_from({alone[0].c_str(), alone[1].c_str()}, plain()), alone);
}

TEST(run_environment, options_replace_variables) {
    run_settings settings = plain();
    settings.scheduler = "fifo";
    settings.tracker = "graph";
    settings.threads = "3";
    settings.verbose = true;
    const variables result =
        made_from({"OMP_NUM_THREADS=4,2", "TEFF_SCHEDULER=demand", "TEFF_SCHEDULER=blaze"}, settings);
    EXPECT_EQ(variables(result.begin() + 2, result.end()),
              (variables{"TEFF_SCHEDULER=fifo", "TEFF_TRACKER=graph", "TEFF_NUM_THREADS=3", "OMP_NUM_THREADS=3",
                         "TEFF_OPENMP_VERBOSE=on"}));
    settings = plain();
    const variables kept = made_from({"OMP_NUM_THREADS=4,2", "TEFF_SCHEDULER=demand"}, settings);
    EXPECT_EQ(variables(kept.begin(), kept.begin() + 2), (variables{"OMP_NUM_THREADS=4,2", "TEFF_SCHEDULER=demand"}));
    settings.threads = "auto";
    const variables automatic = made_from({"OMP_NUM_THREADS=4,2"}, settings);
    EXPECT_EQ(automatic.back(), "TEFF_NUM_THREADS=auto");
    EXPECT_EQ(automatic.size(), 3U);
}

TEST(run_environment, what_must_come_first_itself_is_not_preceded) {
    run_settings settings = plain();
    settings.preloads = false;
    EXPECT_EQ(made_from({"LD_PRELOAD=/a.so"}, settings),
              (variables{"LD_PRELOAD=/a.so", "LD_LIBRARY_PATH=/opt/lib/teff"}));
}

TEST(run_environment, folders_that_the_loader_cannot_be_told_of) {
    run_settings settings;
    settings.runtime = "/my programs/libomp.so.5";
    EXPECT_EQ(made_from({}, settings), (variables{"LD_LIBRARY_PATH=/my programs", "LD_PRELOAD=libomp.so.5"}));
    settings.runtime = "/a:b/libomp.so.5";
    try {
        made_from({}, settings);
        FAIL() << "no error";
    } catch (const launch_error& error) {
        EXPECT_EQ(error.status(), 125);
        EXPECT_TRUE(has(error.what(), "'/a:b' has a colon"));
    }
}

}  // namespace
}  // namespace teff::cli
