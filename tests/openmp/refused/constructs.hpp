// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small pieces of OpenMP programs with a known result, one per kind of construct, for tests that refuse resources.
// constructs.cpp is compiled as a user's program is: by GCC, and by Clang, without anything of Teff.
#pragma once

#include <cstddef>

namespace teff::testing {

struct openmp_construct {
    const char* name;
    // Returns the result; -1 if a routine of OpenMP returned what it says about a lack of memory.
    long (*run)();
    long expected;
    // Variables of the environment, NAME=VALUE, that are set before the first use; nullptr: none.
    const char* variables[4] = {};
};

extern const openmp_construct openmp_constructs[];
extern const std::size_t openmp_construct_count;

}  // namespace teff::testing
