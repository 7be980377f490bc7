// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that a run gives to this library. They refer to the texts in `p`.
#pragma once

#include <bench/harness/kernel.hpp>

#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>

namespace bench {

inline teff::options options_of(const parameters& p) {
    return {.threads = static_cast<long>(p.threads), .scheduler = p.scheduler, .reclaimer = p.reclaimer};
}

}  // namespace bench
