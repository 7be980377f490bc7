// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under a limit of the address space (`ulimit -v`) OpenMP programs have the right results, with fewer threads where
// they must, or end with one line that says what there is no memory for. They never end by a fault of a stack that
// could not be extended, and never hang.
#include <tests/child_process.hpp>
#include <tests/openmp/refused/constructs.hpp>

#include <teff/schedulers.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace teff::testing {
namespace {

class address_space_of_openmp : public ::testing::TestWithParam<const char*> {};

// The default scheduler and two others; each with EVERY_COMBINATION in the environment.
auto chosen_schedulers() {
    std::vector<const char*> names;
    for (const scheduler_traits& each : schedulers())
        if (std::getenv("EVERY_COMBINATION") != nullptr || each.name == std::string_view("demand") ||
            each.name == std::string_view("sherwood") || each.name == std::string_view("xqueue_nowait"))
            names.push_back(each.name);
    return ::testing::ValuesIn(names);
}

INSTANTIATE_TEST_SUITE_P(, address_space_of_openmp, chosen_schedulers(),
                         [](const auto& about) { return std::string(about.param); });

TEST_P(address_space_of_openmp, may_be_limited) {
    int refused = 0, right = 0;
    for (const int threads : {1, 2, 8, 32, 64})
        for (const rlim_t mib : {20U, 30U, 40U, 50U, 60U, 80U, 100U, 150U, 200U, 300U, 400U}) {
            const child_outcome outcome = run_in_child([&] {
                const rlimit limit{mib << 20, mib << 20};
                ::setenv("TEFF_SCHEDULER", GetParam(), 1);
                ::setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
                ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
                for (std::size_t i = 0; i < openmp_construct_count; ++i) {
                    const openmp_construct& each = openmp_constructs[i];
                    const long result = each.run();
                    EXPECT_TRUE(result == -1 || result == each.expected) << each.name << ": " << result;
                }
            });
            const std::string shown = std::to_string(threads) + " threads, " + std::to_string(mib) + " MiB, status " +
                                      std::to_string(outcome.status) + ", stderr:\n" + outcome.errors;
            const std::size_t fewer = outcome.lines_with("teff: a worker thread could not be started");
            const std::size_t lines = outcome.lines_with("");
            if (outcome.code() == 0) {
                ++right;
                EXPECT_EQ(lines, fewer) << shown;
                continue;
            }
            ++refused;
            EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT) << shown;
            EXPECT_EQ(outcome.lines_with("teff: OpenMP: there is no memory for "), 1U) << shown;
            EXPECT_EQ(lines, fewer + 1) << shown;
        }
    RecordProperty("right", right);
    RecordProperty("refused", refused);
    std::printf("%s: %d right, %d refused\n", GetParam(), right, refused);
}

}  // namespace
}  // namespace teff::testing
