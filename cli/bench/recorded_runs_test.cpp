// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of recorded_runs.hpp: the names of its files. command_test.cpp tests the rest.
#include <cli/bench/recorded_runs.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

TEST(file_stem, has_no_character_that_a_shell_or_a_folder_minds) {
    EXPECT_EQ(file_stem("fib quick nowait teff gcc demand, 2 threads"), "fib-quick-nowait-teff-gcc-demand-2-threads");
    EXPECT_EQ(file_stem("pi 1e-15 /etc/passwd"), "pi-1e-15-etc-passwd");
    EXPECT_EQ(file_stem("../x y"), "..-x-y");
}

}  // namespace
}  // namespace teff::cli
