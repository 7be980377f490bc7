// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the message of a refusal.
#include <cli/bench/single_run.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

TEST(memory, a_refusal_says_how_much_of_what) {
    const free_memory free{1024, false};
    EXPECT_FALSE(refusal(1024, free));
    EXPECT_FALSE(refusal(1ULL << 40, std::nullopt));
    EXPECT_EQ(*refusal(2048, free), "refused: needs about 2.0 KiB, more than the 1.0 KiB free on this machine");
    EXPECT_EQ(*refusal(2048, free_memory{1024, true}),
              "refused: needs about 2.0 KiB, more than the 1.0 KiB left by the control group's limit");
}

}  // namespace
}  // namespace teff::cli
