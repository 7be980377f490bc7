// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no latency of Teff (latency.cpp names no variant): it has no locks for its users.
#include <bench/latency/latency.hpp>

namespace bench {

outcome run_latency(const parameters&) { throw usage_error("latency: Teff has no locks"); }

}  // namespace bench
