// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bursts has no serial version (bursts.cpp lists no variant for it): each run contains the plain loop.
#include <bench/bursts/bursts.hpp>

namespace bench {

outcome run_bursts(const parameters&) { throw usage_error("bursts: a serial program hands nothing over"); }

}  // namespace bench
