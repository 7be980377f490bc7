// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of runtimes. What programs ask for is tested by programs: tests/openmp/programs/default_schedule.c.
#include <teff/frontends/openmp/core/linked_runtime.hpp>

#include <gtest/gtest.h>

namespace {

using namespace teff::openmp;

TEST(openmp_linked_runtime, is_known_by_its_name) {
    for (const char* path : {"libgomp.so.1", "/usr/lib/libgomp.so.1", "x.libs/libgomp-e985bcbb.so.1.0.0"})
        EXPECT_EQ(runtime_named(path), runtime_name::libgomp) << path;
    for (const char* path : {"libomp.so.5", "libomp.so", "/opt/libiomp5.so", "libomp-1a2b.so.5"})
        EXPECT_EQ(runtime_named(path), runtime_name::libomp) << path;
    for (const char* path : {"", "libc.so.6", "libompi.so", "libgomp", "libomp.so/libm.so.6"})
        EXPECT_EQ(runtime_named(path), runtime_name::none) << path;
}

TEST(openmp_linked_runtime, is_none_in_a_program_without_openmp) { EXPECT_EQ(linked_runtime(), runtime_name::none); }

}  // namespace
