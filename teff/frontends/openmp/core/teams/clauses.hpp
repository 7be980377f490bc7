// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clauses of a parallel region, and of a teams construct.
#pragma once

#include <teff/frontends/openmp/core/environment/icvs.hpp>

namespace teff::openmp {

struct region_clauses {
    unsigned threads = 0;    // num_threads; 0: none
    bool is_serial = false;  // if(false)
    bool has_bind = false;
    binding bind = binding::none;
    // num_threads for the regions inside, one number for each level; they must live as long as the region.
    const unsigned* threads_below = nullptr;
    unsigned short threads_below_count = 0;
    // num_threads(strict: ...): what happens if the region gets another number of threads. message: nullptr: none.
    enum class strictness : unsigned char { none, warns, ends_the_program } strict = strictness::none;
    const char* message = nullptr;
};

// 0: none was given.
struct teams_clauses {
    unsigned least = 0;  // num_teams: the lower bound
    unsigned most = 0;   // and the upper one
    unsigned thread_limit = 0;
};

}  // namespace teff::openmp
