// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loaded_openmp() in a process without OpenMP, and after one came late. check_runners.sh tests it in the runners.
#include <bench/harness/loaded_openmp.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(loaded_openmp, finds_a_library_that_comes_late) {
    EXPECT_TRUE(loaded_openmp().empty());
    void* const late = ::dlopen("libgomp.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (late == nullptr) GTEST_SKIP() << "libgomp is not installed";
    const std::vector<std::string> found = loaded_openmp();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found.front().find("/libgomp.so.1"), std::string::npos) << found.front();
}

}  // namespace
}  // namespace bench
