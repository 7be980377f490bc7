// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teff has no version of latency (latency.cpp lists no variant for it), because it offers no locks to its users.
#include <bench/latency/latency.hpp>

namespace bench {

outcome run_latency(const parameters&) { throw usage_error("latency: Teff has no locks"); }

}  // namespace bench
