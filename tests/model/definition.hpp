// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a source defines its scenarios:
//
//   TEFF_SCENARIO(fork_join, a_job_is_taken_or_taken_back) { the body of the scenario }
//
// The two words are the names of the structure and of the scenario. All scenarios of a source are in `defined_here`, in
// the order of their definitions; the source's function in scenarios.hpp returns them.
#pragma once

#include "scenarios.hpp"

#include <vector>

namespace scenarios {

// Each source that includes this header has a list of its own.
static std::vector<model::scenario> defined_here;

struct definition {
    definition(std::vector<model::scenario>& list, const model::scenario& defined) { list.push_back(defined); }
};

}  // namespace scenarios

#define TEFF_SCENARIO(structure, name)                                                                                 \
    void structure##_##name();                                                                                         \
    const definition structure##_##name##_defined(defined_here, {#structure, #name, structure##_##name});              \
    void structure##_##name()
