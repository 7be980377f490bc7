// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of runtimes, and the lines that this runtime writes about itself. The runtimes that programs are linked
// with are tested by programs: tests/openmp/programs/default_schedule.c.
#include <teff/frontends/openmp/core/process/runtimes.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace teff::openmp;

TEST(openmp_linked_runtime, is_known_by_its_name) {
    for (const char* path : {"libgomp.so.1", "/usr/lib/libgomp.so.1", "x.libs/libgomp-e985bcbb.so.1.0.0"})
        EXPECT_EQ(runtime_named(path), runtime_name::libgomp) << path;
    for (const char* path : {"libomp.so.5", "libomp.so", "/opt/libiomp5.so", "libomp-1a2b.so.5"})
        EXPECT_EQ(runtime_named(path), runtime_name::libomp) << path;
    for (const char* path : {"", "libc.so.6", "libompi.so", "libgomp", "libomp.so/libm.so.6",
                             "libgomp-plugin-nvptx.so.1"})
        EXPECT_EQ(runtime_named(path), runtime_name::none) << path;
}

TEST(openmp_linked_runtime, is_none_in_a_program_without_openmp) { EXPECT_EQ(linked_runtime(), runtime_name::none); }

// The variables are read once per process, so each case is in a new process, which has run no other test
// ("threadsafe").
int say_and_end(const char* verbose) {
    if (verbose != nullptr)
        ::setenv("TEFF_OPENMP_VERBOSE", verbose, 1);
    ::setenv("TEFF_SCHEDULER", "ompi", 1);
    ::setenv("TEFF_NUM_THREADS", "1", 1);
    announce(7);
    std::fputs("end\n", stderr);
    return 0;
}

// The tracker is that of regions, whose number of threads is OpenMP's, not the pool's.
TEST(openmp_announcement, says_what_is_active) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(std::exit(say_and_end("on")), testing::ExitedWithCode(0),
                "^teff: OpenMP runtime [0-9.]+ is active in process [0-9]+: .*/teff_openmp_tests, for libgomp.so.1, "
                "libomp.so.5 and libiomp5.so; scheduler ompi, tracker embedded_hypergraph, threads 7\nend\n$");
}

TEST(openmp_announcement, is_silent_otherwise) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(std::exit(say_and_end("off")), testing::ExitedWithCode(0), "^end\n$");
    EXPECT_EXIT(std::exit(say_and_end(nullptr)), testing::ExitedWithCode(0), "^end\n$");
}

}  // namespace
