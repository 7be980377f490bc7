// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime says of itself, and that it is silent if it was not asked. The variables are read once per process,
// so each case is in a new process, which has run no other test ("threadsafe").
#include <teff/frontends/openmp/core/announcement.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

int say_and_end(const char* verbose) {
    if (verbose != nullptr)
        ::setenv("TEFF_OPENMP_VERBOSE", verbose, 1);
    ::setenv("TEFF_SCHEDULER", "ompi", 1);
    teff::openmp::announce(7);
    std::fputs("end\n", stderr);
    return 0;
}

TEST(openmp_announcement, says_what_is_active) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(std::exit(say_and_end("on")), testing::ExitedWithCode(0),
                "^teff: OpenMP runtime [0-9.]+ is active in process [0-9]+: .*/teff_openmp_tests, for libgomp.so.1, "
                "libomp.so.5 and libiomp5.so; scheduler ompi, tracker tickets, threads 7\nend\n$");
}

TEST(openmp_announcement, is_silent_otherwise) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(std::exit(say_and_end("off")), testing::ExitedWithCode(0), "^end\n$");
    EXPECT_EXIT(std::exit(say_and_end(nullptr)), testing::ExitedWithCode(0), "^end\n$");
}

}  // namespace
